"""The user guide, in its own window."""

import re
from pathlib import Path

from PySide6.QtCore import Qt, QUrl
from PySide6.QtGui import QImage
from PySide6.QtWidgets import QDialog, QListWidget, QPushButton, QSplitter, QTextBrowser, QWidget

from app.ui.markup.markdown_html import markdown_to_html
from app.ui.markup.qt_html import qt_html
from app.ui.widgets.building import Cell, Stretch, hbox, vbox
from app.ui.widgets.links import open_link
from app.ui.widgets.text_labels import plain_label
from app.ui.widgets.theme import Theme
from app.workers.text_file import read_text_file


class GuideWindow(QDialog):
    """A list of sections with the selected one beside it; links open in the browser."""

    def __init__(self, path: Path, theme: Theme, parent: QWidget) -> None:
        super().__init__(parent)
        self.setWindowTitle(self.tr("User guide"))
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowFlag(Qt.WindowType.WindowMinMaxButtonsHint)
        self._texts: list[str] = []
        self.sections = QListWidget()
        self.sections.setAccessibleName(self.tr("Guide sections"))
        self.sections.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.sections.setMinimumWidth(180)
        self.sections.currentRowChanged.connect(self._show_section)
        self.page = _Page(openLinks=False)
        self.page.setAccessibleName(self.tr("Section text"))
        self.page.document().setDocumentMargin(32)
        self.page.anchorClicked.connect(lambda address: open_link(address.toString()))
        title = plain_label(self.tr("User guide"), "lead", wrap=False)
        close = QPushButton(self.tr("Close"))
        close.setDefault(True)
        close.clicked.connect(self.accept)
        contents = QWidget()
        parts = title, Cell(self.sections, 1), hbox(close, Stretch())
        vbox(*parts, parent=contents, spacing=16, margins=(16, 24, 8, 16))
        splitter = QSplitter(Qt.Orientation.Horizontal, handleWidth=1, childrenCollapsible=False)
        splitter.addWidget(contents)
        splitter.addWidget(self.page)
        splitter.setStretchFactor(1, 1)
        splitter.setSizes([280, 680])
        vbox(splitter, parent=self)
        self.resize(960, 680)
        self.set_theme(theme)
        read_text_file(path, self._fill)

    def set_theme(self, theme: Theme) -> None:
        self._theme = theme
        self.page.document().setDefaultStyleSheet(theme.document_css())
        self._show_section(self.sections.currentRow())

    def _fill(self, text: str) -> None:
        sections = re.split(r"^(?=## )", text, flags=re.MULTILINE)[1:]
        self._texts = sections or [self.tr("## The guide can't be read\n\nReinstall Lectern to restore it.")]
        self.sections.addItems([one.partition("\n")[0].removeprefix("## ") for one in self._texts])
        self.sections.setCurrentRow(0)
        self.sections.setFocus()

    def _show_section(self, row: int) -> None:
        if 0 <= row < len(self._texts):
            plain = markdown_to_html(self._texts[row])
            self.page.setHtml(qt_html(plain, self._theme))


class _Page(QTextBrowser):
    """Shows text and links, and loads nothing."""

    def loadResource(self, kind: int, name: QUrl | str) -> object:
        """Load nothing: returning None would not stop Qt from loading."""
        return QImage()
