"""Changes what an item says."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from PySide6.QtWidgets import QLabel, QPlainTextEdit

from app.features.study.model.cloze import gaps
from app.features.study.model.items import ItemKind
from app.features.study.ui.words import kind_name
from app.ui.widgets.building import link_button
from app.ui.widgets.dialog import Dialog
from app.ui.widgets.text_labels import plain_label
from app.ui.widgets.theme import scaled

if TYPE_CHECKING:
    from PySide6.QtWidgets import QWidget

    from app.features.study.model.items import Item, ItemText

_LINES = {"front": 3, "back": 3, "others": 3, "explanation": 2}
_LINE = 22  # pixels


class EditDialog(Dialog):
    """A field for each part of an item; what cannot be learnt cannot be saved."""

    def __init__(self, item: Item, parent: QWidget) -> None:
        super().__init__(self.tr("Edit"), parent, heading=kind_name(item.kind))
        self._kind, self._was = item.kind, item.text
        self.fields: dict[str, QPlainTextEdit] = {}
        others = "\n".join(item.text.others)
        texts = {"front": item.text.front, "back": item.text.back, "others": others}
        for part, name in self._names().items():
            field = QPlainTextEdit(texts.get(part, item.text.explanation))
            field.setAccessibleName(name)
            field.setTabChangesFocus(True)
            field.setMinimumHeight(scaled(_LINES[part] * _LINE))
            label = QLabel(name)
            label.setBuddy(field)
            self.fields[part] = field
            self.body.addWidget(label)
            self.body.addWidget(field, _LINES[part])
            field.textChanged.connect(self._check)
        if item.kind is ItemKind.CLOZE:
            self.body.addWidget(link_button(self.tr("Make the selection a gap"), self._make_gap))
        self.problem = plain_label("", "danger-caption")
        self.body.addWidget(self.problem)
        self.body.setSpacing(6)
        self.save = self.add_cancel_and(self.tr("Save"))
        self.resize_to(560, 360)
        self._check()
        self.fields["front"].setFocus()

    @property
    def text(self) -> ItemText:
        """What the fields say."""
        parts = {part: field.toPlainText().strip() for part, field in self.fields.items()}
        others = self._was.others
        if "others" in parts:
            lines = map(str.strip, parts.pop("others").splitlines())
            others = tuple(filter(None, lines))
        return replace(self._was, others=others, **parts)

    def _names(self) -> dict[str, str]:
        explanation = {"explanation": self.tr("Explanation")}
        match self._kind:
            case ItemKind.CARD:
                return {"front": self.tr("Question"), "back": self.tr("Answer")} | explanation
            case ItemKind.CLOZE:
                return {"front": self.tr("Text; write gaps as {{c1::like this}}")} | explanation
            case ItemKind.CHOICE:
                others = self.tr("Wrong answers, one per line")
                names = {"front": self.tr("Question"), "back": self.tr("Right answer"), "others": others}
                return names | explanation
            case ItemKind.SHORT:
                others = self.tr("Other right answers, one per line")
                names = {"front": self.tr("Question"), "back": self.tr("Answer"), "others": others}
                return names | explanation
            case ItemKind.TERM:
                return {"front": self.tr("Term"), "back": self.tr("Definition")} | explanation
            case ItemKind.POINT:
                return {"front": self.tr("Section"), "back": self.tr("What it says")}

    def _make_gap(self) -> None:
        cursor = self.fields["front"].textCursor()
        if chosen := cursor.selectedText().strip():
            cursor.insertText(f"{{{{c1::{chosen}}}}}")

    def _check(self) -> None:
        problem = self._problem(self.text)
        self.problem.setText(problem)
        self.save.setEnabled(not problem)

    def _problem(self, text: ItemText) -> str:
        """Say why a text cannot be learnt; empty if it can."""
        if not text.front:
            return self.tr("The first field is empty.")
        if self._kind is ItemKind.CLOZE:
            return "" if gaps(text.front) else self.tr("Select words and make them a gap.")
        if not text.back:
            return self.tr("The answer is empty.")
        if self._kind is ItemKind.CHOICE and not text.others:
            return self.tr("Add at least one wrong answer.")
        if self._kind is ItemKind.CHOICE and text.back.casefold() in map(str.casefold, text.others):
            return self.tr("The right answer is among the wrong ones.")
        return ""
