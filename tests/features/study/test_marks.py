"""What is marked in a lesson is kept with a note, wherever the course goes and whatever its file becomes."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from app.domain.cancel import CancelToken
from app.domain.errors import LibraryUnusable, UserError
from app.domain.sources import Selection
from app.features.keeping.transfer import TransferService
from app.features.study.model.items import QuoteState, StudyExport
from app.features.study.model.names import ExportFormat, ItemKind, ItemText
from app.features.study.service import StudyService
from tests.support.courses import ingest, library
from tests.support.quoting import COURSE, Quoting, edit, write_lessons
from tests.support.study import study_of

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from app.core.rag_system import RAGSystem
    from app.features.study.model.items import Item
    from tests.support.courses import KeptEmbedder

MEAN = "The mean is the sum of all values divided by their number."
LARGE = "One very large value pulls it upwards."
RANGE = "The range is the largest value minus the smallest."


@pytest.fixture
def place(tmp_path: Path) -> Path:
    return write_lessons(tmp_path)


@pytest.fixture
def rag(place: Path, data_dir: Path, embedder: KeptEmbedder) -> Iterator[RAGSystem]:
    with library(data_dir, embedder, index=False) as opened:
        yield opened


def selected(rag: RAGSystem, text: str) -> Selection:
    source, start = Quoting(rag).source_with(text)
    return Selection(source, start, text, text)


def mark(rag: RAGSystem, text: str, note: str = "") -> Item:
    item = study_of(rag).marks.add(selected(rag, text))
    assert item is not None
    edited = study_of(rag).edit(item.item_id, ItemText(item.text.front, note))
    assert edited is not None
    return edited


def marks(rag: RAGSystem) -> dict[str, str]:
    """Return the notes of all marks by what is marked."""
    return {one.quote: one.text.back for one in study_of(rag).items(kinds=(ItemKind.MARK,))}


def test_a_mark_follows_its_course_and_its_text(
    rag: RAGSystem, place: Path, tmp_path: Path, embedder: KeptEmbedder
) -> None:
    ingest(rag, place)
    study = study_of(rag)
    mean, value = mark(rag, MEAN, "Exam!"), mark(rag, "large value pulls", "Outliers")
    assert study.marks.add(selected(rag, MEAN)) == mean, "the same is marked once"
    overlapping = mark(rag, f"{MEAN} {LARGE}")
    assert (study.decks(), study.items(), study.reviews.due().total) == ((), (), 0), "it is not learnt"
    assert study.repository.marks()[-1] == (mean.item_id, COURSE, MEAN, "Exam!")

    # Deleted and restored; renamed; to the trash and back; into another library, twice.
    study.delete([overlapping.item_id])
    assert set(marks(rag)) == {MEAN, value.quote}
    study.restore([overlapping.item_id])
    list(rag.ingest.rename_course(COURSE, "Statistics I", CancelToken()))
    entries = rag.courses.remove_courses(["Statistics I"], CancelToken())
    assert marks(rag) == {}
    list(rag.trash.restore([key for entry in entries for key in entry.documents], CancelToken()))
    found = study.items(kinds=(ItemKind.MARK,))
    assert {one.source.hit.course_title for one in found} == {"Statistics I"}
    list(rag.service(TransferService).export_library(tmp_path / "a.zip", CancelToken()))
    with library(tmp_path / "other", embedder, index=False) as other:
        for _ in range(2):
            list(other.service(TransferService).import_library(tmp_path / "a.zip", CancelToken()))
            assert (
                marks(other) == marks(rag) == {MEAN: "Exam!", value.quote: "Outliers", overlapping.quote: ""}
            )

    # It moves with its sentence; once that is gone it is kept, and said so.
    one, quoting = place / "Lesson 1.md", Quoting(rag)
    edit(one, "# The mean\n", "# The mean\n\nThis lesson is new.\n")
    edit(one, LARGE, "")
    ingest(rag, place)
    quoting.check()
    moved = study.item(mean.item_id)
    assert moved is not None
    document = moved.source.hit.document_id
    text = rag.catalog.documents.text(document).text
    assert [text[one.start : one.end] for one in study.repository.marks_in(document)] == [MEAN]
    stale = {entry.quote: (entry.state, entry.claim) for entry in study.stale.entries()}
    assert stale[value.quote] == (QuoteState.GONE, "Outliers")

    # A new sentence in its place is taken over, with the note.
    edit(one, "divided by their number", "divided by how many they are")
    ingest(rag, place)
    quoting.check()
    changed = next(entry for entry in study.stale.entries() if entry.quote == MEAN)
    study.stale.keep(changed)
    now = study.item(mean.item_id)
    assert now is not None
    assert (now.quote, now.text.back) == (MEAN.replace("their number", "how many they are"), "Exam!")
    assert now.text.front == now.quote
    one.unlink()
    ingest(rag, place)
    assert len(marks(rag)) == 3, "nothing is lost"


def test_marks_are_written_and_listed_by_lesson(rag: RAGSystem, place: Path, tmp_path: Path) -> None:
    ingest(rag, place)
    mark(rag, RANGE)
    mark(rag, MEAN, "See *page 3*.\n\nTwice.")
    exports = StudyExport(
        tuple(deck.deck_id for deck in study_of(rag).repository.decks()), ExportFormat.MARKS
    )
    assert study_of(rag).exports.write(exports, tmp_path / "marks.md") == 2
    written = (tmp_path / "marks.md").read_text(encoding="utf-8")
    assert written == (
        f"# {COURSE}\n\n*Marks*\n\n## Lesson 1: The mean\n\n> {MEAN}\n\nSee *page 3*.\n\nTwice.\n\n"
        f"## Lesson 3: Spread\n\n> {RANGE}\n"
    )


def test_what_cannot_be_marked_is_refused_in_a_sentence(
    rag: RAGSystem, place: Path, data_dir: Path, embedder: KeptEmbedder
) -> None:
    ingest(rag, place)
    study = study_of(rag)
    there = selected(rag, MEAN)

    def refused(selection: Selection) -> str:
        with pytest.raises(UserError) as raised:
            study.marks.add(selection)
        return str(raised.value)

    assert refused(there._replace(text=" \n")) == "Select a sentence first."
    assert "too long" in refused(there._replace(text="a " * 500_000))
    gone = there._replace(around="Not in there.", text="Not in there.")
    assert "not in your library" in refused(gone)
    # As on a page, whose text is another than what was read from it.
    whole = rag.search.lesson_text(there.source)
    around = there._replace(
        start=whole.start, around=whole.text, text="The  mean is\nthe sum of all val\u00adues"
    )
    found = study.marks.item_on(around, ItemKind.CARD)
    assert found.quote == found.text.back == "The mean is the sum of all values"
    # Two lessons of a file are selected; then it is read again meanwhile.
    two = place.parent / "two.txt"
    two.write_text(
        "Course Title: Two\n\nLesson 1: A\nIt is so.\n\nLesson 2: B\nIt is not.\n", encoding="utf-8"
    )
    ingest(rag, two)
    source, start = Quoting(rag).source_with("It is so.", "Two")
    both = rag.catalog.documents.text(source.hit.document_id).text[start:]
    assert "another lesson" in refused(Selection(source, start, both, both))
    edit(two, "It is so.", "First of all: it is so.")
    ingest(rag, two)
    again = study.marks.add(Selection(source, start, "it is so.", "it is so."))
    assert again is not None
    item = mark(rag, RANGE, "short")
    with pytest.raises(UserError, match="too long"):
        study.edit(item.item_id, ItemText(RANGE, "x" * 1_000_000))
    assert marks(rag)[RANGE] == "short"
    rag.close()
    with library(data_dir, embedder, index=False, read_only=True) as beside:
        selection = selected(beside, MEAN)
        with pytest.raises(LibraryUnusable):
            beside.service(StudyService).marks.add(selection)
