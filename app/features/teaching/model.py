"""Which passages questions must find, and whether they do."""

from dataclasses import dataclass

from app.domain.messages import Message
from app.domain.search import SearchHit


@dataclass(frozen=True, slots=True)
class CheckedPassage:
    """A passage that a question must find, and whether it does."""

    quote: str
    course_title: str
    number: int | None  # of the lesson where it stood when the check was made
    title: str
    problem: Message | None = None  # why it is no longer found
    hit: SearchHit | None = None  # that holds it


@dataclass(frozen=True, slots=True)
class CheckedQuestion:
    question: str
    passages: tuple[CheckedPassage, ...]

    @property
    def is_good(self) -> bool:
        return all(passage.problem is None for passage in self.passages)


@dataclass(frozen=True, slots=True)
class CheckReport:
    """What came of a file of questions and the passages that they must find."""

    file: str  # its path
    questions: tuple[CheckedQuestion, ...]

    @property
    def good(self) -> int:
        return sum(question.is_good for question in self.questions)
