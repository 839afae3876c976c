"""A fault of the program itself, with a report that can be sent to those who mend it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtGui import QFontDatabase, QGuiApplication
from PySide6.QtWidgets import QDialog, QHBoxLayout, QLabel, QPlainTextEdit, QPushButton, QVBoxLayout, QWidget

if TYPE_CHECKING:
    from app.ui.theme import Theme


class CrashDialog(QDialog):
    """Says that something went wrong and shows the report, which the caller has freed of secrets."""

    def __init__(self, report: str, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWindowTitle(self.tr("Something went wrong"))
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setModal(True)
        picture = QLabel()
        picture.setPixmap(theme.pixmap("warning", 28, theme.danger, self.devicePixelRatioF()))
        title = QLabel(self.tr("Something went wrong in Lectern"))
        title.setProperty("role", "lead")
        text = QLabel(
            self.tr(
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
