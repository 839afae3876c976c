"""What the rows of the tree are called, what a screen reader says of them, and their tool tips."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QCoreApplication, QDateTime, QLocale

from app.domain.courses import LessonInfo
from app.domain.plain_text import harmless
from app.ui.widgets.numbers import courses_text, files_text, lessons_text
from app.ui.widgets.server_labels import server_name, state_sentence, state_word

if TYPE_CHECKING:
    from app.domain.courses import Course
    from app.domain.shared import SharedLibrary

tr = partial(QCoreApplication.translate, "CourseTreeModel")


def row_name(part: Course | LessonInfo) -> str:
    title = harmless(part.title)  # an imported library may hold any
    if not isinstance(part, LessonInfo):
        return title
    if part.number is None:
        return title or tr("Text outside the lessons")
    return f"{part.number} · {title}" if title else tr("Lesson {0}").format(part.number)


def spoken_course(course: Course, due: int, server: SharedLibrary | None) -> str:
    """Return what a screen reader says of a course with all its lessons, of whose cards some are due."""
    sample = tr(", sample course") if course.is_sample else ""
    cards = tr(", %Ln card(s) due", None, due) if due else ""
    at = "" if server is None else tr(", on {server}").format(server=server_name(server))
    return f"{row_name(course)}, {lessons_text(len(course.lessons))}{cards}{sample}{at}"


def details_of_course(course: Course, due: int, server: SharedLibrary | None) -> str:
    """Return the tool tip of a course with all its lessons."""
    held = lessons_text(len(course.lessons))
    if server is None:
        held = tr("{lessons} in {files}").format(lessons=held, files=files_text(len(course.files)))
    cards = tr("%Ln card(s) due", None, due) if due else ""
    about = "" if server is None else details_of_server(server)
    lines = course.title, course.instructor, held, cards, about
    return harmless("\n".join(line for line in lines if line))


def spoken_server(library: SharedLibrary) -> str:
    """Return what a screen reader says of a server's row."""
    parts = server_name(library), tr("shared library"), courses_text(len(library.courses))
    return ", ".join(filter(None, (*parts, state_word(library.state))))


def details_of_server(library: SharedLibrary) -> str:
    """Return the tool tip of a server: its name, how it is, and how old what is shown of it is."""
    on = tr("On the server {0}").format(server_name(library))
    lines = [on, state_sentence(library)]
    if library.fetched_at is not None:
        moment = QDateTime.fromSecsSinceEpoch(int(library.fetched_at))
        when = QLocale().toString(moment, QLocale.FormatType.ShortFormat)
        lines.append(tr("Courses listed: {0}").format(when))
    return "\n".join(lines)
