"""A plan as iCalendar (RFC 5545): an event for each day of study, and one for the exam."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from hashlib import sha256
from typing import TYPE_CHECKING

from app.domain.messages import Message, rendered
from app.domain.plain_text import harmless

if TYPE_CHECKING:
    from collections.abc import Iterator
    from datetime import date

    from app.features.study.exam_plans import ExamPlan
    from app.features.study.model.exam_plans import PlannedDay

_LINE = 75  # bytes of UTF-8, the space of a continued line included


def calendar(plan: ExamPlan, now: datetime) -> str:
    """Return the days of a plan from today on; written anew, each event takes the place of the former one."""
    lines = ["BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//Lectern//Study plan//EN"]
    title = plan.course_title
    for day in plan.plan.days:
        if parts := parts_of(day):
            name = rendered(Message("exam_plan.event", course=title, n=max(round(day.minutes), 1)))
            lines += _event(title, day.day, name, "\n".join(map(rendered, parts)), now)
    lines += _event(title, plan.exam.day, rendered(Message("exam_plan.event_exam", course=title)), "", now)
    lines.append("END:VCALENDAR")
    return "".join(f"{part}\r\n" for line in lines for part in _folded(line))


def parts_of(day: PlannedDay) -> list[Message]:
    """Return what is to be done on a day."""
    parts = []
    for lesson in day.lessons:
        kind = "part_lesson" if lesson.number is None else "part_numbered"
        parts.append(Message(f"exam_plan.{kind}", number=lesson.number, title=harmless(lesson.title)))
    if day.new:
        parts.append(Message("exam_plan.part_new", n=day.new))
    if day.reviews:
        parts.append(Message("exam_plan.part_reviews", n=day.reviews))
    return parts


def _event(title: str, day: date, name: str, text: str, now: datetime) -> Iterator[str]:
    yield "BEGIN:VEVENT"
    yield f"UID:{day:%Y%m%d}-{sha256(title.encode()).hexdigest()[:16]}@lectern"
    yield f"DTSTAMP:{now.astimezone(UTC):%Y%m%dT%H%M%SZ}"
    yield f"DTSTART;VALUE=DATE:{day:%Y%m%d}"
    yield f"DTEND;VALUE=DATE:{day + timedelta(days=1):%Y%m%d}"
    yield f"SUMMARY:{_escaped(name)}"
    if text:
        yield f"DESCRIPTION:{_escaped(text)}"
    yield "TRANSP:TRANSPARENT"
    yield "END:VEVENT"


def _escaped(text: str) -> str:
    for sign in "\\;,":
        text = text.replace(sign, f"\\{sign}")
    return "".join(sign for sign in text.replace("\n", "\\n") if sign >= " ")


def _folded(line: str) -> Iterator[str]:
    """Yield a line in parts that are short enough, each but the first after a space."""
    part, size = "", 0
    for sign in line:
        length = len(sign.encode("utf-8", "replace"))
        if size + length > _LINE:
            yield part
            part, size = " ", 1
        part, size = part + sign, size + length
    yield part
