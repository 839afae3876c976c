"""Files of every format: each is read once and found with its position in the file."""

from __future__ import annotations

import multiprocessing
from typing import TYPE_CHECKING

import pytest

from app.domain.scope import Scope
from tests.support.courses import ingest, library, outcome, reasons
from tests.support.format_samples import FOLDER

if TYPE_CHECKING:
    from pathlib import Path

    from tests.support.courses import KeptEmbedder

_UNREADABLE = {"protected.pdf", "scanned.pdf"}


@pytest.mark.usefixtures("own_children")
def test_every_format_is_found_with_its_place(tmp_path: Path, embedder: KeptEmbedder) -> None:
    with library(tmp_path / "library", embedder, index=False) as rag:
        done = ingest(rag, FOLDER)
        expected = {path.name: "failed" if path.name in _UNREADABLE else "added" for path in FOLDER.iterdir()}
        assert outcome(done.files) == expected
        assert (reasons(done.files)["scanned.pdf"] or "").startswith(
            "scanned.pdf contains no text; its pages"
        )
        assert not [child for child in multiprocessing.active_children() if child.name == "lectern-reader"]
        for question, name, anchor in (
            ("How many kilometres does the arctic tern fly?", "slides.pptx", {"slide": 3}),
            ("Which sentence stands on page three alone? Chapter three", "running lines.pdf", {"page": 3}),
        ):
            hit = rag.search.retrieve(question, None, None, Scope(), None).hits[0]
            assert hit.path.endswith(name)
            assert hit.anchor is not None
            assert hit.anchor.as_dict() == anchor
        assert set(outcome(ingest(rag, FOLDER).files).values()) == {"unchanged", "failed"}


@pytest.mark.parametrize("name", sorted(_UNREADABLE))
def test_an_unreadable_file_is_not_retried(tmp_path: Path, embedder: KeptEmbedder, name: str) -> None:
    with library(tmp_path / "library", embedder, index=False) as rag:
        first = reasons(ingest(rag, FOLDER / name).files)
        assert reasons(ingest(rag, FOLDER / name).files) == first
