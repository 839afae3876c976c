from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import threading
import time
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import pytest

from app.core.embedding.embedder import Embedder
from app.core.embedding.graph import GRAPH, EmbeddingGraph
from app.core.embedding.model_files import DEFAULT_SHA256, find_model
from app.domain.cancel import Cancelled, CancelToken
from app.domain.errors import ModelMissing

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

PASSAGES = [
    f"Passage {number}: " + "the library of Alexandria held scrolls on every subject. " * (number % 13)
    for number in range(40)
]


@pytest.fixture(scope="module")
def embedder(model_cache: Path) -> Iterator[Embedder]:
    embedder = Embedder(None, model_cache)
    embedder.prepare(CancelToken())
    yield embedder
    embedder.close()


@pytest.fixture
def graph_copy(embedder: Embedder, model_cache: Path, tmp_path: Path) -> Path:
    """A copy of the exported model, for a cache directory ``tmp_path`` of its own."""
    copy = find_model(None, tmp_path).graph
    shutil.copytree(find_model(None, model_cache).graph, copy)
    return copy


def cosine(one: np.ndarray, other: np.ndarray) -> float:
    return float(np.dot(one, other) / (np.linalg.norm(one) * np.linalg.norm(other)))


def test_names_the_model_without_loading_it(tmp_path: Path) -> None:
    embedder = Embedder(None, tmp_path)
    assert embedder.model_id == f"all-MiniLM-L6-v2@{DEFAULT_SHA256[:12]}"
    assert embedder.dimension == 384
    assert list(tmp_path.iterdir()) == []


def test_a_question_lies_nearer_to_its_answer(embedder: Embedder) -> None:
    question = embedder.embed_query("How do plants make sugar?")
    near, far = embedder.embed_passages(
        [
            "Photosynthesis turns light and water into glucose.",
            "The treaty was signed in 1648.",
        ],
        CancelToken(),
    )
    assert question.shape == (384,)
    assert question.dtype == np.float32
    assert cosine(question, near) > cosine(question, far) + 0.3


def test_vectors_come_in_the_order_of_the_texts(embedder: Embedder) -> None:
    vectors = embedder.embed_passages(PASSAGES, CancelToken())
    assert vectors.shape == (len(PASSAGES), 384)
    assert vectors.dtype == np.float32
    for text, vector in zip(PASSAGES, vectors, strict=True):
        (alone,) = embedder.embed_passages([text], CancelToken())
        assert cosine(alone, vector) > 0.9999
        assert cosine(embedder.embed_query(text), vector) > 0.998


def test_no_texts_give_no_vectors(embedder: Embedder) -> None:
    assert embedder.embed_passages([], CancelToken()).shape == (0, 384)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "   \n\t ",
        "😀🎉",
        "\ud800",
        "a\udc00b",
        "\0\0",
        "\u200b",
        "x" * 1_000_000,
        "no end " * 150_000,
        " " * 1_000_000,
    ],
    ids=["empty", "spaces", "emoji", "surrogate", "between", "nul", "invisible", "one word", "long", "void"],
)
def test_any_text_has_a_vector_of_length_one(embedder: Embedder, text: str) -> None:
    vector = embedder.embed_query(text)
    assert vector.shape == (384,)
    assert abs(float(np.linalg.norm(vector)) - 1) < 1e-3
    assert cosine(embedder.embed_passages([text], CancelToken())[0], vector) > 0.99


def test_spaces_are_like_nothing_and_a_surrogate_pair_like_its_character(embedder: Embedder) -> None:
    assert cosine(embedder.embed_query("  "), embedder.embed_query("")) > 0.9999
    assert (
        cosine(embedder.embed_query("caf\u00e9 \ud83d\ude00"), embedder.embed_query("caf\u00e9 😀")) > 0.9999
    )


def test_a_text_is_truncated_where_the_model_ends(embedder: Embedder) -> None:
    # 256 tokens, two of which mark beginning and end.
    read = "apple " * 254
    assert cosine(embedder.embed_query(read + "quantum physics " * 100), embedder.embed_query(read)) > 0.99999
    assert (
        cosine(embedder.embed_query("apple " * 200 + "quantum physics " * 20), embedder.embed_query(read))
        < 0.999
    )


