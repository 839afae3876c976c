"""When something happened, in as few words as tell it."""

from __future__ import annotations

from datetime import datetime, timedelta

from PySide6.QtCore import QCoreApplication, QDate, QLocale, QTime


def short_date(then: float, now: datetime | None = None) -> str:
    """Return the time of day, "Yesterday", the weekday, or the date, whichever is enough.

    Args:
        then: seconds since the epoch.
        now: by default the time of the call.
    """
    now = now or datetime.now()
    moment = datetime.fromtimestamp(then)
    locale = QLocale()
    date = QDate(moment.year, moment.month, moment.day)
    days = (now.date() - moment.date()).days
    if days == 0:
        return locale.toString(QTime(moment.hour, moment.minute), QLocale.FormatType.ShortFormat)
    if days == 1:
        return QCoreApplication.translate("dates", "Yesterday")
    if 1 < days < 7:
        return locale.toString(date, "ddd")
    if moment.year == now.year or timedelta() < now - moment < timedelta(days=180):
        return locale.toString(date, "d MMM")
    return locale.toString(date, "d MMM yyyy")
