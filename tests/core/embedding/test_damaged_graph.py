"""A change of any file of an exported model is noticed, so that it is exported again."""

from __future__ import annotations

import shutil
from typing import TYPE_CHECKING

import pytest

from app.core.embedding.embedder import Embedder
from app.core.embedding.graph import (
    CHECKSUMS,
    GRAPH,
    GRAPH_WEIGHTS,
    META,
    TOKENIZER,
    BrokenGraph,
    EmbeddingGraph,
)
from app.core.embedding.model_files import find_model
from app.domain.cancel import CancelToken

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from tests.conftest import OtherModel
    from tests.support.courses import KeptEmbedder

pytestmark = pytest.mark.slow


@pytest.fixture
def graph_copy(embedder: KeptEmbedder, model_cache: Path, tmp_path: Path) -> Path:
    """A copy of the exported model, for a cache directory ``tmp_path`` of its own."""
    copy = find_model(None, tmp_path).graph
    shutil.copytree(find_model(None, model_cache).graph, copy)
    return copy


@pytest.fixture(scope="session")
def other_graph(other_model: OtherModel) -> Path:
    """The sound graph of another model."""
    embedder = Embedder(other_model.folder, other_model.cache)
    embedder.prepare(CancelToken())
    embedder.close()
    return find_model(other_model.folder, other_model.cache).graph


FILES = (GRAPH, GRAPH_WEIGHTS, TOKENIZER, META, CHECKSUMS)
DAMAGE: dict[str, Callable[[bytes], bytes]] = {
    "emptied": lambda _: b"",
    "cut": lambda content: content[: len(content) // 2],
    "cut by a little": lambda content: content[:-2],
    "longer": lambda content: content + b"more\n",
    "zeros": lambda content: bytes(len(content)),
    "other JSON": lambda _: b"[]",
    "a bit at the start": lambda content: flipped(content, 7),
    "a bit in the middle": lambda content: flipped(content, len(content) // 2),
    "a bit near the end": lambda content: flipped(content, len(content) - 3),
    "a page": lambda content: content[:4096] + content[8192:12288] + content[8192:],
}


def flipped(content: bytes, place: int) -> bytes:
    return content[:place] + bytes([content[place] ^ 1]) + content[place + 1 :]


@pytest.mark.parametrize("how", DAMAGE)
@pytest.mark.parametrize("name", FILES)
def test_damage_is_noticed_when_loading(graph_copy: Path, name: str, how: str) -> None:
    path = graph_copy / name
    sound = path.read_bytes()
    path.write_bytes(DAMAGE[how](sound))
    if path.read_bytes() == sound:
        pytest.skip("too small for that")
    with pytest.raises(BrokenGraph):
        EmbeddingGraph(graph_copy)


@pytest.mark.parametrize("name", FILES)
def test_a_missing_file_and_one_of_another_model_are_noticed(
    graph_copy: Path, other_graph: Path, name: str
) -> None:
    if name != TOKENIZER:  # which both have in common
        shutil.copyfile(other_graph / name, graph_copy / name)
        with pytest.raises(BrokenGraph):
            EmbeddingGraph(graph_copy)
    (graph_copy / name).unlink()
    with pytest.raises(BrokenGraph):
        EmbeddingGraph(graph_copy)


def test_a_sound_graph_of_another_model_is_not_taken_for_this_one(
    other_graph: Path, graph_copy: Path, tmp_path: Path
) -> None:
    shutil.rmtree(graph_copy)
    shutil.copytree(other_graph, graph_copy)
    embedder = Embedder(None, tmp_path)
    embedder.load_ahead()
    with pytest.raises(RuntimeError):  # it has to be exported first
        embedder.embed_query("anything")


def test_a_damaged_compiled_model_is_compiled_again(graph_copy: Path, tmp_path: Path) -> None:
    embedder = Embedder(None, tmp_path)
    embedder.prepare(CancelToken())
    vector = embedder.embed_query("anything")
    (compiled,) = graph_copy.parent.glob("*.compiled")
    sound = compiled.read_bytes()
    for damage in ("emptied", "cut", "cut by a little", "zeros", "a bit near the end"):
        embedder.close()
        compiled.unlink()
        compiled.write_bytes(DAMAGE[damage](sound))
        embedder.prepare(CancelToken())
        assert (embedder.embed_query("anything") == vector).all(), damage
    assert [*graph_copy.parent.glob("*.compiled")] == [compiled]
