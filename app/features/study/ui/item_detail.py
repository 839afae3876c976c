"""The selected item as it is learnt, with its answer and the sentence it rests on."""

from __future__ import annotations

import html
from typing import TYPE_CHECKING

from app.features.study.kinds import KINDS
from app.features.study.ui.rich_view import RichView
from app.features.study.ui.words import as_read, kind_name, marks
from app.ui.widgets.source_labels import lesson_name, place_name

if TYPE_CHECKING:
    from collections.abc import Sequence

    from app.features.study.model.items import Item
    from app.ui.widgets.theme import Theme
    from app.workers.formula_operations import FormulaOperations

_TICK = "✓"


class ItemDetail(RichView):
    """Shows one item; of several, how many they are."""

    def __init__(self, formulas: FormulaOperations) -> None:
        super().__init__(formulas)
        self._items: Sequence[Item] = ()
        self._shown = ""
        self.setAccessibleName(self.tr("Selected item"))
        self.document().setDocumentMargin(12)
        self.formulas_came.connect(self._draw)

    def show_items(self, items: Sequence[Item]) -> None:
        self._items = items
        self._draw()

    def set_theme(self, theme: Theme) -> None:
        super().set_theme(theme)
        self._shown = ""
        self._draw()

    def _draw(self) -> None:
        drawn = self._html()
        if drawn != self._shown:  # else it would be scrolled to its beginning
            self._shown = drawn
            self.show_html(drawn)

    def _html(self) -> str:
        if len(self._items) == 1:
            return self._html_of(self._items[0])
        some = self.tr("%Ln item(s) selected", None, len(self._items)) if self._items else ""
        return f"<p>{html.escape(some)}</p>"

    def _html_of(self, item: Item) -> str:
        text, kind, render = item.text, KINDS[item.kind], self.html_of
        right = f"{_TICK} {text.back}" if kind.has_choices else text.back
        front, answers = kind.heading(text) if kind.statement(text) else text.front, [right, *text.others]
        name = html.escape(" · ".join([kind_name(item.kind), *marks(item)]))
        below = "".join(render(part) for part in (*answers, text.explanation) if part)
        quote = html.escape(self.tr("“{0}”").format(as_read(item.source, item.quote)))
        hit = item.source.hit
        place = html.escape(", ".join(filter(None, (lesson_name(hit), place_name(hit)))))
        return f'<p class="name">{name}</p>{render(front)}{below}<p class="footer">{quote}<br>{place}</p>'
