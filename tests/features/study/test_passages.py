"""Which passages are asked about, from real files in a real library."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from app.core.documents.text.languages import common_words
from app.domain.conversations import Exchange, ExchangeState
from app.domain.messages import Message
from app.domain.scope import Scope, only_course
from app.domain.sources import Citation
from app.features.study.passages import Passage, choose, says_something, touched_by
from tests.support.courses import ingest
from tests.support.study import BREAD_TITLE, SCALE, STARTER, TIDES_TITLE, item_on, study_of

if TYPE_CHECKING:
    from pathlib import Path

    from app.core.rag_system import RAGSystem

PROSE = "The river carries sand and gravel from the mountains down to the sea, year after year."


def passage(key: int, lesson: int, length: int = 100, document: int = 1) -> Passage:
    start = key * 1000
    prose = ((start, start + length),)
    return Passage(key, document, "Course", lesson, "", start, start + 1000, "x" * 1000, prose, "en")


def write(folder: Path, name: str, text: str) -> Path:
    folder.mkdir(exist_ok=True)
    (folder / name).write_text(text, encoding="utf-8", newline="\n")
    return folder


@pytest.mark.parametrize(
    "line",
    [
        "passages[index].weight = max(text.count(word), len(passages[index - 1].words), 1)",
        "| one | of the | rows of a table | with words |",
        "3.2 The structure of the atom . . . . . . . . . . . . 41",
        "# The heading of a section that is about something",
        "Adams, Baker, Clark, Davis, Evans, Frank, Ghosh, Hills",
        "Good morning.",
    ],
)
def test_what_is_no_prose_is_not_asked_about(line: str) -> None:
    assert not says_something(line, common_words("en"))


@pytest.mark.parametrize(
    ("line", "language"),
    [
        (PROSE, "en"),
        (
            "In 1998, Weiss et al. (1999; 12:33) showed that the membrane is open to water and small ions.",
            "en",
        ),
        ("Der Fluss trägt Sand und Kies aus den Bergen hinunter bis zum Meer.", "de"),
        ("El río lleva arena y grava desde las montañas hasta el mar.", "es"),
        ("光合作用は、植物が光のエネルギーを使って糖を作る働きであり、葉緑体の中で起こるものである。", "ja"),
    ],
)
def test_prose_is_asked_about(line: str, language: str) -> None:
    assert says_something(line, common_words(language))


def test_passages_come_in_the_order_of_the_course_and_only_of_the_scope(rag: RAGSystem) -> None:
    found = study_of(rag).passages.read(Scope(courses=(BREAD_TITLE,)))
    assert [(one.course_title, one.lesson_number) for one in found] == [(BREAD_TITLE, n) for n in (0, 1, 2)]
    lesson = study_of(rag).passages.read(Scope(lessons=((BREAD_TITLE, 1), (TIDES_TITLE, 2))))
    assert [(one.course_title, one.lesson_number) for one in lesson] == [(BREAD_TITLE, 1), (TIDES_TITLE, 2)]
    assert [one.sentence(one.prose[0]) for one in found[:2]] == [SCALE, STARTER]
    source = study_of(rag).passages.source(found[1])
    assert source is not None
    assert source.texts[0] == STARTER
    assert source.n == 1


def test_a_line_that_every_page_repeats_is_not_asked_about(rag: RAGSystem, tmp_path: Path) -> None:
    footer = "Download this chapter for free from the site of the publisher."
    pages = [
        f"Lesson {n}: Part {n}\n{PROSE} The sand of part {n} is left at the mouth of the river.\n\n{footer}\n"
        for n in range(5)
    ]
    ingest(rag, write(tmp_path / "rivers", "rivers.txt", "Course Title: Rivers\n\n" + "\n".join(pages)))
    found = study_of(rag).passages.read(only_course("Rivers"))
    said = [one.sentence(span) for one in found for span in one.prose]
    assert said == [
        f"The sand of part {n} is left at the mouth of the river." for n in range(5)
    ]  # the first repeats, too


def test_a_lesson_without_a_sentence_to_ask_about_says_so(rag: RAGSystem, tmp_path: Path) -> None:
    table = "| year | born | died |\n|---|---|---|\n" + "| 1999 | 12 | 13 |\n" * 30
    ingest(rag, write(tmp_path / "Odd", "table.md", table))
    scope = only_course(next(title for title in rag.search.titles() if title not in OWN))
    assert study_of(rag).passages.read(scope) == ()
    said = study_of(rag).passages.remark(scope, None, has_passages=False)
    assert said == Message("study.nothing_to_ask")


OWN = {BREAD_TITLE, TIDES_TITLE, "A Short History of Ink"}


def test_chosen_passages_are_spread_over_the_lessons_and_within_them() -> None:
    lessons = [1] * 60 + [2] * 30 + [3] * 9 + [4]
    passages = [passage(key, lesson) for key, lesson in enumerate(lessons)]
    chosen = choose(passages, 20)
    counts = [sum(one.lesson_number == n for one in chosen) for n in (1, 2, 3, 4)]
    assert counts == [11, 6, 2, 1]  # each at least one, the rest by their length
    keys = [one.key for one in chosen if one.lesson_number == 1]
    assert max(b - a for a, b in zip([-1, *keys], [*keys, 60], strict=True)) <= 11
    assert [one.lesson_number for one in choose(passages, 2)] == [1, 2]  # fewer than there are lessons


def test_of_neighbours_the_one_that_says_most_is_chosen() -> None:
    passages = [passage(key, 1, 900 if key % 5 == 3 else 100) for key in range(20)]
    assert [one.key for one in choose(passages, 4)] == [3, 8, 13, 18]


def test_passages_that_are_not_covered_come_first() -> None:
    passages = [passage(key, key // 10) for key in range(30)]
    covered = set(range(15))
    assert {one.key for one in choose(passages, 15, covered)} == set(range(15, 30))
    more = choose(passages, 18, covered)
    assert len(more) == 18
    assert [one.key for one in more] == sorted(one.key for one in more)
    assert choose(passages, 99, covered) == tuple(passages)
    assert choose([], 5) == choose(passages, 0) == ()


def test_a_long_lesson_is_chosen_from_at_once() -> None:
    passages = [passage(key, 1) for key in range(20_000)]
    assert len(choose(passages, 500, range(0, 20_000, 2))) == 500
    places = [(1, key * 1000 + 10, key * 1000 + 20) for key in range(20_000)]
    assert len(touched_by(passages, places)) == 20_000


def test_a_quote_covers_the_passage_that_holds_its_middle() -> None:
    passages = [passage(0, 1), passage(1, 1), passage(0, 1, document=2)]
    assert touched_by(passages, [(1, 900, 1050)]) == {0}
    assert touched_by(passages, [(1, 950, 1100)]) == {1}
    assert touched_by(passages, [(3, 10, 20), (1, 5000, 5010)]) == frozenset()


def test_of_a_chat_the_passages_are_taken_that_its_answers_cite(rag: RAGSystem) -> None:
    item = item_on(rag, BREAD_TITLE, STARTER)
    cited = Citation(1, 0, 5, item.start, item.end, item.quote, verified=True)
    wrong = Citation(1, 0, 5, 0, 9, "", verified=False)
    exchange = Exchange(
        1, None, "?", "Wild.", ExchangeState.DONE, sources=(item.source,), citations=(cited, wrong)
    )
    (found,) = study_of(rag).passages.cited([exchange])
    assert found.lesson_number == 1
    assert study_of(rag).passages.cited([]) == ()
