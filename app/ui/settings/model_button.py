"""The button that says which model writes the answers, and lets the user choose another."""

from __future__ import annotations

import re

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QActionGroup, QResizeEvent
from PySide6.QtWidgets import QMenu, QToolButton

_CLAUDE = re.compile(r"claude-([a-z]{1,20})-(\d{1,2})(?:-(\d{1,2}))?(?:-\d{8})?")
_LEAST_WIDTH = 64


def model_name(model_id: str) -> str:
    """Return what people call a model whose name the server has not told."""
    if (parts := _CLAUDE.fullmatch(model_id)) is None:
        return model_id
    family, major, minor = parts.groups()
    return f"Claude {family.title()} {major}{f'.{minor}' if minor else ''}"


class ModelButton(QToolButton):
    """Its menu holds the models of the server, as far as they are known."""

    chosen = Signal(str)  # the id of a model
    opened = Signal()  # list the models, if they are not known
    settings_requested = Signal()

    def __init__(self) -> None:
        super().__init__()
        self._name = ""
        self.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        self.setProperty("scale", "caption")
        self._menu = QMenu(self)
        self._menu.aboutToShow.connect(self.opened)
        self.setMenu(self._menu)

    def show_model(self, model_id: str, *, can_answer: bool) -> None:
        """Show the model, or that there is none and answers are passages."""
        self._name = model_name(model_id) if can_answer else self.tr("Search only")
        what = self.tr("Answers are written by {0}.").format(self._name)
        if not can_answer:
            what = self.tr("You get the best passages. Add a key for written answers.")
        self.setToolTip(what)
        self.setAccessibleName(self.tr("Model: {0}").format(self._name))
        self.updateGeometry()
        self._fit()

    def offer(self, models: tuple[tuple[str, str], ...], model_id: str) -> None:
        """Fill the menu with the ids and names of models, of which one is in use."""
        self._menu.clear()
        group = QActionGroup(self._menu)
        for offered, name in models:
            action = self._menu.addAction(name.replace("&", "&&"))
            action.setCheckable(True)
            action.setChecked(offered == model_id)
            action.setData(offered)
            group.addAction(action)
        group.triggered.connect(lambda action: self.chosen.emit(action.data()))
        if models:
            self._menu.addSeparator()
        self._menu.addAction(self.tr("Settings…")).triggered.connect(self.settings_requested)

    # Qt

    def sizeHint(self) -> QSize:
        hint, metrics = super().sizeHint(), self.fontMetrics()
        extra = metrics.horizontalAdvance(self._name) - metrics.horizontalAdvance(self.text())
        return hint + QSize(extra, 0)

    def minimumSizeHint(self) -> QSize:
        return QSize(_LEAST_WIDTH, super().sizeHint().height())

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()

    def _fit(self) -> None:
        around = super().sizeHint().width() - self.fontMetrics().horizontalAdvance(self.text())
        room = self.width() - around
        self.setText(self.fontMetrics().elidedText(self._name, Qt.TextElideMode.ElideRight, room))
