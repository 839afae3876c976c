"""A fault of the program itself, with a report that can be sent to those who mend it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtGui import QFontDatabase, QGuiApplication
from PySide6.QtWidgets import QDialog, QHBoxLayout, QLabel, QPlainTextEdit, QPushButton, QVBoxLayout, QWidget

if TYPE_CHECKING:
    from app.ui.shell.theme import Theme


class CrashDialog(QDialog):
    """Says that something went wrong and shows the report, which the caller has freed of secrets.

    Args:
        report: for those who mend it.
        theme: how to look.
        parent: the window, where there is one.
        ended: the fault was the end of the program, now or the last time.
    """

    def __init__(
        self, report: str, theme: Theme, parent: QWidget | None = None, *, ended: bool = False
    ) -> None:
        super().__init__(parent)
        self.setWindowTitle(self.tr("Something went wrong"))
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setModal(True)
        picture = QLabel()
        picture.setPixmap(theme.pixmap("warning", 28, theme.danger, self.devicePixelRatioF()))
        title = QLabel(
            self.tr("Lectern ended unexpectedly") if ended else self.tr("Something went wrong in Lectern")
        )
        title.setProperty("role", "lead")
        text = QLabel(
            self.tr(
                "This was a fault of the program, not yours. Your courses and chats are kept. "
                "The report below helps to mend it; read it through before you send it to anyone."
            )
            if ended
            else self.tr(
                "This is a fault of the program, not yours. You can go on; if it happens again, "
                "start Lectern anew. The report below helps to mend it; "
                "read it through before you send it to anyone."
            )
        )
        text.setWordWrap(True)
        self.report = QPlainTextEdit(report)
        self.report.setReadOnly(True)
        self.report.setLineWrapMode(QPlainTextEdit.LineWrapMode.NoWrap)
        self.report.setAccessibleName(self.tr("Report"))
        font = QFontDatabase.systemFont(QFontDatabase.SystemFont.FixedFont)
        font.setPixelSize(theme.type.caption)
        self.report.setFont(font)
        self._copy = QPushButton(self.tr("Copy report"))
        self._copy.setAutoDefault(False)
        self._copy.clicked.connect(self._copy_report)
        close = QPushButton(self.tr("Close"))
        close.setDefault(True)
        close.clicked.connect(self.accept)

        texts = QVBoxLayout()
        texts.setSpacing(8)
        texts.addWidget(title)
        texts.addWidget(text)
        head = QHBoxLayout()
        head.setSpacing(16)
        head.addWidget(picture, 0, Qt.AlignmentFlag.AlignTop)
        head.addLayout(texts, 1)
        buttons = QHBoxLayout()
        buttons.setSpacing(8)
        buttons.addWidget(self._copy)
        buttons.addStretch()
        buttons.addWidget(close)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(24, 24, 24, 16)
        layout.setSpacing(16)
        layout.addLayout(head)
        layout.addWidget(self.report, 1)
        layout.addLayout(buttons)
        self.resize(640, 440)
        close.setFocus()

    def _copy_report(self) -> None:
        QGuiApplication.clipboard().setText(self.report.toPlainText())
        self._copy.setText(self.tr("Copied"))
