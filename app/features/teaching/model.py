"""Which lessons teach what an exam asks, and which passages questions must find."""

from dataclasses import dataclass

from app.domain.messages import Message
from app.domain.search import SearchHit


@dataclass(frozen=True, slots=True)
class AskedQuestion:
    """A question or learning goal of a file; ``label`` is its number there, such as "3 b", or empty."""

    label: str
    text: str


@dataclass(frozen=True, slots=True)
class MappedLesson:
    """A lesson with its passages near to a question, best first; without any where none is near to it."""

    course_title: str
    number: int | None
    title: str
    passages: tuple[SearchHit, ...] = ()


@dataclass(frozen=True, slots=True)
class MappedQuestion:
    """A question with the lessons that teach it, best first; with the nearest ones if none does."""

    question: AskedQuestion
    is_taught: bool
    lessons: tuple[MappedLesson, ...]


@dataclass(frozen=True, slots=True)
class QuestionMap:
    """What the courses teach of a file's questions.

    ``unasked`` are the lessons that teach none of them, of the courses that teach at least one.
    """

    file: str  # its path
    questions: tuple[MappedQuestion, ...]
    unasked: tuple[MappedLesson, ...]

    @property
    def taught(self) -> int:
        return sum(question.is_taught for question in self.questions)


@dataclass(frozen=True, slots=True)
class TeachingProgress:
    """So many questions have been searched for."""

    done: int
    total: int


@dataclass(frozen=True, slots=True)
class CheckedPassage:
    """A passage that a question must find; ``problem`` says why it is no longer found, None if it is."""

    quote: str
    course_title: str
    number: int | None  # of the lesson where it stood when the check was made
    title: str
    problem: Message | None
    hit: SearchHit | None  # that holds it


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
