"""A fault in the program, with a report for its developers."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QPlainTextEdit, QWidget

from app.ui.widgets.dialog import Dialog
from app.ui.widgets.text_labels import monospaced

if TYPE_CHECKING:
    from app.ui.widgets.theme import Theme


class CrashDialog(Dialog):
    """Shows a report from which the caller has removed secrets.

    Args:
        report: for the developers.
        theme: how to look.
        parent: the window, if there is one.
        ended: the fault ended the program, now or the last time.
    """

    def __init__(
        self, report: str, theme: Theme, parent: QWidget | None = None, *, ended: bool = False
    ) -> None:
        super().__init__(
            self.tr("Something went wrong"),
            parent,
            heading=self.tr("Lectern quit unexpectedly") if ended else self.tr("Something went wrong"),
            text=self._explanation(ended),
            text_role="",
            picture=theme.pixmap("warning", 28, theme.danger),
        )
        self.report = QPlainTextEdit(report)
        monospaced(self.report, theme)
        self.report.setLineWrapMode(QPlainTextEdit.LineWrapMode.NoWrap)
        self.report.setAccessibleName(self.tr("Report"))
        self.body.addWidget(self.report)
        self._copy = self.add_button(self.tr("Copy report"), self._copy_report, at_left=True)
        self.add_close().setFocus()
        self.resize(640, 440)

    def _explanation(self, ended: bool) -> str:
        if ended:
            return self.tr(
                "This was a bug in Lectern. Your courses and chats are safe. To help fix it, send the "
                "report below to the developers; read it first to check that it holds nothing private."
            )
        return self.tr(
            "This is a bug in Lectern. You can keep working; if it happens again, restart Lectern. To help "
            "fix it, send the report below to the developers; read it first to check that it holds "
            "nothing private."
        )

    def _copy_report(self) -> None:
        QGuiApplication.clipboard().setText(self.report.toPlainText())
        self._copy.setText(self.tr("Copied"))
