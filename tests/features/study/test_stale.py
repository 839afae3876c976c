"""Items and saved answers whose sentences changed are found; those whose sentences moved are followed."""

from __future__ import annotations

from dataclasses import replace
from itertools import accumulate
from typing import TYPE_CHECKING

import pytest

from app.core.documents.text.alignment import Quoted, Version
from app.domain.cancel import Cancelled, CancelToken
from app.domain.sources import SourceState
from app.features.study import automatic
from app.features.study.kinds import AUTOMATIC
from app.features.study.making import MakeRequest
from app.features.study.model.items import NewItem, QuoteState
from app.features.study.model.names import ItemKind, ItemText
from tests.support.courses import ingest, library
from tests.support.quoting import COURSE, Quoting, edit, write_lessons
from tests.support.study import study_of

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from tests.support.courses import KeptEmbedder

MEAN = "The mean is the sum of all values divided by their number."
LARGE = "One very large value pulls it upwards."
ESTIMATES = "The mean of a sample estimates the mean of the population."
INCOMES = "Incomes are rarely described by it."
MEDIAN = "The median is the value in the middle of the sorted values."
OUTLIER = "A single outlier cannot move it far."
ROUND = "Round off only at the end."
RANGE = "The range is the largest value minus the smallest."
VARIANCE = "The variance is the mean of the squared deviations."
ALL = (MEAN, LARGE, ESTIMATES, INCOMES, MEDIAN, OUTLIER, ROUND, RANGE, VARIANCE)


@pytest.fixture
def place(tmp_path: Path) -> Path:
    return write_lessons(tmp_path)


@pytest.fixture
def quoting(place: Path, tmp_path: Path, embedder: KeptEmbedder) -> Iterator[Quoting]:
    with library(tmp_path / "own", embedder, index=False) as rag:
        ingest(rag, place)
        quoting = Quoting(rag)
        quoting.quote_all(ALL)
        assert quoting.stale() == {}
        yield quoting


def test_a_series_of_edits_marks_exactly_what_it_must(quoting: Quoting, place: Path) -> None:
    """Done one after another in the same library, as in a semester."""
    rag = quoting.rag
    stale: dict[str, str | None] = {}
    one, two, three = (place / f"Lesson {number}.md" for number in (1, 2, 3))

    def change() -> None:
        ingest(rag, place)
        assert quoting.stale() == stale

    # White space and the form of quotation marks mean nothing, nor what is changed around a sentence.
    edit(one, "all values divided", "all\n   values divided")
    edit(one, "A mean of whole numbers", "A mean of “whole” numbers")
    edit(one, "# The mean", "# The arithmetic mean\n\nThis lesson is new.")
    # One says something else, one moved over a paragraph.
    stale[LARGE] = now = "One very large value pulls it down."
    edit(one, LARGE, now)
    edit(one, f"{ESTIMATES} ", "")
    edit(one, "This lesson is new.", f"This lesson is new.\n\n{ESTIMATES}")
    # One was deleted between two that stayed, one split into two, one stands twice, one in another file only.
    edit(two, f"\n{OUTLIER}", "")
    stale[OUTLIER] = None
    stale[VARIANCE] = now = "The variance is a mean. It is the mean of the squared deviations."
    edit(three, VARIANCE, now)
    edit(three, RANGE, f"{RANGE} {RANGE}")
    edit(two, ROUND, "")
    change()
    # A file was renamed, and its lesson renumbered with it; a sentence was taken into another file.
    two.rename(place / "Lesson 4.md")
    edit(one, INCOMES, "")
    edit(three, "# Spread\n", f"# Spread\n\n{INCOMES}\n")
    change()
    assert quoting.places()[MEDIAN] == (COURSE, 4, "Lesson 4.md")
    assert quoting.places()[INCOMES] == (COURSE, 3, "Lesson 3.md")
    # The course is called otherwise; then a file is renamed and edited at once.
    list(rag.ingest.rename_course(COURSE, "Numbers", CancelToken()))
    assert quoting.stale() == stale
    assert {course for course, _, _ in quoting.places().values()} == {"Numbers"}
    three = three.rename(place / "Lesson 5.md")
    edit(three, "minus the smallest", "less the smallest")
    edit(three, "minus the smallest", "less the smallest")
    stale[RANGE] = "The range is the largest value less the smallest."
    change()
    # The edits are undone; a file is removed, and restored from the trash.
    edit(one, stale.pop(LARGE) or "", LARGE)
    edit(place / "Lesson 4.md", "Half of all", f"{OUTLIER} Half of all")
    del stale[OUTLIER]
    change()
    (entry,) = rag.courses.remove_files([str(one)], CancelToken())
    assert quoting.stale() == {**stale, MEAN: None, LARGE: None, ESTIMATES: None}
    list(rag.trash.restore(entry.documents, CancelToken()))
    assert quoting.stale() == stale


