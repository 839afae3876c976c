"""The middle of the main window: the chat, or the Study pane in its place."""

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QStackedWidget

from app.features.study.ui.pane import StudyPane
from app.ui.chat.chat_pane import ChatPane


class Centre(QStackedWidget):
    """Shows one of the two; the other one stays as it is, with its draft and its running answer."""

    changed = Signal(bool)  # whether the Study pane is on show

    def __init__(self, chat: ChatPane, study: StudyPane) -> None:
        super().__init__()
        self._chat, self.study = chat, study
        self.addWidget(chat)
        self.addWidget(study)
        self.currentChanged.connect(lambda _: self.changed.emit(self.shows_study))

    @property
    def shows_study(self) -> bool:
        return self.currentWidget() is self.study

    def show_study(self) -> None:
        self.setCurrentWidget(self.study)

    def show_chat(self) -> None:
        self.setCurrentWidget(self._chat)

    def open_find(self) -> None:
        (self.study if self.shows_study else self._chat).open_find()
