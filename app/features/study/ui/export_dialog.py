"""Chooses what of the decks is given away, and in which form."""

from collections.abc import Sequence
from typing import NamedTuple

from PySide6.QtCore import QSettings, QSize, Qt
from PySide6.QtWidgets import QCheckBox, QListWidget, QListWidgetItem, QWidget

from app.domain.messages import Message
from app.features.study.model.items import Deck, StudyExport
from app.features.study.model.names import EXPORTS, ExportFormat
from app.ui.widgets.building import scrolled
from app.ui.widgets.dialog import Dialog
from app.ui.widgets.form import Section, check_box, choice
from app.ui.widgets.messages import shown
from app.ui.widgets.theme import row_height, scaled

_KEY = "study/export/"
FORM = f"{_KEY}form"
_MOST_ROWS = 6  # of decks that are seen at once
_ROW_HEIGHT = 28


class Offer(NamedTuple):
    """A form that decks can be given away in."""

    format: ExportFormat
    suffix: str

    @property
    def key(self) -> str:
        return f"{self.format}{self.suffix}"


_ALL = (Offer(form, suffix) for form, about in EXPORTS.items() for suffix in about.suffixes)
OFFERS = {offer.key: offer for offer in _ALL}
del OFFERS["gift.txt"]


class ExportDialog(Dialog):
    """Asks for decks and a form; ``memory`` keeps the form and its options for the next time.

    ``chosen`` is the uid of the deck that is chosen at first; all are if it is none of them.
    """

    def __init__(self, decks: Sequence[Deck], chosen: str, memory: QSettings, parent: QWidget) -> None:
        super().__init__(self.tr("Export"), parent)
        self.heading.hide()
        self._memory = memory
        self.decks = self._deck_list(decks, chosen)
        self.form = choice(self._names(), str(memory.value(FORM, "")))
        self.schedule = self._option("schedule", self.tr("What I have learned, and what is suspended"))
        self.answers = self._option("answers", self.tr("Answers on a page of their own"))
        section = Section(self.tr("Export decks"))
        section.add(self.tr("Decks"), self.decks, narrow=False)
        self._form_row = section.add(self.tr("As"), self.form, " ", narrow=False)
        self._schedule_row = section.add(self.tr("With"), self.schedule, narrow=False)
        self._answers_row = section.add(self.tr("With"), self.answers, narrow=False)
        self.body.addWidget(scrolled(section))
        self.save = self.add_cancel_and(self.tr("Export…"))
        self.form.currentIndexChanged.connect(self._show_form)
        self.decks.itemChanged.connect(self._check)
        self.accepted.connect(self._remember)
        self._show_form()
        self.resize_to(520, 450)
        self.form.setFocus()

    @property
    def offer(self) -> Offer:
        return OFFERS[self.form.currentData()]

    @property
    def export(self) -> StudyExport:
        items = map(self.decks.item, range(self.decks.count()))
        checked = (item for item in items if item.checkState() is Qt.CheckState.Checked)
        ids = tuple(item.data(Qt.ItemDataRole.UserRole) for item in checked)
        return StudyExport(ids, self.offer.format, self.schedule.isChecked(), self.answers.isChecked())

    # ---- internals ----

    def _names(self) -> dict[str, str]:
        return {key: shown(Message(f"study_export.form_{key}")) for key in OFFERS}

    def _deck_list(self, decks: Sequence[Deck], chosen: str) -> QListWidget:
        listed = QListWidget()
        height = row_height(_ROW_HEIGHT)
        one = any(deck.uid == chosen for deck in decks)
        for deck in decks:
            item = QListWidgetItem(deck.course_title, listed)
            item.setData(Qt.ItemDataRole.UserRole, deck.deck_id)
            item.setSizeHint(QSize(0, height))
            item.setFlags(item.flags() | Qt.ItemFlag.ItemIsUserCheckable)
            is_chosen = deck.uid == chosen or not one
            item.setCheckState(Qt.CheckState.Checked if is_chosen else Qt.CheckState.Unchecked)
            if is_chosen and listed.currentItem() is None:
                listed.setCurrentItem(item)
        listed.setFixedHeight(min(max(len(decks), 1), _MOST_ROWS) * height + scaled(10))
        return listed

    def _option(self, name: str, text: str) -> QCheckBox:
        return check_box(text, self._memory.value(f"{_KEY}{name}", True, bool) is True)

    def _show_form(self) -> None:
        form = self.offer.format
        self._form_row.explain(shown(Message(f"study_export.about_{form}")))
        self._schedule_row.need(form is ExportFormat.ANKI)
        self._answers_row.need(form is ExportFormat.QUIZ)
        self._check()

    def _check(self) -> None:
        self.save.setEnabled(bool(self.export.deck_ids))

    def _remember(self) -> None:
        for name, value in (
            ("form", self.form.currentData()),
            ("schedule", self.schedule.isChecked()),
            ("answers", self.answers.isChecked()),
        ):
            self._memory.setValue(f"{_KEY}{name}", value)
