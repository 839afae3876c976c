"""Compares a typed answer with the right one; case, accents, punctuation and articles do not count.

In an answer that is code or a formula, operators do.
"""

import re
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from typing import NamedTuple

from app.core.documents.text.languages import ARTICLES
from app.domain.words import folded

Span = tuple[int, int]
# A number with its sign, a word, or any other sign.
_TOKEN = re.compile(r"(?<!\w)[-\u2212]?[0-9]++(?:[.,][0-9]++)*+(?!\w)|\w++|[^\w\s]")
_IGNORED = frozenset(".,;:!?¿¡\"'`*_$()[]{}-\u2013\u2014\u2212\u2018\u2019\u201a\u201c\u201d\u201e«»‹›…")
_OPERATORS = frozenset("-*\u2212")
_EXACT = re.compile(r"`[^`]++`|\$\$?+[^$]++\$\$?")  # nothing but code or a formula, as Markdown writes them


class _Token(NamedTuple):
    text: str  # folded
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Comparison:
    """What differs between what was typed and an answer, as spans of each; nothing where they agree."""

    answer: str  # as it is read
    wrong: tuple[Span, ...]  # of what was typed
    missing: tuple[Span, ...]  # of the answer

    @property
    def is_right(self) -> bool:
        return not self.wrong and not self.missing


def compare(typed: str, answers: Sequence[str], read: Callable[[str], str] = str) -> Comparison:
    """Compare with the nearest of the right answers, of which there is at least one.

    ``read`` returns what is read of an answer, such as without the signs of Markdown.
    """
    found = [_compared(typed, answer, read) for answer in answers]
    return min(found, key=lambda one: sum(end - start for start, end in (*one.wrong, *one.missing)))


def _compared(typed: str, answer: str, read: Callable[[str], str]) -> Comparison:
    ignored = _IGNORED - _OPERATORS if _EXACT.fullmatch(answer.strip()) else _IGNORED
    answer = read(answer)
    ours, theirs = _tokens(typed, ignored), _tokens(answer, ignored)
    if not theirs:  # nothing but signs that do not count elsewhere
        same = typed.split() == answer.split()
        return Comparison(answer, () if same else _whole(typed), () if same else _whole(answer))
    matcher = SequenceMatcher(None, [one.text for one in ours], [one.text for one in theirs], autojunk=False)
    wrong: list[Span] = []
    missing: list[Span] = []
    for kind, first, last, start, end in matcher.get_opcodes():
        if kind == "equal":
            continue
        wrong += _joined(ours[first:last])
        missing += _joined(theirs[start:end])
    return Comparison(answer, tuple(wrong), tuple(missing))


def _joined(tokens: Sequence[_Token]) -> Iterator[Span]:
    """Yield the span from the first to the last of neighbouring tokens."""
    if tokens:
        yield tokens[0].start, tokens[-1].end


def _whole(text: str) -> tuple[Span, ...]:
    return ((0, len(text)),) if text else ()


def _tokens(text: str, ignored: Collection[str]) -> list[_Token]:
    found = [_Token(_read(match[0]), *match.span()) for match in _TOKEN.finditer(text)]
    found = [token for token in found if token.text not in ignored]
    return found[1:] if len(found) > 1 and found[0].text in ARTICLES else found


def _read(token: str) -> str:
    if token == "\u2212" or token.lstrip("-\u2212")[:1].isdigit():
        return token.replace("\u2212", "-").replace(",", ".")
    return folded(token)
