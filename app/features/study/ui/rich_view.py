"""Markdown of items, as answers look; loads nothing."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QUrl
from PySide6.QtWidgets import QTextBrowser

from app.domain.sources import Citation, Support
from app.markup.markdown_html import markdown_to_html
from app.ui.markup.qt_html import qt_html
from app.ui.markup.rich_text import FormulaPictures, copied_text, finish_formulas
from app.ui.widgets.clipboard import new_mime_data
from app.ui.widgets.theme import Theme

if TYPE_CHECKING:
    from PySide6.QtCore import QMimeData

    from app.markup.citation_marks import Mark
    from app.workers.formula_operations import FormulaOperations


class RichView(QTextBrowser):
    """Shows HTML that :meth:`html_of` made of Markdown; formulas are drawn once they are set.

    Attributes:
        lacks_formulas: whether what :meth:`html_of` returned last has to be drawn again when formulas came.
        formulas_came: a signal that what was drawn without them is to be drawn again.
    """

    def __init__(self, formulas: FormulaOperations) -> None:
        super().__init__(openLinks=False)
        self._formulas = FormulaPictures(formulas, self)
        self.formulas_came = self._formulas.came_late
        self.lacks_formulas = False
        self._theme = Theme.current()

    def set_theme(self, theme: Theme) -> None:
        """Adopt a theme; what is shown has to be drawn again."""
        self._theme = theme
        self.document().setDefaultStyleSheet(theme.document_css())

    def html_of(self, markdown: str, item_id: int = 0) -> str:
        """Return rich text for Markdown, with a mark of number ``item_id`` at its end if that is given.

        The mark is a link to ``item:NUMBER``, and shows :meth:`number_of` it.
        """
        end = len(markdown.rstrip())
        cited = Citation(item_id, 0, end, 0, 0, "", verified=True, support=Support.SUPPORTED)
        plain = markdown_to_html(markdown, [cited] if item_id else ())
        self.lacks_formulas = not self._formulas.prepare(plain)
        return qt_html(plain, self._theme, self._mark, formula=self._formula)

    def number_of(self, item_id: int) -> int:
        """Return the number that the mark of an item shows."""
        return item_id

    def show_html(self, html: str) -> None:
        """Show rich text in place of what is shown."""
        self.setHtml(html)
        finish_formulas(self.document(), 0)

    def loadResource(self, kind: int, name: QUrl | str) -> object:
        """Load pictures of formulas, nothing from network or disk; returning None would not stop Qt."""
        return self._formulas.image(name.toString() if isinstance(name, QUrl) else name)

    def createMimeDataFromSelection(self) -> QMimeData:
        mime = new_mime_data()
        mime.setText(copied_text(self.textCursor()))
        return mime

    def _formula(self, source: str, size: int) -> str:
        return self._formulas.to_html(source, size, self._theme.text)

    def _mark(self, mark: Mark) -> str:
        colour, size = self._theme.accent, self._theme.caption
        return (
            f'&#8288;<a href="item:{mark.n}" style="font-size:{size}px; color:{colour}">'
            f"&nbsp;[{self.number_of(mark.n)}]</a>"
        )
