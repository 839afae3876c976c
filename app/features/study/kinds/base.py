"""What a kind of item is: its fields, its checks, how it is shown, asked and exported."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, Protocol

from app.domain.messages import Message

if TYPE_CHECKING:
    from collections.abc import Callable

    from app.features.study.model.names import ItemKind, ItemText

Span = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Field:
    """A part of an item's text, as the model hands it in and as a person edits it."""

    part: str  # of ItemText
    longest: int  # characters; of a list, of each of its entries
    name: str = ""  # in what the model hands in; empty if it is not asked for it
    said: str = ""  # to the model
    shape: Literal["text", "line", "list", "gaps"] = "text"
    required: bool = True  # in what the model hands in


EXPLANATION = Field("explanation", 800, required=False)
EXPLAINED = Field("explanation", 800, "explanation", "Why that is right.", required=False)


@dataclass(frozen=True, slots=True)
class AnkiNote:
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
        """Return its answer, or what it says of what stands first."""
        return text.back

    def answers(self, text: ItemText) -> tuple[str, ...]:
        """Return the right answers, any of which may be typed."""
        return (text.back,)

    def statement(self, text: ItemText) -> str | None:
        """Return the whole sentence where the answer is a part of it."""
        return None

    def heading(self, text: ItemText) -> str:
        """Return what is shown above the answer, as Markdown."""
        return text.front

    def question(self, text: ItemText, gap: str) -> str:
        """Return what is shown to be answered, as Markdown; ``gap`` stands for what is left out."""
        return self.heading(text)

    def spoken(self, text: ItemText, gap: str) -> str:
        """Return what a screen reader says of the question, with ``gap`` for what is left out."""
        return text.front

    # What is compared with other items

    def group(self, text: ItemText) -> tuple[str, str]:
        """Return what an item is compared with: those of the same group."""
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
        """Return what the passage does not say of it, for the model; empty if it says all."""
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
