"""The room of the panes: what gives way in a narrow window, and what a lesson takes."""

from collections.abc import Callable

from PySide6.QtCore import QEvent, QObject
from PySide6.QtWidgets import QSplitter

from app.ui.shell.actions import Actions
from app.ui.widgets.theme import scaled

_FOLDS = 1000  # a narrower window has no room for the sidebar; larger with the text
SIDEBAR_WIDTH, SOURCES_WIDTH = 280, 340
_PAGES_WIDTH = 640  # while pages are shown, whose letters would be too small otherwise
_NEAR = 8  # an edge that is this close to where it was put has not been dragged


class PaneRoom(QObject):
    """Shares the width among the sidebar, the chat and the sources, which stand in a splitter in this order.

    In a narrow window the sidebar folds, and comes back with the room. Sources are shown while there are any
    and their action is checked; ``is_reading`` says whether a lesson is open.
    """

    def __init__(self, splitter: QSplitter, actions: Actions, is_reading: Callable[[], bool]) -> None:
        super().__init__(splitter)
        self._is_reading = is_reading
        self._splitter = splitter
        self._sidebar_action, self._sources_action = actions["sidebar"], actions["sources"]
        panes = (splitter.widget(index) for index in range(splitter.count()))
        side, self._chat, self._sources = (pane for pane in panes if pane is not None)
        self._there_are = self._is_alone = self._is_narrow = self._is_folded = False
        self._shows_pages = self._is_expanded = False
        self._uncovered: list[int] = []  # the widths before the sources took the room of the chat
        self._before: tuple[int, int] | None = None  # the sources' width before pages, and the one with them
        self._side_width = SIDEBAR_WIDTH  # when it was folded
        actions["sidebar"].toggled.connect(side.setVisible)
        actions["sources"].toggled.connect(self._show)
        splitter.installEventFilter(self)
        self.set_sources(False)

    def set_sources(self, there_are: bool) -> None:
        """Show the sources as their action says, or close them if there are none."""
        self._there_are = there_are
        self._show()

    def set_alone(self, is_alone: bool) -> None:
        """Show a lesson alone beside the pane of a feature: the sources of a chat give answers away."""
        self._is_alone = is_alone
        self._show()

    def open_sources(self) -> None:
        self.set_sources(True)
        self._sources_action.setChecked(True)

    def set_pages(self, shown: bool) -> None:
        """Give pages half of the room; take it back unless somebody has changed it meanwhile."""
        self._shows_pages = shown
        if not self._is_expanded:
            self._widen_for_pages()

    def set_expanded(self, expanded: bool) -> None:
        """Give the sources the room of the chat as well."""
        self._is_expanded = expanded
        self._show()

    def put_back(self) -> None:
        """Open the sidebar that a narrow window has folded, so that it is kept as it is with room enough."""
        if self._is_folded:
            self._is_folded = False
            self._sidebar_action.setChecked(True)
            # Qt would make it as narrow as it can be.
            side, chat, *others = self._splitter.sizes()
            self._splitter.setSizes([self._side_width, side + chat - self._side_width, *others])

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.Resize:
            self._adapt(self._splitter.width() < scaled(_FOLDS))
        return super().eventFilter(watched, event)

    # ---- internals ----

    def _adapt(self, is_narrow: bool) -> None:
        if is_narrow == self._is_narrow:
            return
        self._is_narrow = is_narrow
        if not is_narrow:
            self.put_back()
        elif self._sidebar_action.isChecked():
            self._is_folded = True
            if self._splitter.isVisible():
                self._side_width = self._splitter.sizes()[0]
            self._sidebar_action.setChecked(False)

    def _show(self) -> None:
        there_are = self._there_are and (self._is_reading() or not self._is_alone)
        self._sources_action.setEnabled(there_are)
        shown = there_are and self._sources_action.isChecked()
        self._sources.setVisible(shown)
        self._cover_chat(shown and self._is_expanded)

    def _cover_chat(self, cover: bool) -> None:
        if cover == self._chat.isHidden():
            return
        wanted = self._uncovered
        if cover:
            self._uncovered = side, chat, sources = self._splitter.sizes()
            wanted = [side, 0, chat + sources]
        self._chat.setHidden(cover)
        self._splitter.setSizes(wanted)

    def _widen_for_pages(self) -> None:
        side, chat, sources = self._splitter.sizes()
        wanted = min((chat + sources) // 2, _PAGES_WIDTH)
        if self._shows_pages and self._before is None and 0 < sources < wanted:
            self._before = sources, wanted
            self._splitter.setSizes([side, chat + sources - wanted, wanted])
        elif not self._shows_pages and self._before is not None:
            before, given = self._before
            self._before = None
            if abs(sources - given) < _NEAR:
                self._splitter.setSizes([side, chat + sources - before, before])
