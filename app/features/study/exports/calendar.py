"""A plan as iCalendar (RFC 5545): an event for each day of study, and one for the exam."""

from datetime import UTC, date, datetime, timedelta
from hashlib import sha256

from app.domain.messages import Message, rendered
from app.domain.plain_text import harmless
from app.features.study.model.exam_plans import Plan, PlannedDay

_LINE = 75  # bytes of UTF-8, the space of a continued line included


def calendar(plan: Plan, now: datetime) -> str:
    """Return the days of a plan from today on; written anew, each event takes the place of the former one."""
    lines = ["BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//Lectern//Study plan//EN"]
    title = plan.course_title
    for day in plan.days:
        if parts := parts_of(day):
            name = rendered(Message("exam_plan.event", course=title, n=max(round(day.minutes), 1)))
            lines += _event(title, day.day, name, "\n".join(map(rendered, parts)), now)
    lines += _event(title, plan.exam.day, rendered(Message("exam_plan.event_exam", course=title)), "", now)
    lines.append("END:VCALENDAR")
    return "".join(f"{_folded(line)}\r\n" for line in lines)


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


def _event(title: str, day: date, name: str, text: str, now: datetime) -> list[str]:
    return [
        "BEGIN:VEVENT",
        f"UID:{day:%Y%m%d}-{sha256(title.encode()).hexdigest()[:16]}@lectern",
        f"DTSTAMP:{now.astimezone(UTC):%Y%m%dT%H%M%SZ}",
        f"DTSTART;VALUE=DATE:{day:%Y%m%d}",
        f"DTEND;VALUE=DATE:{day + timedelta(days=1):%Y%m%d}",
        f"SUMMARY:{_escaped(name)}",
        f"DESCRIPTION:{_escaped(text)}",
        "TRANSP:TRANSPARENT",
        "END:VEVENT",
    ]


def _escaped(text: str) -> str:
    for sign in "\\;,":
        text = text.replace(sign, f"\\{sign}")
    return "".join(sign for sign in text.replace("\n", "\\n") if sign >= " ")


def _folded(line: str) -> str:
    """Break a line that is too long, each part but the first after a space."""
    parts = [""]
    for sign in line:
        if len((parts[-1] + sign).encode("utf-8", "replace")) > _LINE:
            parts.append(" ")
        parts[-1] += sign
    return "\r\n".join(parts)
