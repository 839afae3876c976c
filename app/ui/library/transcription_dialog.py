"""Asks which recordings to transcribe, by which model, and in which language."""

from __future__ import annotations

from functools import partial
from pathlib import PurePath
from typing import TYPE_CHECKING

from PySide6.QtCore import QCoreApplication, QLocale, Qt, Signal
from PySide6.QtWidgets import QTreeWidgetItem, QWidget

from app.domain.plain_text import harmless
from app.domain.recordings import TranscriptionChoice
from app.ui.widgets.accessibility import announce
from app.ui.widgets.building import Stretch, scrolled, vbox
from app.ui.widgets.dialog import Dialog
from app.ui.widgets.file_table import column_list, in_card
from app.ui.widgets.form import Section, choice
from app.ui.widgets.numbers import duration_text, number_text
from app.ui.widgets.text_labels import plain_label
from app.ui.widgets.theme import row_height, scaled
from app.workers.power import is_on_battery

if TYPE_CHECKING:
    from collections.abc import Sequence

    from app.domain.recordings import Transcription, TranscriptionOffer, Unheard

_LANGUAGES = ("en", "de", "es", "fr", "it", "pt", "nl", "pl", "ru", "uk", "zh", "ja")
_MEGABYTE = 1_000_000
_ROW, _ROWS, _AROUND = 28, 6, 12  # pixels of a row, rows that are shown at once, pixels around them


class TranscriptionDialog(Dialog):
    """Nothing is transcribed before the user has asked for it here.

    ``present`` says how a recording that is transcribed again got its text.
    """

    chosen = Signal(object)  # the TranscriptionChoice

    def __init__(
        self, offer: TranscriptionOffer, parent: QWidget | None = None, present: Transcription | None = None
    ) -> None:
        title = self.tr("Transcribe recordings")
        super().__init__(title, parent, heading=title, text=self._about_text(present))
        self._offer, self._present = offer, present
        self.items: list[QTreeWidgetItem] = []
        self.rows = column_list([self.tr("Recording"), self.tr("Length")], self.tr("Recordings"))
        for one, name in zip(offer.recordings, names_of(offer.recordings), strict=True):
            length = duration_text(one.seconds) if one.seconds else "–"
            if one.heard_until:
                length = self.tr("{0} of {1} done").format(duration_text(one.heard_until), length)
            row = QTreeWidgetItem([harmless(name), length])
            row.setCheckState(0, Qt.CheckState.Checked)
            row.setToolTip(0, harmless(one.path))
            self.items.append(row)
        self.rows.addTopLevelItems(self.items)
        self.rows.setFixedHeight(row_height(_ROW) * (min(len(self.items), _ROWS) + 1) + scaled(_AROUND))
        form = Section(self.tr("Model and language"))
        best = offer.best
        if present is not None:  # the best besides that one, however long it takes
            best = next((one for one in offer.models if one.name != present.model), best)
        self.model = choice({one.id: one.name for one in offer.models}, best and best.id)
        languages = {code: QLocale(code).nativeLanguageName().capitalize() for code in _LANGUAGES}
        self.language = choice({"": self.tr("Found automatically"), **languages}, "")
        self._about = form.add(self.tr("Model"), self.model)
        form.add(self.tr("Spoken language"), self.language)
        self.summary = plain_label("", "strong")
        self.battery = plain_label(
            self.tr("This computer runs on battery power; transcribing uses much of it."), "muted"
        )
        self.battery.setVisible(is_on_battery())
        upper = QWidget()
        vbox(in_card(self.rows), form, Stretch(), spacing=16, parent=upper)
        self.body.addWidget(scrolled(upper), 1)
        self.body.addLayout(vbox(self.summary, self.battery, spacing=4))
        self.begin = self.add_cancel_and(self.tr("Transcribe"), self._accept_choice)
        self.rows.itemChanged.connect(self._tell)
        self.model.currentIndexChanged.connect(self._tell)
        self.language.currentIndexChanged.connect(self._tell)
        self._tell()
        self.resize_to(560, 520)
        self.begin.setFocus()

    def _tell(self) -> None:
        """Say how much there is to hear, how long that takes, and what is downloaded for it."""
        recordings = self._chosen()
        model = next((one for one in self._offer.models if one.id == self.model.currentData()), None)
        self.begin.setEnabled(bool(recordings) and model is not None)
        if model is None:
            self.summary.setText(self.tr("This computer has too little memory for it."))
            return
        self._about.explain(
            self.tr("Downloaded.")
            if model.is_installed
            else self.tr("{0} MB are downloaded once.").format(
                number_text(max((model.bytes - model.arrived) // _MEGABYTE, 1))
            )
        )
        present, language = self._present, self.language.currentData()
        if present is not None and present.model == model.name and language in ("", present.language):
            self.begin.setEnabled(False)
            self.summary.setText(self.tr("The text is by this model. Choose another model or a language."))
        else:
            self.summary.setText(amount_text(self._offer._replace(recordings=tuple(recordings), best=model)))
        announce(self, self.summary.text())

    def _about_text(self, present: Transcription | None) -> str:
        """Say what happens, and what becomes of the text that is there."""
        if present is None:
            return self.tr(
                "What is said becomes text that you can search, ask and correct. It happens on this "
                "computer, while nothing else is read, and can be stopped at any time."
            )
        if present.is_corrected:
            return self.tr(
                "The new text replaces the one by {0}, and all your corrections. “Save captions” keeps them "
                "in a file."
            ).format(present.model)
        return self.tr("The new text replaces the one by {0} once it is whole.").format(present.model)

    def _chosen(self) -> list[Unheard]:
        pairs = zip(self.items, self._offer.recordings, strict=True)
        return [one for row, one in pairs if row.checkState(0) is Qt.CheckState.Checked]

    def _accept_choice(self) -> None:
        paths = tuple(one.path for one in self._chosen())
        self.chosen.emit(TranscriptionChoice(paths, self.model.currentData(), self.language.currentData()))
        self.accept()


tr = partial(QCoreApplication.translate, "TranscriptionDialog")


def amount_text(offer: TranscriptionOffer) -> str:
    """Return such as ``3 recordings, 4 h 10 min; about 1 h on this computer``."""
    count = len(offer.recordings)
    left = sum(one.left for one in offer.recordings)
    text = tr("%Ln recording(s)", None, count)
    if not left:
        return text
    text = f"{text}, {duration_text(left)}"
    if offer.best is None:
        return text
    return tr("{0}; about {1} on this computer").format(text, duration_text(left / offer.best.rate))


def names_of(recordings: Sequence[Unheard]) -> list[str]:
    """Return the names of recordings, with their folders where two have the same."""
    names = [PurePath(one.path).name for one in recordings]
    folders = [PurePath(one.path).parent.name for one in recordings]
    pairs = zip(names, folders, strict=True)
    return [f"{folder}/{name}" if names.count(name) > 1 else name for name, folder in pairs]
