"""How much a library holds, in words."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QCoreApplication, QLocale

if TYPE_CHECKING:
    from app.domain.courses import LibraryCounts


def counted(counts: LibraryCounts) -> str:
    """Return the number of courses and passages, such as ``4 courses · 528 passages``."""

    def plural(count: int, one: str, many: str) -> str:
        return (one if count == 1 else many).format(QLocale().toString(count))

    translate = QCoreApplication.translate
    courses = plural(counts.courses, translate("counts", "{0} course"), translate("counts", "{0} courses"))
    passages = plural(
        counts.passages, translate("counts", "{0} passage"), translate("counts", "{0} passages")
    )
    return f"{courses} · {passages}"
