"""A sentence with gaps, all asked at once, whatever their numbers."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from app.domain.messages import Message
from app.domain.words import words_in
from app.features.study.kinds.base import EXPLANATION, AnkiNote, Field, Kind
from app.features.study.model.names import ItemKind

if TYPE_CHECKING:
    from collections.abc import Callable

    from app.features.study.kinds.base import FactsOfPassage, Span
    from app.features.study.model.names import ItemText


_FEWEST_AROUND_GAP = 2  # words
_OPEN, _CLOSE = "\ue010", "\ue011"  # around a gap while its text becomes HTML
_MARKED_GAP = re.compile(f"{_OPEN}([^{_OPEN}{_CLOSE}]*+){_CLOSE}")


class Cloze(Kind):
    name = ItemKind.CLOZE
    fields = (
        Field("front", 600, "text", "The sentence with its gap as {{c1::the words}}.", shape="gaps"),
        EXPLANATION,
    )
    is_scheduled = True
    is_chosen_first = True
    is_automatic = True
    is_in_course_words = True
    anki = AnkiNote(1_795_000_002, ("Text",), "{{cloze:Text}}", "", shown="{{cloze:Text}}", is_cloze=True)

    def asked(self, text: ItemText) -> str:
        return with_gaps(text.front)

    def answered(self, text: ItemText) -> str:
        return ", ".join(dict.fromkeys(gaps(text.front)))

    def answers(self, text: ItemText) -> tuple[str, ...]:
        return (", ".join(gaps(text.front)),)

    def statement(self, text: ItemText) -> str:
        return filled(text.front)

    def heading(self, text: ItemText) -> str:
        return _marked(text.front)

    def question(self, text: ItemText, gap: str) -> str:
        return _marked(text.front, gap)

    def spoken(self, text: ItemText, gap: str) -> str:
        return "".join(gap if is_gap else part for part, is_gap in pieces(text.front))

    def group(self, text: ItemText) -> tuple[str, str]:
        return self.name, " ".join(words_in(" ".join(gaps(text.front)).casefold()))

    def problem(self, text: ItemText) -> Message | None:
        if not text.front:
            return Message("study.front_is_empty")
        return None if gaps(text.front) else Message("study.no_gap")

    def form_problem(self, text: ItemText) -> str:
        if not any(gaps(text.front)):
            return "There is no gap: write it as {{c1::the words}}."
        if len(with_gaps(text.front, lambda _: " ").split()) < _FEWEST_AROUND_GAP:
            return "The sentence is all gap: leave the words around it."
        return ""

    def secrets(self, text: ItemText) -> tuple[str, tuple[str, ...]]:
        return with_gaps(text.front, lambda _: " "), gaps(text.front)

    def quoted(self, text: ItemText) -> tuple[str, ...]:
        return gaps(text.front)

    def wrong(self, facts: FactsOfPassage, text: ItemText, quoted: Span) -> str:
        return facts.wrong_words(filled(text.front)) or facts.wrong_statement(filled(text.front), quoted)

    def defined(self, term: str, said: str, sentence: str) -> tuple[str, str] | None:
        front = with_gap(sentence, term)
        return (front, "") if front else None

    def anki_fields(
        self, text: ItemText, to_html: Callable[[str], str], options: tuple[str, ...]
    ) -> tuple[str, ...]:
        """Return the text with gaps that Anki asks at once: one card, as in Lectern."""
        front = text.front.translate({ord(_OPEN): None, ord(_CLOSE): None})
        if gaps(front):
            front = with_gaps(front, lambda gap: f"{_OPEN}{gap}{_CLOSE}")
        else:
            front = f"{_OPEN}{front}{_CLOSE}"

        def gap(found: re.Match[str]) -> str:
            # Two braces would end the gap, two colons begin a hint.
            inner = found[1].replace("}}", "} }").replace("::", ":&#58;")
            return f"{{{{c1::{inner}}}}}"

        return (_MARKED_GAP.sub(gap, to_html(front)),)


def _marked(front: str, gap: str = "") -> str:
    """Return Markdown with ``gap`` in the place of gaps, or what they hold, in bold where that is text."""
    shown = ""
    for text, is_gap in pieces(front):
        if is_gap:
            is_text = not (shown.count("$") % 2 or shown.count("`") % 2)
            shown += f"**{gap or text}**" if is_text and text else gap or text
        else:
            shown += text
    return shown


GAP = "[…]"
# A brace before the two that end a gap belongs to it, as in ``{{c1::x^{2}}}``.
_GAP = re.compile(r"\{\{c[0-9]{1,3}+::((?:[^{}]|\{(?!\{c[0-9])|\}(?!\})|\}(?=\}\}))*+)\}\}")


def gaps(text: str) -> tuple[str, ...]:
    """Return what the gaps hold, in order; nothing for a text without any."""
    return tuple(match[1].strip() for match in _GAP.finditer(text))


def with_gaps(text: str, show: Callable[[str], str] = lambda _: GAP) -> str:
    """Return the text with something in place of each gap; ``show`` is given what the gap holds.

    All gaps of a text are asked at once, whatever their numbers.
    """
    return _GAP.sub(lambda match: show(match[1].strip()), text)


def pieces(text: str) -> list[tuple[str, bool]]:
    """Return the text around gaps and what they hold, in order; the flag says which of them is a gap."""
    parts = _GAP.split(text)
    return [(part.strip() if at % 2 else part, bool(at % 2)) for at, part in enumerate(parts)]


def filled(text: str) -> str:
    """Return the whole sentence."""
    return with_gaps(text, lambda gap: gap)


_WORD = re.compile(r"[^\W_](?:[\w’'-]*[^\W_])?")
_LONGEST_ENDING = 3  # of a form of a word


def with_gap(sentence: str, term: str) -> str:
    """Return a sentence with a gap wherever the term stands, in whichever form.

    "" if no gap can be made, or the rest of the sentence has all words of the term.
    """
    if "{" in sentence or "}" in sentence or "::" in sentence:
        return ""
    words, wanted = list(_WORD.finditer(sentence)), _WORD.findall(term)
    front = ""
    around: list[re.Match[str]] = []
    done = at = 0
    while at < len(words):
        found = words[at : at + len(wanted)]
        if wanted and len(found) == len(wanted) and all(map(_is_form, found, wanted)):
            first, last = found[0].start(), found[-1].end()
            front += f"{sentence[done:first]}{{{{c1::{sentence[first:last]}}}}}"
            done = last
            at += len(wanted)
        else:
            around.append(words[at])
            at += 1
    is_given_away = all(any(_is_form(word, part) for word in around) for part in wanted)
    return "" if is_given_away or not front else front + sentence[done:]


def _is_form(word: re.Match[str], wanted: str) -> bool:
    is_longer = len(word[0]) - len(wanted)
    return 0 <= is_longer <= _LONGEST_ENDING and word[0].casefold().startswith(wanted.casefold())
