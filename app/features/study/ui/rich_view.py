"""Markdown of items, as answers look."""

from app.domain.sources import Citation, Support
from app.markup.markdown_html import markdown_to_html
from app.ui.markup.qt_html import qt_html
from app.ui.markup.rich_text import FormulaPictures, RichTextView


class RichView(RichTextView):
    """Shows HTML that :meth:`html_of` made of Markdown; formulas are drawn once they are set.

    Attributes:
        lacks_formulas: whether what :meth:`html_of` returned last has to be drawn again when formulas came.
    """

    def __init__(self, formulas: FormulaPictures) -> None:
        super().__init__()
        self.formulas = formulas
        self.lacks_formulas = False

    def html_of(self, markdown: str, *, number: int = 0, href: str = "") -> str:
        """Return rich text for Markdown, with a mark of a number at its end, a link, if that is given."""
        end = len(markdown.rstrip())
        cited = Citation(number, 0, end, 0, 0, "", verified=True, support=Support.STANDS)
        plain = markdown_to_html(markdown, [cited] if number else ())
        self.lacks_formulas = not self.is_ready(plain)
        colour, size = self.theme.accent, self.theme.caption
        mark = f'&#8288;<a href="{href}" style="font-size:{size}px; color:{colour}">&nbsp;[{number}]</a>'
        return qt_html(plain, self.theme, lambda _: mark, formula=self.formula_html)