def test_edited_sentences_are_found_when_paragraphs_change_places(quoting: Quoting, place: Path) -> None:
    two, three = place / "Lesson 2.md", place / "Lesson 3.md"
    less, far = RANGE.replace("minus", "less"), OUTLIER.replace("far", "very far")
    # The paragraphs of a lesson change places, and one that is edited goes to its end.
    three.write_text(
        f"# Spread\n\n{VARIANCE} Its square root is the standard deviation.\n\n{less} {ROUND}\n",
        encoding="utf-8",
    )
    edit(two, f"{OUTLIER} ", "")
    two.write_text(f"{two.read_text(encoding='utf-8')}\n\nThis is what it is for. {far}\n", encoding="utf-8")
    ingest(quoting.rag, place)
    assert quoting.stale() == {RANGE: less, OUTLIER: far}
    # What comes in the place of a deleted one says something else, and so do those that sound like it.
    edit(three, less, "Nobody knows what the largest of the values will be.")
    edit(two, far, "It cannot be said how far a single step is.")
    ingest(quoting.rag, place)
    assert quoting.stale() == {RANGE: None, OUTLIER: None}


def test_in_a_long_text_an_edited_sentence_is_found_and_no_other_taken_for_it() -> None:
    stars = ["Sirius", "Vega", "Rigel", "Deneb", "Altair", "Spica", "Mira", "Castor", "Pollux", "Capella"]
    sentences = [f"The {star} of night {night} is seen in the sky." for night in range(500) for star in stars]
    wanted = "A comet with two tails crossed the whole sky in one night of March."
    edited = wanted.replace("whole sky", "evening sky")
    quoted = Quoted(wanted, 0, (wanted,), (sentences[9],), ("It never came back.",))
    for now, expected in ((edited, edited), ("Clouds hid all of it that night.", None)):
        lines = [*sentences[:3000], now, *sentences[3000:]]
        ends = list(accumulate(len(line) + 1 for line in lines))
        version = Version(
            "\n".join(lines), [(end - len(line) - 1, end - 1) for end, line in zip(ends, lines, strict=True)]
        )
        span = version.replacement(quoted)
        assert (span and version.text[slice(*span)]) == expected


def test_what_is_kept_is_not_listed_until_it_changes_again(quoting: Quoting, place: Path) -> None:
    rag, three = quoting.rag, place / "Lesson 3.md"
    before = quoting.states()
    edit(three, "minus the smallest", "less the smallest")
    edit(three, f" {ROUND}", "")
    edit(place / "Lesson 2.md", f" {ROUND}", "")
    ingest(rag, place)
    assert quoting.stale() == {RANGE: "The range is the largest value less the smallest.", ROUND: None}
    # Only what is cited is marked, not the whole file.
    assert set(before.values()) == {SourceState.CURRENT}
    assert {quote for quote, state in quoting.states().items() if state is not SourceState.CURRENT} == {
        RANGE,
        ROUND,
    }
    for entry in study_of(rag).stale.entries():
        assert study_of(rag).stale.place_of(entry).quote == (entry.now or entry.quote)
        study_of(rag).stale.keep(entry)
    assert (quoting.stale(), study_of(rag).stale.count()) == ({}, 0)
    # The card rests on the sentence of now; without one, it stays marked.
    items = {item.text.back: item for item in study_of(rag).items()}
    less = "The range is the largest value less the smallest."
    assert items[less].quote == less, "what repeats its sentence follows it"
    assert (items[ROUND].quote, items[ROUND].state) == (ROUND, QuoteState.GONE)
    edit(three, "less the smallest", "without the smallest")
    ingest(rag, place)
    quoting.check()
    listed = {(one.exchange_id is None, one.quote, one.now) for one in study_of(rag).stale.entries()}
    now = "The range is the largest value without the smallest."
    assert listed == {(True, less, now), (False, RANGE, now)}
    assert study_of(rag).stale.count() == 2


