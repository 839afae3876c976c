"""A short message or question, and the report of a fault in the program."""

from PySide6.QtGui import QGuiApplication, QPixmap
from PySide6.QtWidgets import QPlainTextEdit, QWidget

from app.ui.widgets.dialog import Dialog
from app.ui.widgets.text_labels import long_text, plain_label
from app.ui.widgets.theme import Theme

_TEXT_WIDTH = 380


class MessageDialog(Dialog):
    """An icon, a title, a sentence or two, and one or two buttons.

    The default button does no harm: Close, or Cancel beside an ``action``.
    """

    def __init__(self, title: str, text: str, parent: QWidget | None = None, *, action: str = "") -> None:
        theme = Theme.current()
        super().__init__(title, parent, heading=title, picture=theme.pixmap("warning", 28, theme.warning))
        message = plain_label(text, selectable=True)
        for label in (self.heading, message):
            label.setMinimumWidth(_TEXT_WIDTH)
        self.head.setSpacing(8)
        self.head.addWidget(message, 1)
        self.setAccessibleDescription(text)
        if action:
            self.add_button(self.tr("Cancel"), self.reject, is_default=True).setFocus()
            self.add_button(action, self.accept, kind="danger")
        else:
            self.add_close().setFocus()


class ReportDialog(Dialog):
    """Shows a report for the developers, from which the caller has removed secrets, and copies it."""

    def __init__(
        self,
        heading: str,
        text: str,
        report: str,
        parent: QWidget | None = None,
        *,
        picture: QPixmap | None = None,
    ) -> None:
        super().__init__(heading, parent, heading=heading, picture=picture)
        self.head.addWidget(plain_label(text))
        self.report = long_text(report, self.tr("Report"), Theme.current())
        self.report.setLineWrapMode(QPlainTextEdit.LineWrapMode.NoWrap)
        self.body.addWidget(self.report)
        self._copy = self.add_button(self.tr("Copy report"), self._copy_report, at_left=True)
        self.add_close().setFocus()
        self.resize_to(640, 440)

    def _copy_report(self) -> None:
        QGuiApplication.clipboard().setText(self.report.toPlainText())
        self._copy.setText(self.tr("Copied"))


class CrashDialog(ReportDialog):
    """Shows the report of a fault. ``ended``: it ended the program, now or the last time."""

    def __init__(self, report: str, parent: QWidget | None = None, *, ended: bool = False) -> None:
        theme = Theme.current()
        heading = self.tr("Lectern quit unexpectedly") if ended else self.tr("Something went wrong")
        picture = theme.pixmap("warning", 28, theme.danger)
        super().__init__(heading, self._explanation(ended), report, parent, picture=picture)

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
