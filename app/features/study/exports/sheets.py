"""Study guides, quizzes and glossaries in Markdown, with the quoted sentences as footnotes."""

import string
from collections.abc import Callable, Iterable
from itertools import groupby

from app.core.conversations.markdown_export import harmless_markdown, literal_line, with_closed_code
from app.domain.messages import Message
from app.features.study.exports.wording import lesson, options, source, to_plain
from app.features.study.kinds import KINDS
from app.features.study.model.items import REMARKS, Deck, Item, Sheet
from app.features.study.model.names import ExportFormat
from app.markup.markdown_blocks import split_blocks

Say = Callable[[Message], str]

_LINE = "\\_" * 30  # to write on


def sheet_of(
    decks: list[tuple[Deck, list[Item]]], form: ExportFormat, say: Say, *, with_answers: bool
) -> Sheet:
    """Return what is printed; ``say`` translates its few words."""
    title = say(Message(f"study_export.{form}"))
    parts: list[str] = []
    for deck, items in decks:
        notes = _Notes(say)
        head = [f"# {literal_line(deck.course_title)}", f"*{title}*"]
        if form is ExportFormat.QUIZ:
            parts.append(_joined([*head, *_questions(items)]))
            if with_answers:
                answers = [f"## {say(Message('study_export.answers'))}", *_answers(items, notes)]
                parts.append(_joined([*answers, *notes.texts]))
            continue
        if form is ExportFormat.GUIDE:
            body = _sections(items, notes)
        else:
            body = _terms(items, notes) if form is ExportFormat.GLOSSARY else _marks(items, say)
        parts.append(_joined([*head, *body, *notes.texts]))
    return Sheet(title, tuple(parts))


class _Notes:
    """Numbers footnotes; items that rest on the same sentence share one."""

    def __init__(self, say: Say) -> None:
        self._say = say
        self._numbers: dict[str, int] = {}

    def mark(self, item: Item) -> str:
        remark = REMARKS.get(item.state)
        quoted = self._say(Message("conversations.quoted", text=literal_line(item.quote)))
        parts = [f"{literal_line(source(item))}.", quoted, f"*{self._say(remark)}*" if remark else ""]
        return f"[^{self._numbers.setdefault(' '.join(filter(None, parts)), len(self._numbers) + 1)}]"

    @property
    def texts(self) -> list[str]:
        return [f"[^{number}]: {text}" for text, number in self._numbers.items()]


def _sections(items: list[Item], notes: _Notes) -> Iterable[str]:
    """Give the study guide: lessons, their sections, and the claims of each."""
    for place, own in groupby(items, lambda item: lesson(item.source.hit)):
        if place:
            yield f"## {literal_line(place)}"
        sections: dict[str, list[Item]] = {}
        for item in own:
            sections.setdefault(literal_line(to_plain(item.text.front)), []).append(item)
        for heading, points in sections.items():
            if heading:
                yield f"### {heading}"
            yield "\n".join(f"- {_inner(point.text.back)} {notes.mark(point)}" for point in points)


def _terms(items: list[Item], notes: _Notes) -> Iterable[str]:
    for item in sorted(items, key=lambda item: to_plain(item.text.front).casefold()):
        term = literal_line(to_plain(item.text.front))
        yield f"**{term}** – {_inner(item.text.back)} {notes.mark(item)}"


def _marks(items: list[Item], say: Say) -> Iterable[str]:
    """Give by lesson what is marked, as quotations, each with its note."""
    for place, own in groupby(items, lambda item: lesson(item.source.hit)):
        if place:
            yield f"## {literal_line(place)}"
        for item in own:
            remark = REMARKS.get(item.state)
            yield "> " + _block(item.text.front).replace("\n", "\n> ")
            yield from filter(None, (f"*{say(remark)}*" if remark else "", _block(item.text.back)))


def _questions(items: list[Item]) -> Iterable[str]:
    for number, item in enumerate(items, 1):
        yield _numbered(number, item.text.front)
        if KINDS[item.kind].has_choices:
            named = zip(string.ascii_uppercase, options(item), strict=False)
            yield "\n".join(f"- {letter}) {_inner(option)}" for letter, option in named)
        else:
            yield _LINE


def _answers(items: list[Item], notes: _Notes) -> Iterable[str]:
    for number, item in enumerate(items, 1):
        answer = item.text.back
        if KINDS[item.kind].has_choices:
            answer = f"{string.ascii_uppercase[options(item).index(answer)]}) {answer}"
        else:
            answer = " / ".join((answer, *item.text.others))
        yield f"{_numbered(number, answer)} {notes.mark(item)}"
        if item.text.explanation.strip():
            yield _block(item.text.explanation)


def _numbered(number: int, text: str) -> str:
    block = _block(text)
    begins_with_words = all(first.kind == "paragraph" for first in split_blocks(block)[:1])
    return f"**{number}.**" + (" " if begins_with_words else "\n\n") + block


def _block(text: str) -> str:
    return harmless_markdown(with_closed_code(text.strip()))


def _inner(text: str) -> str:
    """Return Markdown that stands inside an item of a list."""
    return _block(text).replace("\n", "\n  ")


def _joined(blocks: Iterable[str]) -> str:
    return "\n\n".join(blocks) + "\n"
