"""The kinds of items: how each is made, checked, shown, asked, edited and exported."""

import re
from collections.abc import Callable
from typing import Literal, NamedTuple, Protocol

from app.domain.messages import Message
from app.domain.words import words_in
from app.features.study.model.names import ItemKind, ItemText

Span = tuple[int, int]

LONGEST = 20_000
"""Characters of a part of an item that a person writes, and of what is marked."""


class Field(NamedTuple):
    """A part of an item's text, as the model hands it in and as a person edits it."""

    part: str  # of ItemText
    longest: int  # characters; of a list, of each of its entries
    name: str = ""  # in what the model hands in; empty if it is not asked for it
    said: str = ""  # to the model
    shape: Literal["text", "line", "list", "gaps"] = "text"
    required: bool = True  # in what the model hands in


EXPLANATION = Field("explanation", 800, required=False)
EXPLAINED = Field("explanation", 800, "explanation", "Why that is right.", required=False)


class AnkiNote(NamedTuple):
    """A kind of notes; its id and the names of its fields stay for ever."""

    note_id: int
    fields: tuple[str, ...]
    front: str
    back: str
    shown: str = '{{FrontSide}}<hr id="answer">'  # of the front, on the back
    is_cloze: bool = False


class FactsOfPassage(Protocol):
    """A passage, against which items are held; reasons are for the model, and empty if all is right."""

    def wrong_statement(self, text: str, quoted: Span) -> str: ...
    def wrong_words(self, text: str) -> str: ...
    def wrong_answer(self, question: str, answer: str, quoted: Span) -> str: ...
    def names(self, term: str) -> bool: ...


class Kind:
    """A kind of item; its texts are the messages ``study.kind_…``, ``study.kinds_…``, ``study.field_…``."""

    name: ItemKind
    fields: tuple[Field, ...]
    is_scheduled = False  # asked again by the schedule
    is_quiz = False
    is_chosen_first = False  # when something is to be made
    is_automatic = False  # can be made of a definition, without a model
    has_choices = False  # one of several answers is to be chosen
    is_in_course_words = False
    has_wording_alone = False  # what it asks is compared by its words, not by its meaning
    anki: AnkiNote | None = None

    # What it says

    def asked(self, text: ItemText) -> str:
        """Return what it asks, or says first."""
        return text.front

    def answered(self, text: ItemText) -> str:
        """Return its answer, or what it says about its front."""
        return text.back

    def answers(self, text: ItemText) -> tuple[str, ...]:
        """Return the right answers, any of which may be typed."""
        return (text.back,)

    def statement(self, text: ItemText) -> str | None:
        """Return the whole sentence where the answer is a part of it."""
        return None

    def question(self, text: ItemText, gap: str = "") -> str:
        """Return the question as Markdown, with ``gap``, if given, for what is left out."""
        return text.front

    # What is compared with other items

    def group(self, text: ItemText) -> tuple[str, str]:
        """Return the group of an item; items are compared within their group."""
        return ("quiz" if self.is_quiz else self.name), ""

    def meaning(self, text: ItemText) -> str:
        """Return what it asks, with its answer: questions that differ in a word may be far apart."""
        return self.statement(text) or f"{text.front} {text.back}"

    def wording(self, text: ItemText) -> str:
        """Return the text whose words no other item of its group has."""
        return self.statement(text) or text.front

    # Checks

    def problem(self, text: ItemText) -> Message | None:
        """Return why an item that a person edits cannot be learnt; None if it can."""
        if not text.front:
            return Message("study.front_is_empty")
        return None if text.back else Message("study.answer_is_empty")

    def form_problem(self, text: ItemText) -> str:
        """Return what is wrong with the form of a draft, for the model; empty if nothing is."""
        if "{{" in text.front or not any(map(str.isalnum, text.front + text.back)):
            return "It says nothing, or holds a gap that only a cloze text can have."
        return ""

    def secrets(self, text: ItemText) -> tuple[str, tuple[str, ...]]:
        """Return what is asked, and the answers that it must not hold."""
        return text.front, self.answers(text)

    def quoted(self, text: ItemText) -> tuple[str, ...]:
        """Return what must stand in the quotation word by word."""
        return ()

    def wrong(self, facts: FactsOfPassage, text: ItemText, quoted: Span) -> str:
        """Return, for the model, what the passage does not say of it; empty if it says everything."""
        return facts.wrong_answer(text.front, text.back, quoted)

    # Without a model, and in Anki

    def defined(self, term: str, said: str, sentence: str) -> tuple[str, str] | None:
        """Return front and back of an item made of a definition; None if none can be made."""
        return None

    def anki_fields(
        self, text: ItemText, to_html: Callable[[str], str], options: tuple[str, ...]
    ) -> tuple[str, ...]:
        """Return the own fields of its note; ``options`` are its choices in the order of the export."""
        return to_html(text.front), to_html(text.back)


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

    def question(self, text: ItemText, gap: str = "") -> str:
        return _marked(text.front, gap)

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
    for at, text in enumerate(_GAP.split(front)):
        if at % 2:
            is_text = not (shown.count("$") % 2 or shown.count("`") % 2)
            shown += f"**{gap or text.strip()}**" if is_text and text.strip() else gap or text.strip()
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
    """Return the text with each gap replaced; ``show`` receives the gap's words.

    All gaps of a text are asked at once, whatever their numbers.
    """
    return _GAP.sub(lambda match: show(match[1].strip()), text)


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


