"""The button that says which model writes the answers, and lets the user choose another."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from PySide6.QtCore import Signal
from PySide6.QtGui import QAction, QActionGroup
from PySide6.QtWidgets import QMenu

from app.ui.chat.composer import QuietButton

if TYPE_CHECKING:
    from PySide6.QtWidgets import QWidget

_CLAUDE = re.compile(r"claude-([a-z]{1,20})-(\d{1,2})(?:-(\d{1,2}))?(?:-\d{8})?")


def model_name(model_id: str) -> str:
    """Return what people call a model whose name the server has not told."""
    if (parts := _CLAUDE.fullmatch(model_id)) is None:
        return model_id
    family, major, minor = parts.groups()
    return f"Claude {family.title()} {major}{f'.{minor}' if minor else ''}"


class ModelButton(QuietButton):
    """Its menu holds the models of the server, as far as they are known."""

    frame = 28  # with the arrow

    chosen = Signal(str)  # the id of a model
    opened = Signal()  # list the models, if they are not known
    settings_requested = Signal()

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self._models = QActionGroup(self)
        self._models.triggered.connect(self._choose)
        menu = QMenu(self)
        menu.aboutToShow.connect(self.opened)
        self._settings = menu.addAction(self.tr("Settings…"))
        self._settings.triggered.connect(self.settings_requested)
        self.setMenu(menu)

    def show_model(self, name: str, *, can_answer: bool) -> None:
        """Show the model, or that there is none and answers are passages."""
        if can_answer:
            tip = self.tr("Answers are written by {0}.").format(name)
        else:
            name = self.tr("Search only")
            tip = self.tr("You get the best passages. Add a key for written answers.")
        self.show_words(name, self.tr("Model: {0}").format(name), tip)

    def offer(self, models: tuple[tuple[str, str], ...], model_id: str) -> None:
        """Fill the menu with the ids and names of models, of which one is in use."""
        menu = self.menu()
        for old in self._models.actions():
            self._models.removeAction(old)
            menu.removeAction(old)
            old.deleteLater()
        for offered, name in models:
            action = QAction(
                name.replace("&", "&&"), self._models, checkable=True, checked=offered == model_id
            )
            action.setData(offered)
            menu.insertAction(self._settings, action)

    def _choose(self, action: QAction) -> None:
        self.chosen.emit(action.data())