def test_a_megabyte_costs_little_more_than_what_is_read_of_it(embedder: Embedder) -> None:
    def least_seconds(text: str) -> float:
        times = []
        for _ in range(5):
            started = time.process_time()
            embedder.embed_query(text)
            times.append(time.process_time() - started)
        return min(times)

    assert least_seconds("word " * 400_000) < 5 * least_seconds("word " * 400)


class WatchedToken(CancelToken):
    """Calls a function after the second check: the first precedes tokenizing, the second a batch."""

    def __init__(self, after_second: Callable[[], None]) -> None:
        super().__init__()
        self.checks = 0
        self._after_second = after_second

    def check(self) -> None:
        super().check()
        self.checks += 1
        if self.checks == 2:
            self._after_second()


def test_cancelling_stops_after_the_batch_at_hand(embedder: Embedder) -> None:
    token = WatchedToken(lambda: token.cancel())
    with pytest.raises(Cancelled):
        embedder.embed_passages(PASSAGES, token)
    assert token.checks == 2
    assert embedder.embed_passages(PASSAGES[:9], CancelToken()).shape == (9, 384)


def test_the_token_is_checked_before_every_batch(embedder: Embedder) -> None:
    token = WatchedToken(lambda: None)
    embedder.embed_passages(PASSAGES, token)
    assert token.checks > len(PASSAGES) / 20


def test_an_error_between_batches_comes_through_and_harms_nothing(embedder: Embedder) -> None:
    def fail() -> None:
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        embedder.embed_passages(PASSAGES, WatchedToken(fail))
    assert embedder.embed_passages(PASSAGES[:9], CancelToken()).shape == (9, 384)


def test_questions_are_answered_while_passages_are_read(embedder: Embedder) -> None:
    alone = embedder.embed_query("What did the scrolls say?")
    reading = threading.Event()
    vectors: list[np.ndarray] = []

    def read() -> None:
        texts = ["A long passage about the history of writing. " * 30] * 64
        vectors.append(embedder.embed_passages(texts, WatchedToken(reading.set)))

    reader = threading.Thread(target=read)
    reader.start()
    assert reading.wait(60)
    answered = 0
    while reader.is_alive():
        assert cosine(embedder.embed_query("What did the scrolls say?"), alone) > 0.99999
        answered += 1
    reader.join()
    assert vectors[0].shape == (64, 384)
    # Some thirty batches were left, and no question waits for more than one of them.
    assert answered > 15


def test_several_threads_embed_at_once(embedder: Embedder) -> None:
    expected = embedder.embed_passages(PASSAGES, CancelToken())
    results: dict[int, np.ndarray] = {}

    def read(number: int) -> None:
        results[number] = embedder.embed_passages(PASSAGES[number:], CancelToken())

    threads = [threading.Thread(target=read, args=(number,)) for number in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    for number, vectors in results.items():
        assert float((vectors * expected[number:]).sum(axis=1).min()) > 0.9999
    assert len(results) == 3


@pytest.mark.skipif(sys.platform != "linux", reason="reads the resident memory from /proc")
def test_memory_does_not_grow_with_every_new_length(model_cache: Path) -> None:
    graph = EmbeddingGraph(find_model(None, model_cache).graph)

    def megabytes_after(lengths: range) -> float:
        for length in lengths:
            graph.embed_query("a " * length)
        pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[1])
        return pages * os.sysconf("SC_PAGE_SIZE") / 2**20

    before = megabytes_after(range(8, 130, 8))
    assert megabytes_after(range(1, 126)) - before < 60


def test_loads_ahead_what_needs_no_exporting_and_nothing_else(model_cache: Path, tmp_path: Path) -> None:
    ready = Embedder(None, model_cache)
    ready.load_ahead()
    assert ready.embed_query("what is a vector?").shape == (384,)
    ready.close()
    missing = Embedder(None, tmp_path)
    missing.load_ahead()
    with pytest.raises(RuntimeError, match="prepare"):
        missing.embed_query("what is a vector?")
    assert not any(tmp_path.rglob("*"))