class Card(Kind):
    name = ItemKind.CARD
    fields = (
        Field("front", 400, "question", "The question, which names its subject."),
        Field("back", 600, "answer", "The right answer, as short as it can be."),
        EXPLANATION,
    )
    is_scheduled = True
    is_chosen_first = True
    anki = AnkiNote(1_795_000_001, ("Question", "Answer"), "{{Question}}", "{{Answer}}")


class Term(Kind):
    name = ItemKind.TERM
    fields = (
        Field("front", 120, "term", "The term.", "line"),
        Field("back", 600, "definition", "Its definition in the words of the quotation.", "line"),
        EXPLANATION,
    )
    is_scheduled = True
    is_automatic = True
    is_in_course_words = True
    has_wording_alone = True  # the names of different things may mean much the same
    anki = AnkiNote(1_795_000_003, ("Term", "Definition"), "<b>{{Term}}</b>", "{{Definition}}")

    def question(self, text: ItemText, gap: str = "") -> str:
        return f"## {text.front}"

    def secrets(self, text: ItemText) -> tuple[str, tuple[str, ...]]:
        return "", ()

    def quoted(self, text: ItemText) -> tuple[str, ...]:
        return (text.back,)

    def wrong(self, facts: FactsOfPassage, text: ItemText, quoted: Span) -> str:
        return "" if facts.names(text.front) else "The passage has no such term."

    def defined(self, term: str, said: str, sentence: str) -> tuple[str, str] | None:
        return term, said


class Choice(Kind):
    name = ItemKind.CHOICE
    fields = (
        Field("front", 400, "question", "The question, which names its subject."),
        Field("back", 250, "answer", "The right answer, as short as it can be."),
        Field("others", 250, "wrong_answers", "Three wrong answers.", shape="list"),
        EXPLAINED,
    )
    is_quiz = True
    has_choices = True
    anki = AnkiNote(1_795_000_004, ("Question", "Options", "Answer"), "{{Question}}{{Options}}", "{{Answer}}")

    def problem(self, text: ItemText) -> Message | None:
        if found := super().problem(text):
            return found
        if not text.others:
            return Message("study.no_wrong_answer")
        is_among = text.back.casefold() in map(str.casefold, text.others)
        return Message("study.right_among_wrong") if is_among else None

    def anki_fields(
        self, text: ItemText, to_html: Callable[[str], str], options: tuple[str, ...]
    ) -> tuple[str, ...]:
        listed = "".join(f"<li>{to_html(option)}</li>" for option in options)
        return to_html(text.front), f'<ol type="A">{listed}</ol>', to_html(text.back)


class Short(Kind):
    name = ItemKind.SHORT
    fields = (
        Field("front", 400, "question", "The question, which names its subject."),
        Field("back", 120, "answer", "The right answer, as short as it can be."),
        Field("others", 250, "also_right", "Other right answers; at most four.", "list", required=False),
        EXPLAINED,
    )
    is_quiz = True
    anki = AnkiNote(
        1_795_000_005,
        ("Question", "Answer", "Other answers"),
        "{{Question}}<br>{{type:Answer}}",
        "{{Answer}}{{#Other answers}}<div>{{Other answers}}</div>{{/Other answers}}",
    )

    def answers(self, text: ItemText) -> tuple[str, ...]:
        return text.back, *text.others

    def anki_fields(
        self, text: ItemText, to_html: Callable[[str], str], options: tuple[str, ...]
    ) -> tuple[str, ...]:
        return to_html(text.front), to_html(text.back), "<br>".join(map(to_html, text.others))


class Point(Kind):
    name = ItemKind.POINT
    fields = (
        Field("front", 120, "heading", "Of its section.", "line"),
        Field("back", 600, "claim", "What to know."),
    )

    def meaning(self, text: ItemText) -> str:
        return text.back

    def wording(self, text: ItemText) -> str:
        return text.back

    def secrets(self, text: ItemText) -> tuple[str, tuple[str, ...]]:
        return "", ()

    def wrong(self, facts: FactsOfPassage, text: ItemText, quoted: Span) -> str:
        return facts.wrong_statement(text.back, quoted)


class Marked(Kind):
    name = ItemKind.MARK
    fields = (Field("back", LONGEST),)

    def problem(self, text: ItemText) -> Message | None:
        return None


_ALL: tuple[Kind, ...] = (Card(), Term(), Cloze(), Choice(), Short(), Point(), Marked())
KINDS: dict[ItemKind, Kind] = {kind.name: kind for kind in _ALL}
SCHEDULED = tuple(kind.name for kind in _ALL if kind.is_scheduled)
QUIZ = tuple(kind.name for kind in _ALL if kind.is_quiz)
AUTOMATIC = tuple(kind.name for kind in _ALL if kind.is_automatic)


def problem_with(kind: ItemKind, text: ItemText) -> Message | None:
    """Return why what a person wrote cannot be kept; None if it can."""
    if max(map(len, (text.front, text.back, text.explanation, *text.others))) > LONGEST:
        return Message("study.too_long", most=f"{LONGEST:,}")
    return KINDS[kind].problem(text)
