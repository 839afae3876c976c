"""Days of study. One ends at 4 a.m. local time, so that a late evening belongs to the day before."""

from __future__ import annotations

import time
from datetime import date, datetime, timedelta
from datetime import time as clock_time

_END = timedelta(hours=4)


def day_of(moment: float) -> date:
    """Return the day of study of a moment (seconds since the epoch), where the computer is now."""
    _find_zone()
    return (datetime.fromtimestamp(moment) - _END).date()


def start_of(day: date) -> float:
    """Return the moment at which a day of study begins; whatever the clocks do, the one before ends then."""
    _find_zone()
    return datetime.combine(day, clock_time(4)).timestamp()


def end_of(moment: float) -> float:
    """Return when the day of study of a moment ends."""
    return start_of(day_of(moment) + timedelta(days=1))


def days_between(earlier: float, later: float) -> int:
    """Return how many days of study lie between two moments; 0 if the clock has gone back."""
    return max(0, (day_of(later) - day_of(earlier)).days)


def _find_zone() -> None:
    """Let Python notice that the computer has travelled."""
    if hasattr(time, "tzset"):
        time.tzset()