def test_a_check_that_is_stopped_is_done_by_the_next(quoting: Quoting) -> None:
    quoting.rag.courses.remove_courses([COURSE], CancelToken())
    token = CancelToken()
    token.cancel()
    with pytest.raises(Cancelled):
        list(study_of(quoting.rag).stale.check(token))
    assert study_of(quoting.rag).stale.entries() == ()
    assert set(quoting.stale()) == set(ALL)


def test_a_check_during_which_a_file_is_replaced_is_done_by_the_next(quoting: Quoting, place: Path) -> None:
    one, rag = place / "Lesson 1.md", quoting.rag
    down, up = "One very large value pulls it down.", "One very large value pulls it far up."
    edit(one, LARGE, down)
    ingest(rag, place)

    class Meanwhile(CancelToken):
        def check(self) -> None:
            """Replace the file before its text is read."""
            if down in one.read_text(encoding="utf-8"):
                edit(one, down, up)
                ingest(rag, place)

    list(study_of(rag).stale.check(Meanwhile()))
    assert study_of(rag).stale.entries() == ()
    assert quoting.stale() == {LARGE: up}


@pytest.mark.parametrize("name", ["plants.md", pytest.param("plants.txt", marks=pytest.mark.slow)])
def test_what_repeats_a_sentence_says_the_new_one(tmp_path: Path, embedder: KeptEmbedder, name: str) -> None:
    file = tmp_path / "Plants" / name
    file.parent.mkdir()
    sentence = "Definition (thylakoid): a flattened sac inside a chloroplast* of a plant."
    file.write_text(f"# Leaves\n\n{sentence} Light is caught in its membrane.\n", encoding="utf-8")
    with library(tmp_path / "own", embedder) as rag:
        ingest(rag, file.parent)
        list(automatic.make(rag, MakeRequest(AUTOMATIC, 5), CancelToken()))
        made = {item.kind: item for item in study_of(rag).items()}
        assert set(made) == set(AUTOMATIC)
        source = made[ItemKind.TERM].source
        place = made[ItemKind.TERM].start, made[ItemKind.TERM].end, made[ItemKind.TERM].quote
        card = NewItem(ItemKind.CARD, ItemText("Which form?", "> **It is flat.**"), source, *place)
        study_of(rag).repository.add(made[ItemKind.TERM].deck_id, [card])
        edit(file, "flattened sac inside", "flat pouch within")
        ingest(rag, file.parent)
        list(study_of(rag).stale.check(CancelToken()))
        entries = study_of(rag).stale.entries()
        assert len(entries) == 3
        assert {one.claim for one in entries if one.item and one.item.kind is ItemKind.CARD} == {
            "It is flat."
        }
        said = {one.item and one.item.kind: study_of(rag).stale.keep(one) for one in entries}
        assert said == {ItemKind.TERM: False, ItemKind.CLOZE: False, ItemKind.CARD: True}
        for item in study_of(rag).items():
            assert (item.state, item.quote[:17]) == (QuoteState.CURRENT, "Definition (thyla"), item
            if item.kind is not ItemKind.CARD:
                before = made[item.kind]
                assert item.text == replace(
                    before.text,
                    front=before.text.front.replace("flattened sac inside", "flat pouch within"),
                    back=before.text.back.replace("flattened sac inside", "flat pouch within"),
                )
                assert "flat pouch within" in item.text.front + item.text.back and not item.edited
        # Without its term, a sentence gives neither: they say what they said, and one is told.
        edit(file, "thylakoid", "pouch")
        ingest(rag, file.parent)
        list(study_of(rag).stale.check(CancelToken()))
        assert [study_of(rag).stale.keep(one) for one in study_of(rag).stale.entries()] == [True] * 3
