"""Markdown of items, as answers look."""

from math import ceil

from PySide6.QtCore import Qt
from PySide6.QtGui import QResizeEvent, QWheelEvent
from PySide6.QtWidgets import QPushButton, QSizePolicy

from app.domain.sources import Citation, Support
from app.markup.markdown_html import markdown_to_html
from app.ui.markup.qt_html import qt_html
from app.ui.markup.rich_text import FormulaPictures, RichTextView
from app.ui.widgets.building import Cell, hbox, set_look
from app.ui.widgets.text_labels import plain_label
from app.ui.widgets.theme import Theme, scaled


class RichView(RichTextView):
    """Shows HTML that :meth:`html_of` made of Markdown; formulas are drawn once they are set.

    Attributes:
        lacks_formulas: whether what :meth:`html_of` returned last has to be drawn again when formulas came.
    """

    def __init__(self, formulas: FormulaPictures) -> None:
        super().__init__(Theme.current())
        self.formulas = formulas
        self.lacks_formulas = False

    def set_theme(self, theme: Theme) -> None:
        """Adopt a theme; what is shown has to be drawn again."""
        self.restyle(theme)

    def html_of(self, markdown: str, *, number: int = 0, href: str = "") -> str:
        """Return rich text for Markdown, with a mark of a number at its end, a link, if that is given."""
        end = len(markdown.rstrip())
        cited = Citation(number, 0, end, 0, 0, "", verified=True, support=Support.STANDS)
        plain = markdown_to_html(markdown, [cited] if number else ())
        self.lacks_formulas = not self.is_ready(plain)
        colour, size = self.theme.accent, self.theme.caption
        mark = f'&#8288;<a href="{href}" style="font-size:{size}px; color:{colour}">&nbsp;[{number}]</a>'
        return qt_html(plain, self.theme, lambda _: mark, formula=self.formula_html)


_PADDING = 10


class FittedView(RichView):
    """Leaves scrolling to what it lies in."""

    def __init__(self, formulas: FormulaPictures) -> None:
        super().__init__(formulas)
        self.setProperty("plain", True)
        self.setFocusPolicy(Qt.FocusPolicy.ClickFocus)
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.document().setDocumentMargin(0)

    def show_html(self, html: str) -> None:
        super().show_html(html)
        self._fit()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        if event.oldSize().width() != event.size().width():
            self._fit()

    def wheelEvent(self, event: QWheelEvent) -> None:
        event.ignore()

    def _fit(self) -> None:
        self.setFixedHeight(ceil(self.document().size().height()))


class ChoiceButton(QPushButton):
    """A possible answer, after its letter; a sign in place of the letter says whether it is right."""

    def __init__(self, letter: str, formulas: FormulaPictures) -> None:
        super().__init__()
        self._letter = letter
        self._sign = plain_label(letter, "strong", wrap=False)
        self._sign.setFixedWidth(scaled(24))
        self._sign.setContentsMargins(0, 3, 0, 0)  # on the line of the text beside it
        self.view = FittedView(formulas)
        self.view.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        for part in (self._sign, self.view):
            part.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self.view.viewport().setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        parts = Cell(self._sign, 0, Qt.AlignmentFlag.AlignTop), Cell(self.view, 1, Qt.AlignmentFlag.AlignTop)
        hbox(*parts, spacing=8, margins=(12, _PADDING, 12, _PADDING), parent=self)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)

    def show_choice(self, text: str) -> None:
        self.setAccessibleName(f"{self._letter}: {text}")
        self.mark("")
        self.draw(text)

    def draw(self, text: str) -> None:
        self.view.show_html(self.view.html_of(text))
        self._fit()

    def mark(self, sign: str, words: str = "", look: str = "strong") -> None:
        """Show a sign in place of the letter, in the look of a label; ``words`` say what it means."""
        self._sign.setText(sign or self._letter)
        set_look(self._sign, "role", look)
        self.setAccessibleDescription(words)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()

    def _fit(self) -> None:
        height = max(self.view.height(), self._sign.sizeHint().height()) + 2 * _PADDING
        self.setFixedHeight(height)
