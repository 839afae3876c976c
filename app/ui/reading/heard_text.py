"""The bar above a transcript, and correcting a paragraph in place."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QRect, Qt, Signal
from PySide6.QtWidgets import QFrame, QPlainTextEdit, QWidget

from app.ui.widgets.building import FlowLayout, Stretch, hbox, link_button, one_shot, push_button, vbox
from app.ui.widgets.messages import shown
from app.ui.widgets.text_labels import plain_label
from app.ui.widgets.theme import scaled

if TYPE_CHECKING:
    from PySide6.QtGui import QKeyEvent

    from app.domain.recordings import Transcription
    from app.ui.reading.lesson_view import LessonView
    from app.ui.widgets.search_fields import Span

_LEAST, _AROUND = 150, 120  # pixels of the editor's height, and what it needs besides its text
_BESIDE = 8


class TranscriptBar(QWidget):
    """One calm line on how the text came about, and what can be done with it."""

    correct_requested = Signal()
    captions_requested = Signal()
    again_requested = Signal()

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.text = plain_label("", "caption", self)
        self.correct = link_button(self.tr("Correct…"), self.correct_requested.emit, self, small=True)
        self.correct.setToolTip(self.tr("Correct the paragraph in sight"))
        self.save = link_button(self.tr("Save captions"), self.captions_requested.emit, self, small=True)
        self.save.setToolTip(self.tr("Write a .vtt file beside the recording"))
        self.again = link_button(self.tr("Transcribe again…"), self.again_requested.emit, self, small=True)
        self.again.setToolTip(self.tr("Use another model or language"))
        row = FlowLayout(2, self.correct, self.save, self.again)
        vbox(self.text, row, margins=(16, 0, 16, 8), spacing=2, parent=self)
        self.hide()

    def show_transcript(self, transcript: Transcription | None) -> None:
        self.setVisible(transcript is not None)
        if transcript is None:
            return
        by = self.tr("Written by {0} from the recording, and corrected by you.")
        if not transcript.is_corrected:
            by = self.tr("Written by {0} from the recording.")
        sentences = [by.format(transcript.model)]
        if transcript.unsure:
            sentences.append(self.tr("Dotted words are uncertain."))
        if transcript.dropped:
            left_out = self.tr("%Ln part(s) could not be understood.", None, transcript.dropped)
            sentences.append(left_out)
        if transcript.unread is not None:
            sentences.append(shown(transcript.unread))
        self.text.setText(" ".join(sentences))


class ParagraphEditor(QFrame):
    """Lies over a paragraph of a text until its correction is saved or left."""

    saved = Signal(object, str)  # the span in the text, and other words for it

    def __init__(self, view: LessonView) -> None:
        super().__init__(view.viewport())
        self._view = view
        self._span: Span | None = None
        self._before = ""
        self.setProperty("panel", "card")
        self.setAutoFillBackground(True)
        self.field = _Field(self)
        self.field.setAccessibleName(self.tr("Correction of the paragraph"))
        keys = self.tr("Ctrl+Enter saves, Esc leaves.")
        self.field.setAccessibleDescription(keys)
        self.field.save_requested.connect(self._save)
        leave = push_button(self.tr("Cancel"), self.dismiss, compact=True)
        save = push_button(self.tr("Save"), self._save, "primary", compact=True)
        for button in (leave, save):  # a line below the field would leave it none in a low window
            button.setToolTip(keys)
        row = hbox(Stretch(), leave, save, spacing=8)
        vbox(self.field, row, margins=(8, 8, 8, 8), spacing=6, parent=self)
        self._place_soon = one_shot(self, 0, self._place)
        view.verticalScrollBar().valueChanged.connect(self._place_soon.start)
        view.drawn.connect(self._place_soon.start)
        self.hide()

    def open(self, span: Span, text: str) -> None:
        """Edit ``text``, which is at this span of the view's text."""
        self._span, self._before = span, text
        self.field.setPlainText(text)
        area = self._view.area(span)
        if area is None or area.top() < 0 or area.top() + self._height(area) > self._view.viewport().height():
            self._view.show_position(span[0])
        self.show()
        self.raise_()
        self._place()
        self.field.setFocus()

    def dismiss(self) -> bool:
        """Leave without saving; return whether it was open."""
        was_open, self._span = self._span is not None, None
        if was_open:
            self.hide()
            self._view.setFocus(Qt.FocusReason.OtherFocusReason)
        return was_open

    def _save(self) -> None:
        span, text = self._span, " ".join(self.field.toPlainText().split())
        self.dismiss()
        if span is not None and text != self._before:
            self.saved.emit(span, text)

    def _height(self, area: QRect) -> int:
        return max(area.height() + scaled(_AROUND), scaled(_LEAST))

    def _place(self) -> None:
        area = self._view.area(self._span) if self._span is not None else None
        if area is None:
            return
        room = self._view.viewport().rect()
        height = min(self._height(area), room.height())
        top = min(max(area.top() - _BESIDE, 0), room.height() - height)
        self.setGeometry(_BESIDE, top, room.width() - 2 * _BESIDE, height)


class _Field(QPlainTextEdit):
    save_requested = Signal()

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.setTabChangesFocus(True)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        is_enter = event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter)
        if is_enter and event.modifiers() & Qt.KeyboardModifier.ControlModifier:
            self.save_requested.emit()
        else:
            super().keyPressEvent(event)


def paragraph_at(text: str, position: int) -> Span:
    """Return the span of the paragraph that holds a position."""
    before = text.rfind("\n\n", 0, max(position, 0))
    after = text.find("\n\n", position)
    start, end = before + 2 if before >= 0 else 0, after if after >= 0 else len(text)
    part = text[start:end]
    return start + len(part) - len(part.lstrip()), end - len(part) + len(part.rstrip())
