"""A long text of the program's own, such as the user guide, in its own window."""

import re
from collections.abc import Collection

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QTextCursor
from PySide6.QtWidgets import QDialog, QListWidget, QSplitter, QTextEdit, QWidget

from app.domain.words import occurrences
from app.markup.markdown_html import markdown_to_html
from app.ui.markup.qt_html import qt_html
from app.ui.markup.rich_text import RichTextView
from app.ui.widgets.building import Cell, Stretch, hbox, push_button, vbox
from app.ui.widgets.desktop import open_link
from app.ui.widgets.dialog import room_for
from app.ui.widgets.search_fields import SearchBox
from app.ui.widgets.text_labels import plain_label
from app.ui.widgets.theme import Theme, scaled

_FEATURE = re.compile(r"<!-- feature: (\w+) -->")
_SHORT = 3  # letters of words that say nothing where longer ones are given
_SIGNS = '?!.,;:¿¡()"“”„«»'  # around the words of a question


class GuideWindow(QDialog):
    """A list of sections with the selected one beside it; links open in the browser.

    A section whose heading ends in ``<!-- feature: other -->`` is left out without that feature.
    """

    def __init__(self, title: str, parent: QWidget, features: Collection[str] = ()) -> None:
        super().__init__(parent)
        self._features = features
        self.setWindowTitle(title)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowFlag(Qt.WindowType.WindowMinMaxButtonsHint)
        self._texts: list[str] = []
        self.sections = QListWidget()
        self.sections.setAccessibleName(self.tr("Sections"))
        self.sections.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.sections.setMinimumWidth(180)
        self.sections.currentRowChanged.connect(self._show_section)
        self.page = RichTextView()
        self.page.setAccessibleName(self.tr("Section text"))
        self.page.document().setDocumentMargin(32)
        self.page.anchorClicked.connect(lambda address: open_link(address.toString()))
        self.search = SearchBox(self.tr("Search"), self.tr("Clear"))
        self.search.textChanged.connect(self._find)
        for on in (self.search.down_pressed, self.search.returnPressed):
            on.connect(self.sections.setFocus)
        self._nothing = plain_label(self.tr("Nothing found"), "muted")
        self._nothing.hide()
        heading = plain_label(title, "lead", wrap=False)
        close = push_button(self.tr("Close"), self.accept)
        close.setDefault(True)
        contents = QWidget()
        parts = heading, self.search, self._nothing, Cell(self.sections, 1), hbox(close, Stretch())
        vbox(*parts, parent=contents, spacing=16, margins=(16, 24, 8, 16))
        splitter = QSplitter(Qt.Orientation.Horizontal, handleWidth=1, childrenCollapsible=False)
        splitter.addWidget(contents)
        splitter.addWidget(self.page)
        splitter.setStretchFactor(1, 1)
        vbox(splitter, parent=self)
        size = QSize(680 + scaled(280), scaled(680)).boundedTo(room_for(self))
        self.resize(size)
        contents_width = min(scaled(280), size.width() * 2 // 5)  # the text is what is read
        splitter.setSizes([contents_width, size.width() - contents_width])

    def set_theme(self, theme: Theme) -> None:
        self.page.restyle(theme)
        self._show_section(self.sections.currentRow())

    def show_text(self, text: str) -> None:
        """Show Markdown, each section of which has a heading of the second level."""
        found = re.split(r"^(?=## )", text, flags=re.MULTILINE)[1:]
        sections = [_FEATURE.sub("", one) for one in found if self._is_wanted(one)]
        self._texts = sections or [self.tr("## This text can't be read\n\nReinstall Lectern to restore it.")]
        self.sections.addItems([one.partition("\n")[0].removeprefix("## ").strip() for one in self._texts])
        self.sections.setCurrentRow(0)
        self._find()
        self.search.setFocus()

    def _is_wanted(self, section: str) -> bool:
        feature = _FEATURE.search(section.partition("\n")[0])
        return feature is None or feature[1] in self._features

    def _wanted(self) -> list[str]:
        words = [word for one in self.search.text().split() if (word := one.strip(_SIGNS))]
        return [one for one in words if len(one) > _SHORT] or words

    def _find(self) -> None:
        """List the sections that hold most of the words; of a question, few hold all."""
        wanted = self._wanted()

        def count(text: str) -> int:
            return sum(one.casefold() in text.casefold() for one in wanted)

        counts = [count(text) for text in self._texts]
        most = max(counts, default=0)
        shown = [not wanted or 0 < most == found for found in counts]
        for row, is_shown in enumerate(shown):
            self.sections.setRowHidden(row, not is_shown)
        self._nothing.setVisible(bool(shown) and not any(shown))
        before = self.sections.currentRow()
        if wanted and any(shown):
            rows = [row for row, is_shown in enumerate(shown) if is_shown]
            best = max(rows, key=lambda row: count(self.sections.item(row).text()))
            self.sections.setCurrentRow(best)
        if self.sections.currentRow() == before:
            self._mark()

    def _show_section(self, row: int) -> None:
        if 0 <= row < len(self._texts):
            plain = markdown_to_html(self._texts[row])
            self.page.show_html(qt_html(plain, self.page.theme))
            self._mark()

    def _mark(self) -> None:
        """Mark the words that are searched for, and show the first."""
        text, marks = self.page.document().toRawText(), []
        for start, end in sorted(span for one in self._wanted() for span in occurrences(text, one)):
            mark = QTextEdit.ExtraSelection()
            mark.cursor = QTextCursor(self.page.document())
            mark.cursor.setPosition(start)
            mark.cursor.setPosition(end, QTextCursor.MoveMode.KeepAnchor)
            mark.format = self.page.theme.highlighted()
            marks.append(mark)
        self.page.setExtraSelections(marks)
        if marks:
            self.page.setTextCursor(QTextCursor(marks[0].cursor.block()))
            self.page.ensureCursorVisible()
