"""Which lessons teach what an exam, or a list of learning goals, asks."""

from dataclasses import dataclass

from app.domain.search import SearchHit


@dataclass(frozen=True, slots=True)
class AskedQuestion:
    """A question or learning goal of a file; ``label`` is its number there, such as "3 b", or empty."""

    label: str
    text: str
    points: float = 0.0  # 0 if the file does not say
    has_choices: bool = False  # answers to choose from follow it


@dataclass(frozen=True, slots=True)
class MappedLesson:
    """A lesson and its passages close to a question, best first; there may be none."""

    course_title: str
    number: int | None
    title: str
    passages: tuple[SearchHit, ...] = ()


@dataclass(frozen=True, slots=True)
class MappedQuestion:
    """A question and the lessons that teach it, best first; the closest ones if none does."""

    question: AskedQuestion
    is_taught: bool
    lessons: tuple[MappedLesson, ...]


@dataclass(frozen=True, slots=True)
class QuestionMap:
    """What the courses teach of a file's questions.

    ``unasked`` are the lessons that no question asks about, in courses that teach at least one question.
    """

    file: str  # its path
    questions: tuple[MappedQuestion, ...]
    unasked: tuple[MappedLesson, ...]

    @property
    def taught(self) -> int:
        return sum(question.is_taught for question in self.questions)


@dataclass(frozen=True, slots=True)
class QuestionProgress:
    """How many questions of a file have been searched for."""

    done: int
    total: int
