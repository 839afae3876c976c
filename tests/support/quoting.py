"""Items and saved answers that rest on sentences of a library, whose files are then changed."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from app.domain.cancel import CancelToken
from app.domain.conversations import ExchangeState
from app.domain.scope import Scope, only_course
from app.domain.sources import Citation, Source, SourceState
from app.features.study.model.items import NewItem, QuoteState
from app.features.study.model.names import ItemKind, ItemText
from tests.support.study import study_of

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from app.core.rag_system import RAGSystem

LESSON_1 = """\
# The mean

The mean is the sum of all values divided by their number. One very large value pulls it upwards.
A mean of whole numbers need not be a whole number itself.

The mean of a sample estimates the mean of the population. Incomes are rarely described by it.
"""
LESSON_2 = """\
# The median

The median is the value in the middle of the sorted values. Half of all values are at most as large.
A single outlier cannot move it far. Round off only at the end.
"""
LESSON_3 = """\
# Spread

The range is the largest value minus the smallest. Round off only at the end.
The variance is the mean of the squared deviations. Its square root is the standard deviation.
"""
COURSE = "Statistics"


def write_lessons(folder: Path) -> Path:
    """Write a course of three lessons into a folder of its own; return that, with all links resolved."""
    place = folder / COURSE
    place.mkdir(parents=True)
    for number, text in enumerate((LESSON_1, LESSON_2, LESSON_3), 1):
        (place / f"Lesson {number}.md").write_text(text, encoding="utf-8", newline="\n")
    return place.resolve()


def edit(path: Path, old: str, new: str) -> None:
    """Replace what stands in a file once."""
    text = path.read_text(encoding="utf-8")
    assert old in text
    path.write_text(text.replace(old, new, 1), encoding="utf-8", newline="\n")


@dataclass(slots=True)
class Quoting:
    """Quotes sentences of a course, each in an item and in a saved answer."""

    rag: RAGSystem
    conversation: int = 0

    def quote(self, sentence: str, course: str = COURSE) -> None:
        """Make a card and an answer that rest on a sentence, in a chat of all of them."""
        source, start = self.source_with(sentence, course)
        end = start + len(sentence)
        item = NewItem(ItemKind.CARD, ItemText("What?", sentence), source, start, end, sentence)
        repository = study_of(self.rag).repository
        repository.add(repository.deck_of(course), [item])
        sessions = self.rag.conversations
        self.conversation = self.conversation or sessions.create_session()
        claim = f"It is so: {sentence}"
        cited = Citation(1, 0, len(claim), start, end, sentence, verified=True)
        asked = sessions.begin_exchange(self.conversation, f"Is it true? {sentence}", Scope(), "model")
        sessions.save(
            replace(asked, answer=claim, state=ExchangeState.DONE, sources=(source,), citations=(cited,))
        )

    def source_with(self, sentence: str, course: str = COURSE) -> tuple[Source, int]:
        """Return the passage of a course with a sentence, and where that begins."""
        hits = self.rag.search.whole(only_course(course), 1_000_000)
        hit = next(one for one in hits if sentence in one.text)
        return self.rag.search.make_source(1, hit), hit.start + hit.text.index(sentence)

    def check(self) -> None:
        for _ in study_of(self.rag).stale.check(CancelToken()):
            pass

    def states(self) -> dict[str, SourceState]:
        """Return how the source of each answer is marked, by the sentence that it cites."""
        found = {}
        for one in self.rag.conversations.exchanges(self.conversation):
            states = {source.n: self.rag.search.source_state(source) for source in one.sources}
            study_of(self.rag).stale.correct_states(one.id, states)
            found[one.citations[0].cited_text] = states[1]
        return found

    def stale(self) -> dict[str, str | None]:
        """Look where all quotes stand now; return the stale ones, with what has taken their places.

        Items and answers must agree, unless the items are in the trash with their course.
        """
        self.check()
        entries = study_of(self.rag).stale.entries()
        found: tuple[dict[str, str | None], ...] = {}, {}
        for one in entries:  # an item follows changes of white space
            found[one.item_id is None][" ".join(one.quote.split())] = one.now or None
        items, answers = found
        assert items == answers or not study_of(self.rag).decks(), (items, answers)
        return answers

    def places(self) -> dict[str, tuple[str, int | None, str]]:
        """Return the course, the lesson and the file's name of each item whose quote stands, by that."""
        found = {}
        for item in study_of(self.rag).items():
            if item.state is not QuoteState.CURRENT:
                continue
            hit = item.source.hit
            text = self.rag.catalog.documents.text(hit.document_id).text
            assert text[item.start : item.end] == item.quote == item.source.text(item.start, item.end)
            name = hit.path.replace("\\", "/").rpartition("/")[2]
            found[item.quote] = (hit.course_title, hit.lesson_number, name)
        return found

    def quote_all(self, sentences: Sequence[str]) -> None:
        for sentence in sentences:
            self.quote(sentence)
