"""The selected item as it is learnt, and the dialog that changes it."""

import html
from collections.abc import Sequence
from dataclasses import replace

from PySide6.QtWidgets import QLabel, QPlainTextEdit, QWidget

from app.domain.messages import Message
from app.features.study.kinds import KINDS, problem_with
from app.features.study.model.items import REMARKS, Item, NewItem
from app.features.study.model.names import ItemKind, ItemText
from app.features.study.ui.card_html import as_read, kind_name, marks
from app.features.study.ui.rich_view import RichView
from app.ui.markup.rich_text import FormulaPictures
from app.ui.widgets.building import link_button
from app.ui.widgets.dialog import Dialog
from app.ui.widgets.messages import shown
from app.ui.widgets.source_labels import lesson_name, place_name, source_label
from app.ui.widgets.text_labels import ClampedLabel, plain_label
from app.ui.widgets.theme import Theme, scaled

_TICK = "✓"


class ItemDetail(RichView):
    """Shows one item; of several, how many they are."""

    def __init__(self, formulas: FormulaPictures) -> None:
        super().__init__(formulas)
        self._items: Sequence[Item] = ()
        self._shown = ""
        self.setAccessibleName(self.tr("Selected item"))
        self.document().setDocumentMargin(12)
        formulas.came_late.connect(self._draw)

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
        front, answers = kind.question(text) if kind.statement(text) else text.front, [right, *text.others]
        name = html.escape(" · ".join([kind_name(item.kind), *marks(item)]))
        below = "".join(render(part) for part in (*answers, text.explanation) if part)
        quote = self.tr("“{0}”").format(as_read(item.source, item.quote))
        hit, remark = item.source.hit, REMARKS.get(item.state)
        is_mark = item.kind is ItemKind.MARK  # which are listed of all courses
        lesson, said = (source_label(hit), "") if is_mark else (lesson_name(hit), quote)
        place = ", ".join(filter(None, (lesson, place_name(hit))))
        footer = "<br>".join(map(html.escape, filter(None, (said, place, shown(remark) if remark else ""))))
        return f'<p class="name">{name}</p>{render(front)}{below}<p class="footer">{footer}</p>'


_LINES, _FEW_LINES = 3, 2  # the latter of an explanation
_LINE = 22  # pixels


class EditDialog(Dialog):
    """A field for each part of an item; what cannot be learnt cannot be saved."""

    def __init__(self, item: NewItem, parent: QWidget) -> None:
        title = self.tr("Edit: {0}") if isinstance(item, Item) else self.tr("New: {0}")
        super().__init__(title.format(kind_name(item.kind)), parent, heading=kind_name(item.kind))
        self._kind, self._was = KINDS[item.kind], item.text
        self.fields: dict[str, QPlainTextEdit] = {}
        for part in self._kind.fields:
            name = shown(Message(f"study.field_{part.name or part.part}"))
            said = getattr(item.text, part.part)
            field = QPlainTextEdit(said if isinstance(said, str) else "\n".join(said))
            field.setAccessibleName(name)
            field.setTabChangesFocus(True)
            lines = _FEW_LINES if part.part == "explanation" else _LINES
            field.setMinimumHeight(scaled(lines * _LINE))
            label = QLabel(name)
            label.setBuddy(field)
            self.fields[part.part] = field
            self.body.addWidget(label)
            self.body.addWidget(field, lines)
            field.textChanged.connect(self._check)
            if part.shape == "gaps":
                self.body.addWidget(link_button(self.tr("Make the selection a gap"), self._make_gap))
        if item.kind is ItemKind.MARK:
            self.body.insertWidget(0, ClampedLabel(as_read(item.source, item.quote), _LINES, self))
        self.problem = plain_label("", "danger-caption")
        self.body.addWidget(self.problem)
        self.body.setSpacing(6)
        self.save = self.add_cancel_and(self.tr("Save"))
        self.resize_to(560, 360)
        self.save.setEnabled(problem_with(item.kind, item.text) is None)  # said once something is typed
        next(iter(self.fields.values())).setFocus()

    @property
    def text(self) -> ItemText:
        parts = {part: field.toPlainText().strip() for part, field in self.fields.items()}
        others = self._was.others
        if "others" in parts:
            lines = map(str.strip, parts.pop("others").splitlines())
            others = tuple(filter(None, lines))
        return replace(self._was, others=others, **parts)

    def _make_gap(self) -> None:
        cursor = self.fields["front"].textCursor()
        if chosen := cursor.selectedText().strip():
            cursor.insertText(f"{{{{c1::{chosen}}}}}")

    def _check(self) -> None:
        problem = problem_with(self._kind.name, self.text)
        self.problem.setText(shown(problem) if problem else "")
        self.save.setEnabled(problem is None)
