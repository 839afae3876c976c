"""Course checks as files: a question with its passages on each line, as JSON.

Lines, since people edit, join and compare them, and ``lectern search --questions`` reads them as well.
"""

import json
import re
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from app.config.files import replace_file, writing
from app.domain.conversations import Exchange
from app.domain.errors import UserError
from app.domain.messages import Message
from app.domain.plain_text import shown_name
from app.domain.sources import Citation, Source
from app.features.teaching.model import CheckedPassage, CheckedQuestion

_LONGEST = 300  # characters of a quotation; of a whole passage its first sentences stand for it
_MOST_BYTES = 50_000_000
_HEADING = re.compile(r"\s*#{1,6}\s")


def checked_questions(exchanges: Iterable[Exchange]) -> Iterator[CheckedQuestion]:
    """Yield the questions whose answers cite something that was verified, with what they cite."""
    for exchange in exchanges:
        sources = {source.n: source for source in exchange.sources}
        passages = dict.fromkeys(
            _passage(sources[citation.source_n], citation)
            for citation in exchange.citations
            if citation.verified
            and citation.source_n in sources
            and not any(_is_within(other, citation) for other in exchange.citations)
        )
        if passages:
            yield CheckedQuestion(exchange.question, tuple(passages))


def _is_within(other: Citation, citation: Citation) -> bool:
    """Return whether one citation is a part of another, and so says more narrowly what must be found."""
    span = (citation.start, citation.end)
    is_part = citation.start <= other.start < other.end <= citation.end and (other.start, other.end) != span
    return other.verified and other.source_n == citation.source_n and is_part


def _passage(source: Source, citation: Citation) -> CheckedPassage:
    sentences = [
        (start, end)
        for start, end in source.sentences
        if citation.start <= start and end <= citation.end and not _HEADING.match(source.text(start, end))
    ]
    begin = sentences[0][0] if sentences else citation.start
    end = citation.end
    if end - begin > _LONGEST:
        end = max((stop for _, stop in sentences if stop <= begin + _LONGEST), default=end)
    hit = source.hit
    return CheckedPassage(source.text(begin, end), hit.course_title, hit.lesson_number, hit.lesson_title)


def write_check(questions: Iterable[CheckedQuestion], path: Path) -> None:
    """Write a check. Raises UserError if the file cannot be written."""
    rows = ({"question": one.question, "passages": [*map(_row, one.passages)]} for one in questions)
    text = "".join(f"{json.dumps(row, ensure_ascii=False)}\n" for row in rows)
    with writing(path):
        replace_file(path, lambda made: made.write_text(text, encoding="utf-8", newline="\n"))


def read_check(path: Path) -> list[CheckedQuestion]:
    """Read a check. Raises UserError with the number of a malformed line."""
    name = shown_name(path)
    try:
        with path.open(encoding="utf-8-sig") as file:
            text = file.read(_MOST_BYTES)
    except OSError as error:
        reason = error.strerror or str(error)
        raise UserError(Message("exam.unreadable", name=name, reason=reason)) from error
    except UnicodeDecodeError as error:
        raise UserError(Message("teaching.not_a_check", name=name, line=1)) from error
    questions = []
    for number, line in enumerate(text.split("\n"), 1):
        if line.strip():
            try:
                questions.append(_parsed(json.loads(line)))
            except (ValueError, TypeError, LookupError, RecursionError) as error:
                raise UserError(Message("teaching.not_a_check", name=name, line=number)) from error
    if not questions:
        raise UserError(Message("teaching.empty_check", name=name))
    return questions


def _row(passage: CheckedPassage) -> dict[str, str | int | None]:
    lesson = {"lesson_number": passage.number, "lesson_title": passage.title}
    return {"quote": passage.quote, "course_title": passage.course_title, **lesson}


def _parsed(line: Any) -> CheckedQuestion:  # noqa: ANN401 - whatever the file holds
    match line:
        case {"question": str(question), "passages": [_, *_] as passages} if question.strip():
            return CheckedQuestion(question, tuple(map(_parsed_passage, passages)))
    raise ValueError


def _parsed_passage(passage: Any) -> CheckedPassage:  # noqa: ANN401 - whatever the file holds
    match passage:
        case {"quote": str(quote)} if quote.strip():
            number = passage.get("lesson_number")
            names = str(passage.get("course_title", "")), str(passage.get("lesson_title", ""))
            return CheckedPassage(quote, names[0], number if type(number) is int else None, names[1])
    raise ValueError
