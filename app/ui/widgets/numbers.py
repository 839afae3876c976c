"""Numbers, counts and sums of money, as the locale writes them."""

from collections.abc import Sequence

from PySide6.QtCore import QCoreApplication, QDate, QLocale, Qt

from app.domain.courses import Course
from app.domain.model_servers import Spending

_SMALLEST = 0.001


def number_text(value: int) -> str:
    return QLocale().toString(value)


def files_text(n: int) -> str:
    """Return ``1 file`` or ``12 files``; the next two do the same."""
    return QCoreApplication.translate("Counts", "%Ln file(s)", None, n)


def courses_text(n: int) -> str:
    return QCoreApplication.translate("Counts", "%Ln course(s)", None, n)


def lessons_text(n: int) -> str:
    return QCoreApplication.translate("Counts", "%Ln lesson(s)", None, n)


def duration_text(seconds: float) -> str:
    """Return such as ``12 min`` or ``4 h 10 min``, at least a minute."""
    hours, minutes = divmod(max(round(seconds / 60), 1), 60)
    if not hours:
        return QCoreApplication.translate("Counts", "{0} min").format(minutes)
    if not minutes:
        return QCoreApplication.translate("Counts", "{0} h").format(number_text(hours))
    return QCoreApplication.translate("Counts", "{0} h {1} min").format(number_text(hours), minutes)


def library_text(courses: Sequence[Course]) -> str:
    lessons = sum(len(course.lessons) for course in courses)
    return f"{courses_text(len(courses))}, {lessons_text(lessons)}"


def dollars(amount: float) -> str:
    """Return US dollars with the digits that matter: ``$0.003``, ``$1.20`` or ``1,20 $``."""
    if 0 < amount < _SMALLEST:
        return f"< {dollars(_SMALLEST)}"
    return QLocale().toCurrencyString(amount, "$", 3 if 0 < amount < 0.1 else 2)


def day_text(day: str) -> str:
    """Return a day such as ``2026-10-24`` as the locale writes it; text that is no day as it is."""
    date = QDate.fromString(day, Qt.DateFormat.ISODate)
    return QLocale().toString(date, QLocale.FormatType.ShortFormat) if date.isValid() else day


def spending_text(spending: Spending) -> str:
    translate = QCoreApplication.translate
    if not spending.answers:
        text = translate("Spending", "No costs this month.")
    else:
        text = translate(
            "Spending",
            "This month: {cost} for %Ln answer(s); {tokens} tokens, {cached} of them from the cache.",
            None,
            spending.answers,
        ).format(
            cost=dollars(spending.dollars),
            tokens=number_text(spending.tokens),
            cached=number_text(spending.cached_tokens),
        )
    if not spending.prices:
        return text
    prices = translate(
        "Spending", "Prices: Anthropic's public list of {0}. Models without a price count as free."
    )
    return f"{text} {prices.format(day_text(spending.prices))}"
