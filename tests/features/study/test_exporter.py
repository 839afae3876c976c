"""Decks of a library are written to files, whole or not at all."""

from __future__ import annotations

import csv
import sqlite3
import time
import zipfile
from contextlib import closing
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from app.domain.errors import UserError
from app.features.study.model.items import StudyExport
from app.features.study.model.names import ExportFormat, ItemKind
from app.features.study.model.reviews import Rating
from tests.support.courses import ingest, library, write_courses
from tests.support.study import BREAD_TITLE, MOON, SCALE, STARTER, TIDES_TITLE, add_item, study_of

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from app.core.rag_system import RAGSystem
    from tests.support.courses import KeptEmbedder


@pytest.fixture
def rag(tmp_path: Path, embedder: KeptEmbedder) -> Iterator[RAGSystem]:
    with library(tmp_path / "data", embedder, index=False) as opened:
        ingest(opened, write_courses(tmp_path / "courses"))
        yield opened


def test_only_the_chosen_decks_are_written_in_the_order_of_the_course(rag: RAGSystem, tmp_path: Path) -> None:
    for sentence in (STARTER, SCALE):
        add_item(rag, BREAD_TITLE, sentence)
    add_item(rag, TIDES_TITLE, MOON)
    bread = study_of(rag).repository.deck_of(BREAD_TITLE)

    assert study_of(rag).exports.write(StudyExport((bread,), ExportFormat.CSV), tmp_path / "bread.csv") == 2

    with (tmp_path / "bread.csv").open(encoding="utf-8-sig", newline="") as file:
        assert [row["quote"] for row in csv.DictReader(file)] == [SCALE, STARTER]


def test_what_cannot_be_written_is_told_in_one_sentence_and_leaves_nothing(
    rag: RAGSystem, tmp_path: Path
) -> None:
    add_item(rag, BREAD_TITLE, STARTER, ItemKind.CARD)
    decks = (study_of(rag).repository.deck_of(BREAD_TITLE), 99)
    for form in (ExportFormat.MOODLE, ExportFormat.GUIDE, ExportFormat.GLOSSARY):
        with pytest.raises(UserError, match="The chosen decks hold nothing of that kind yet"):
            study_of(rag).exports.write(StudyExport(decks, form), tmp_path / "none")
    with pytest.raises(UserError, match="could not be written to"):
        study_of(rag).exports.write(StudyExport(decks, ExportFormat.CSV), tmp_path / "no folder" / "deck.csv")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["courses", "data"]


def test_items_whose_course_is_gone_can_be_given_away(rag: RAGSystem, tmp_path: Path) -> None:
    study_of(rag).move([add_item(rag, BREAD_TITLE, STARTER)], TIDES_TITLE)
    deck = study_of(rag).repository.deck_of(TIDES_TITLE)
    (tmp_path / "courses" / "bread.txt").unlink()
    ingest(rag, tmp_path / "courses")

    study_of(rag).exports.write(StudyExport((deck,), ExportFormat.CSV), tmp_path / "deck.csv")

    assert STARTER in (tmp_path / "deck.csv").read_text(encoding="utf-8-sig")


def test_anki_is_given_what_was_learnt_and_when_an_item_was_changed(rag: RAGSystem, tmp_path: Path) -> None:
    learnt, changed = (add_item(rag, BREAD_TITLE, sentence) for sentence in (STARTER, SCALE))
    before = study_of(rag).item(changed)
    assert before is not None
    study_of(rag).reviews.rate(learnt, Rating.GOOD, 2.5)
    rag.database.write("UPDATE items SET changed_at = 1000.0", [()])
    study_of(rag).edit(changed, replace(before.text, back="Grams"))
    deck = study_of(rag).repository.deck_of(BREAD_TITLE)

    study_of(rag).exports.write(
        StudyExport((deck,), ExportFormat.ANKI, with_schedule=True), tmp_path / "bread.apkg"
    )

    with zipfile.ZipFile(tmp_path / "bread.apkg") as package, closing(sqlite3.connect(":memory:")) as found:
        found.deserialize(package.read("collection.anki2"))
        query = "SELECT n.guid, n.mod, c.reps FROM notes AS n JOIN cards AS c ON c.nid = n.id"
        rows = {guid: (mod, reps) for guid, mod, reps in found.execute(query)}
        ratings = found.execute("SELECT ease, time FROM revlog").fetchall()
    assert rows[before.uid] == (pytest.approx(time.time(), abs=60), 0)
    assert sorted(rows.values())[0] == (1000, 1)
    assert ratings == [(3, 2500)]
