"""The room of the panes: what gives way in a narrow window, and what grows in a wide one."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QObject

from app.ui.library.sidebar import HEADER_HEIGHT
from app.ui.widgets.building import set_look
from app.ui.widgets.theme import scaled

if TYPE_CHECKING:
    from collections.abc import Callable

    from PySide6.QtGui import QAction
    from PySide6.QtWidgets import QSplitter

    from app.ui.shell.actions import Actions

# Widths of the window at which the panes change, the first two larger with the text, and of the panes.
_FOLDS, _LIES_OVER, _WIDENS = 900, 1100, 2000
SIDEBAR_WIDTH, _WIDE_SIDEBAR = 280, 360
SOURCES_WIDTH, _OVER_WIDTH = 340, 400
_PAGES_WIDTH = 640  # while pages are shown, whose letters would be too small otherwise
_LEFT_FREE = 96  # of the chat beside the sources that lie over it
_NEAR = 8  # an edge that is this close to where it was put has not been dragged


class PaneRoom(QObject):
    """Shares the width among the sidebar, the chat and the sources, which stand in a splitter in this order.

    In a narrow window the sidebar folds and the sources lie over the chat until they are called for; both
    come back with the room. Sources are shown while there are any and their action is checked. A lesson that
    is open stays so: ``is_reading`` says whether there is one.
    """

    def __init__(self, splitter: QSplitter, actions: Actions, is_reading: Callable[[], bool]) -> None:
        super().__init__(splitter)
        sidebar, sources = actions.sidebar, actions.sources
        self._is_reading = is_reading
        self._splitter, self._sidebar_action, self._sources_action = splitter, sidebar, sources
        panes = (splitter.widget(index) for index in range(splitter.count()))
        side, self._chat, self._sources = (pane for pane in panes if pane is not None)
        self._there_are = self._is_alone = self._is_over = self._is_wide = False
        self._shows_pages = self._is_expanded = False
        self._narrow: set[QAction] = set()  # whose pane has no room of its own
        self._tucked: set[QAction] = set()  # of those, which were checked while it had
        self._uncovered: list[int] = []  # the widths before the sources took the room of the chat
        self._before: tuple[int, int] | None = None  # the sources' width before pages, and the one with them
        self._side_width = SIDEBAR_WIDTH  # when it was folded
        sidebar.toggled.connect(side.setVisible)
        sources.toggled.connect(self._show)
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
        if self._is_over:
            self._place()
        elif not self._is_expanded:
            self._widen_for_pages()

    def set_expanded(self, expanded: bool) -> None:
        """Give the sources the room of the chat as well."""
        self._is_expanded = expanded
        self._show()

    def put_back(self) -> None:
        """Open what the narrow window has folded, so that it is kept as it is with room enough."""
        for action in tuple(self._tucked):
            self._bring_back(action)
        self._lie_over(False)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.Resize:
            self._adapt(self._splitter.width())
        return super().eventFilter(watched, event)

    # ---- internals ----

    def _adapt(self, width: int) -> None:
        self._tuck(self._sidebar_action, width < scaled(_FOLDS))
        self._tuck(self._sources_action, width < scaled(_LIES_OVER))
        self._lie_over(width < scaled(_LIES_OVER))
        if self._is_wide != (width >= _WIDENS):
            self._is_wide = not self._is_wide
            self._widen_sidebar()
        if self._is_over:
            self._place()

    def _tuck(self, action: QAction, is_narrow: bool) -> None:
        """Uncheck an action when its pane loses its room; check it again when that is back."""
        if is_narrow == (action in self._narrow):
            return
        if is_narrow:
            self._narrow.add(action)
            is_read = action is self._sources_action and self._there_are and self._is_reading()
            if action.isChecked() and not is_read:
                self._tucked.add(action)
                if action is self._sidebar_action and self._splitter.isVisible():
                    self._side_width = self._splitter.sizes()[0]
                action.setChecked(False)
        else:
            self._narrow.discard(action)
            if action in self._tucked:
                self._tucked.discard(action)
                self._bring_back(action)

    def _bring_back(self, action: QAction) -> None:
        action.setChecked(True)
        if action is self._sidebar_action:  # Qt would make it as narrow as it can be
            side, chat, *others = self._splitter.sizes()
            self._splitter.setSizes([self._side_width, side + chat - self._side_width, *others])

    def _lie_over(self, over: bool) -> None:
        if over == self._is_over:
            return
        self._is_over, self._before = over, None
        if over:
            self._sources.setParent(self._splitter.parentWidget())
        else:
            side, chat = self._splitter.sizes()[:2]
            self._splitter.addWidget(self._sources)
            self._splitter.setSizes([side, chat - SOURCES_WIDTH, SOURCES_WIDTH])
        set_look(self._sources, "over", over)
        self._sources.setContentsMargins(int(over), 0, 0, 0)  # the edge that the style sheet draws
        self._show()

    def _show(self) -> None:
        there_are = self._there_are and (self._is_reading() or not self._is_alone)
        self._sources_action.setEnabled(there_are)
        shown = there_are and self._sources_action.isChecked()
        self._sources.setVisible(shown)
        self._cover_chat(shown and self._is_expanded and not self._is_over)
        if self._is_over:
            self._place()

    def _cover_chat(self, cover: bool) -> None:
        if cover == self._chat.isHidden():
            return
        wanted = self._uncovered
        if cover:
            self._uncovered = side, chat, sources = self._splitter.sizes()
            wanted = [side, 0, chat + sources]
        self._chat.setHidden(cover)
        self._splitter.setSizes(wanted)

    def _place(self) -> None:
        """Put the sources over the chat, below the bar with their button."""
        area = self._splitter.geometry().adjusted(0, scaled(HEADER_HEIGHT), 0, 0)
        width = min(_PAGES_WIDTH if self._shows_pages else scaled(_OVER_WIDTH), area.width() - _LEFT_FREE)
        area.setLeft(area.left() if self._is_expanded else area.right() + 1 - width)
        self._sources.setGeometry(area)
        self._sources.raise_()

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

    def _widen_sidebar(self) -> None:
        side, *others = self._splitter.sizes()
        before, after = SIDEBAR_WIDTH, _WIDE_SIDEBAR
        if not self._is_wide:
            before, after = after, before
        if abs(side - before) < _NEAR:
            self._splitter.setSizes([after, *others])
