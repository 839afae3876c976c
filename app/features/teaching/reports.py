"""Writes what the courses teach of a file's questions as CSV or Markdown."""

from __future__ import annotations

import csv
import io
from pathlib import Path, PurePath
from typing import TYPE_CHECKING

from app.config.files import replace_file, writing
from app.core.conversations.markdown_export import literal_line
from app.domain.messages import Message, rendered
from app.domain.plain_text import for_spreadsheet, shorten

if TYPE_CHECKING:
    from app.domain.exam_map import MappedLesson, QuestionMap
    from app.features.teaching.model import CheckedPassage

_EXCERPT = 200  # characters of a passage
_COLUMNS = ("number", "question", "taught", "course", "lesson", "title", "passage", "file")


def write_report(found: QuestionMap, path: Path, *, is_markdown: bool) -> None:
    """Write it as Markdown, or as CSV. Raises UserError if the file cannot be written."""
    text, encoding = (as_markdown(found), "utf-8") if is_markdown else (as_csv(found), "utf-8-sig")
    with writing(path):
        replace_file(path, lambda made: made.write_text(text, encoding=encoding, newline=""))


def as_csv(found: QuestionMap) -> str:
    """Return a row for each lesson near to a question, and then for each lesson that no question asks for."""
    table = io.StringIO()
    rows = csv.writer(table)
    rows.writerow([rendered(Message(f"teaching.column_{name}")) for name in _COLUMNS])
    for mapped in found.questions:
        question = (mapped.question.label, mapped.question.text)
        answer = rendered(Message("teaching.yes" if mapped.is_taught else "teaching.no"))
        cells = [_lesson_cells(lesson) for lesson in mapped.lessons] or [("",) * 5]
        rows.writerows(map(for_spreadsheet, (*question, answer, *lesson)) for lesson in cells)
    unasked = rendered(Message("teaching.not_asked"))
    for lesson in found.unasked:
        place = (lesson.course_title, _number(lesson.number), lesson.title)
        rows.writerow(map(for_spreadsheet, ("", "", unasked, *place, "", "")))
    return table.getvalue()


def as_markdown(found: QuestionMap) -> str:
    """Return a heading for each question with its lessons below, and then what is asked by none."""
    name = PurePath(found.file).name
    counted = Message(
        "teaching.count", taught=found.taught, questions=len(found.questions), name=literal_line(name)
    )
    parts = [f"# {rendered(Message('teaching.title'))}", rendered(counted)]
    for mapped in found.questions:
        parts.append(f"## {literal_line(f'{mapped.question.label} {mapped.question.text}'.strip())}")
        if not mapped.is_taught:
            parts.append(f"*{rendered(Message('teaching.not_in_material'))}*")
            if mapped.lessons:
                parts.append(f"{rendered(Message('teaching.nearest'))}:")
        if mapped.lessons:
            parts.append("\n".join(map(_item, mapped.lessons)))
    if found.unasked:
        parts.append(f"## {rendered(Message('teaching.unasked'))}")
        parts.append("\n".join(f"- {literal_line(lesson_words(lesson))}" for lesson in found.unasked))
    return "\n\n".join(parts) + "\n"


def lesson_words(lesson: MappedLesson | CheckedPassage) -> str:
    if lesson.number is None:
        named = lesson.title
    elif lesson.title:
        named = rendered(Message("answers.lesson_titled", number=str(lesson.number), title=lesson.title))
    else:
        named = rendered(Message("answers.lesson", number=str(lesson.number)))
    return f"{lesson.course_title}, {named}" if named else lesson.course_title


def excerpt(text: str) -> str:
    return shorten(" ".join(text.split()), _EXCERPT)


def _lesson_cells(lesson: MappedLesson) -> tuple[str, ...]:
    hit = lesson.passages[0]
    return lesson.course_title, _number(lesson.number), lesson.title, excerpt(hit.text), hit.path


def _number(number: int | None) -> str:
    return "" if number is None else str(number)


def _item(lesson: MappedLesson) -> str:
    quoted = Message("conversations.quoted", text=literal_line(excerpt(lesson.passages[0].text)))
    return f"- {literal_line(lesson_words(lesson))}: {rendered(quoted)}"
