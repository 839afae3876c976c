"""The middle of the main window: the chat, or a pane of a feature in its place."""

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QStackedWidget, QWidget

from app.ui.chat.chat_pane import ChatPane


class Centre(QStackedWidget):
    """Shows one of them; the others stay as they are, such as the chat with its draft and its running answer.

    A pane of a feature has a method ``open_find``, as the chat has.
    """

    changed = Signal(bool)  # whether a pane has taken the chat's place

    def __init__(self, chat: ChatPane) -> None:
        super().__init__()
        self._chat = chat
        self.addWidget(chat)
        self.currentChanged.connect(lambda _: self.changed.emit(self.currentWidget() is not chat))

    def add(self, pane: QWidget) -> None:
        self.addWidget(pane)

    def show_page(self, pane: QWidget) -> None:
        self.setCurrentWidget(pane)

    def show_chat(self) -> None:
        self.setCurrentWidget(self._chat)

    def open_find(self) -> None:
        getattr(self.currentWidget(), "open_find", self._chat.open_find)()