def test_must_be_prepared_first_and_can_be_prepared_again(model_cache: Path) -> None:
    embedder = Embedder(None, model_cache)
    with pytest.raises(RuntimeError, match="prepare"):
        embedder.embed_query("too early")
    threads = [threading.Thread(target=embedder.prepare, args=(CancelToken(),)) for _ in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    first = embedder.embed_query("the same")
    embedder.prepare(CancelToken())
    embedder.close()
    with pytest.raises(RuntimeError, match="prepare"):
        embedder.embed_query("too late")
    embedder.prepare(CancelToken())
    assert cosine(embedder.embed_query("the same"), first) > 0.99999


OPENED_ALONE = """
import json, os, sys
from pathlib import Path

def forbid(event, args):
    if event.startswith("socket."):
        raise RuntimeError(event)

sys.addaudithook(forbid)
from app.core.embedding.embedder import Embedder
from app.domain.cancel import CancelToken
before = sorted(sys.modules)
embedder = Embedder(None, Path(sys.argv[1]))
embedder.prepare(CancelToken())
embedder.embed_query("hello")
embedder.embed_passages(["one", "two", "three", "four", "five"], CancelToken())
loaded = [name for name, module in sys.modules.items() if module is not None]
print(json.dumps({"before": before, "loaded": loaded}))
"""


def test_loads_nothing_heavy_opens_no_socket_and_leaves_the_home_alone(
    embedder: Embedder, model_cache: Path, tmp_path: Path
) -> None:
    home = tmp_path / "home"
    home.mkdir()
    homes = {name: str(home) for name in ("HOME", "USERPROFILE", "APPDATA", "LOCALAPPDATA", "XDG_CACHE_HOME")}
    # Set, it would keep OpenVINO's telemetry quiet where the tests run.
    quiet = ("CI", "TF_BUILD", "JENKINS_URL", "GITHUB_ACTIONS", "GITLAB_CI")
    environment = {key: value for key, value in os.environ.items() if key not in quiet}
    ended = subprocess.run(
        [sys.executable, "-c", OPENED_ALONE, str(model_cache)],
        env={**environment, **homes},
        capture_output=True,
        encoding="utf-8",
        timeout=300,
        check=False,
    )
    assert ended.returncode == 0, ended.stderr
    modules = json.loads(ended.stdout)
    heavy = {
        "torch",
        "transformers",
        "sentence_transformers",
        "onnx",
        "openvino_telemetry",
        "openvino.tools.ovc",
    }
    assert heavy.isdisjoint(modules["loaded"])
    assert {"openvino", "tokenizers"}.isdisjoint(modules["before"])
    assert list(home.rglob("*")) == []


def test_a_packaged_program_uses_what_came_with_it_and_says_when_it_is_damaged(
    graph_copy: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    bundle, cache = tmp_path / "bundle", tmp_path / "cache"
    packaged = bundle / "resources" / "models" / "all-MiniLM-L6-v2"
    packaged.parent.mkdir(parents=True)
    graph_copy.rename(packaged)
    monkeypatch.setattr(sys, "frozen", True, raising=False)
    monkeypatch.setattr(sys, "_MEIPASS", str(bundle), raising=False)

    embedder = Embedder(None, cache)
    embedder.prepare(CancelToken())
    assert embedder.embed_query("packaged").shape == (384,)
    embedder.close()
    assert [path.suffix for path in (cache / "models").iterdir()] == [".compiled"]  # what OpenVINO compiled

    (packaged / GRAPH).write_bytes((packaged / GRAPH).read_bytes()[:1000])
    with pytest.raises(ModelMissing, match="Reinstall Lectern"):
        embedder.prepare(CancelToken())
    assert len([*cache.rglob("*")]) == 2


def test_questions_embedded_together_have_their_own_vectors(embedder: Embedder) -> None:
    graph = embedder.model_now()
    texts = ["What did the scrolls say?", "Sugar", "Plants make sugar of light and water. " * 7] * 6
    together = graph.embed_queries(texts, CancelToken())
    assert all(
        cosine(graph.embed_query(text), own) > 0.999 for text, own in zip(texts, together, strict=True)
    )
