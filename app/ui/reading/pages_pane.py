"""The pages of a file with what one needs to read them: zoom, page numbers, outline, search, ways back."""

from collections.abc import Callable, Sequence
from functools import partial

from PySide6.QtCore import QPoint, QPointF, Qt, Signal
from PySide6.QtGui import QIntValidator, QResizeEvent
from PySide6.QtWidgets import QLineEdit, QToolButton, QTreeWidget, QTreeWidgetItem, QWidget

from app.domain.pages import Mark, OutlineEntry, PagedFile, PageLink
from app.domain.plain_text import harmless
from app.ui.reading.page_model import FoundPlaces
from app.ui.reading.page_view import PageView, Position
from app.ui.widgets.building import Cell, Stretch, hbox, icon_button, name_button, stack, vbox
from app.ui.widgets.numbers import number_text
from app.ui.widgets.pane_keys import PaneKey, PaneShortcut, name_with_keys, with_keys
from app.ui.widgets.search_fields import FindBar
from app.ui.widgets.text_labels import plain_label
from app.ui.widgets.theme import fix

Span = tuple[int, int]
"""Two positions in the document's text."""

_MOST_ENTRIES = 1_500  # of an outline; a list of more would stall the window
_MOST_STEPS = 50  # back
_PAGES_AHEAD = 3
_LEAST, _NARROW = 240, 330  # pixels


class PagesPane(QWidget):
    """Shows a file's pages; signals ask for what the file has to be looked up for."""

    marks_requested = Signal(object)  # a Span whose place is wanted; show_marks() takes the reply
    link_activated = Signal(str)  # a web address on a page
    find_requested = Signal(str)  # words; empty to stop searching. add_hits() takes the replies

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.view = PageView(self)
        self.find_bar = FindBar(self)
        self._outline = QTreeWidget(self)
        self._file: PagedFile | None = None
        self._spans: tuple[Span, ...] = ()
        self._own: Sequence[tuple[int, Span]] = ()  # that the reader marked, by page
        self._target: Span | None = None
        self._marks: dict[Span, tuple[Mark, ...]] = {}
        self._found = FoundPlaces()
        self._back: list[Position] = []
        self._forward: list[Position] = []
        self._started = False  # the first jump leads to the citation, not away from a place
        self._build()
        self.setFocusProxy(self.view)
        self.setMinimumWidth(_LEAST)

    # ---- what is shown ----

    def show_file(self, file: PagedFile | None) -> None:
        self._file = file
        self._marks.clear()
        self._back.clear()
        self._forward.clear()
        self._started = False
        self.dismiss()
        self._stop_finding()
        self._outline.clear()
        self._stack.setCurrentWidget(self.view)
        self.view.set_file(file)
        self._contents.setVisible(file is not None and bool(file.outline))
        for part in (self._number, self._smaller, self._fit, self._larger, self._find):
            part.setEnabled(file is not None)
        self._count.setText(self.tr("of {0}").format(number_text(len(file.sizes))) if file else "")
        self._show_state()

    def set_citations(
        self, spans: Sequence[Span], target: Span, page: int, place: Mark | None = None
    ) -> None:
        """Mark cited sentences and go to one, or to a passage; ``page`` is where it should begin.

        With a ``place``, go there instead.
        """
        if self._file is None:
            return
        is_new = target != self._target or not self._marks
        self._spans, self._target = tuple(spans), target
        for span in dict.fromkeys((target, *spans)):
            if span not in self._marks:
                self.marks_requested.emit(span)
        self._show_marks()
        if place is not None:
            self._target = None  # its mark comes later, and must not move the page
            self._go(partial(self.view.show_mark, place))
        elif is_new and target in self._marks:
            self._go(partial(self._show_target))
        elif is_new:
            self._go(partial(self.view.show_page, page))

    def set_own(self, own: Sequence[tuple[int, Span]]) -> None:
        """Mark what the reader marked, each by its page, once that is near."""
        self._own = own
        self._want_own()
        self._show_marks()

    def own_at(self, point: QPoint) -> int:
        """Return where in the document begins what the reader marked at a point of the view; -1 if none."""
        page, x, y = self.view.on_page(QPointF(point))
        near = ((span, mark) for _, span in self._own for mark in self._marks.get(span, ()))
        for (start, _), mark in near:
            left, top, right, bottom = mark.box
            if mark.page == page and left <= x <= right and top <= y <= bottom:
                return start
        return -1

    def _want_own(self) -> None:
        near = range(self.view.page - 1, self.view.page + _PAGES_AHEAD)
        for page, span in self._own if self._file is not None else ():
            if page in near and span not in self._marks:
                self._marks[span] = ()
                self.marks_requested.emit(span)

    def show_marks(self, span: Span, marks: tuple[Mark, ...]) -> None:
        """Show where a sentence stands; nowhere, if it was not found on its page."""
        self._marks[span] = marks
        self._show_marks()
        if span == self._target:
            self._show_target()

    def add_hits(self, hits: Sequence[tuple[Mark, ...]], *, done: bool) -> None:
        if self._found.add(hits, self.view.page):
            self._go(partial(self.view.show_mark, self._found.current[0]))
        self._searching = not done
        self._show_hits()

    def dismiss(self) -> bool:
        """Close the outline or the search; return whether one was open."""
        if self._stack.currentWidget() is self._outline:
            self._contents.setChecked(False)
        elif self.find_bar.isVisibleTo(self):
            self._stop_finding()
        else:
            return False
        self.view.setFocus(Qt.FocusReason.OtherFocusReason)
        return True

    def go_back(self) -> bool:
        """Return to where the last jump began; return whether there was one."""
        return self._travel(self._back, self._forward)

    def go_forward(self) -> bool:
        return self._travel(self._forward, self._back)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Leave out in a narrow pane what has a key too, or can be done without."""
        super().resizeEvent(event)
        is_narrow = event.size().width() < _NARROW
        for part in (self._count, self._smaller, self._larger):
            part.setVisible(not is_narrow)
        self.find_bar.set_narrow(is_narrow)

    # ---- building ----

    def _build(self) -> None:
        self._contents = icon_button(self.tr("Contents"), 18, lambda: None, self, icon="outline")
        self._contents.setCheckable(True)
        self._contents.toggled.connect(self._show_outline)
        self.back = self._button("chevron-left", self.tr("Back"), self.go_back)
        self.forward = self._button("chevron-right", self.tr("Forward"), self.go_forward)
        # No PaneKey, since the view would scroll by it.
        go_on = PaneShortcut(self, "Alt+Right", self.forward.click, text=self.tr("Forward"))
        name_with_keys(self.forward, go_on.text, go_on)
        self._number = QLineEdit(self, alignment=Qt.AlignmentFlag.AlignRight)
        fix(self._number, width=52)
        self._number.setAccessibleName(self.tr("Page"))
        self._number.setToolTip(self.tr("Page"))
        self._number.setValidator(QIntValidator(1, 99_999, self))
        self._number.returnPressed.connect(self._go_to_number)
        self._count = plain_label("", "caption", self, wrap=False)
        smaller, larger = partial(self.view.step_zoom, -1), partial(self.view.step_zoom, 1)
        self._smaller = self._button("zoom-out", self.tr("Smaller"), smaller, ("Ctrl+-",))
        self._fit = self._button("fit-width", self.tr("Fit width"), lambda: self.view.set_zoom(None))
        self._fit_key = PaneKey(self, "Ctrl+0", self._fit.click)
        self._larger = self._button("zoom-in", self.tr("Larger"), larger, ("Ctrl++", "Ctrl+="))
        self._find = self._button("search", self.tr("Find"), self.open_find, ("Ctrl+F",))
        self._outline.setHeaderHidden(True)
        self._outline.setAccessibleName(self.tr("Contents"))
        self._outline.itemActivated.connect(self._go_to_entry)
        self._outline.itemClicked.connect(self._go_to_entry)
        self.view.setAccessibleName(self.tr("Pages"))
        self.view.page_changed.connect(self._show_state)
        self.view.page_changed.connect(self._want_own)
        self.view.link_clicked.connect(self._follow)
        self.view.zoom_changed.connect(self._show_state)
        self.find_bar.searched.connect(self._search)
        self.find_bar.stepped.connect(self._step_hit)
        self.find_bar.closed.connect(self.dismiss)
        self.find_bar.hide()
        self._searching = False
        self._stack = stack(self.view, self._outline)
        ways = (self._contents, self.back, self.forward)
        sizes = (self._smaller, self._fit, self._larger, self._find)
        row = (*ways, Stretch(), self._number, 4, self._count, Stretch(), *sizes)
        vbox(hbox(*row, margins=(8, 0, 8, 4), spacing=1), self.find_bar, Cell(self._stack, 1), parent=self)

    def _button(
        self, icon: str, name: str, clicked: Callable[[], object], keys: tuple[str, ...] = ()
    ) -> QToolButton:
        button = icon_button(name, 18, clicked, self, icon=icon)
        if keys:
            name_with_keys(button, name, PaneKey(self, keys, button.click))
        return button

    # ---- moving ----

    def _go(self, move: Callable[[], object]) -> None:
        """Jump, and remember from where."""
        before = self.view.position
        move()
        if self.view.position.page != before.page or abs(self.view.position.y - before.y) > 1:
            self._back = [*self._back, before][-_MOST_STEPS:] if self._started else []
            self._forward = []
        self._started = True
        self._show_state()

    def _travel(self, here: list[Position], there: list[Position]) -> bool:
        if self._file is None or not here:
            return False
        there.append(self.view.position)
        self.view.show_position(here.pop())
        self._show_state()
        return True

    def _follow(self, link: PageLink) -> None:
        if link.address:
            self.link_activated.emit(link.address)
        elif link.y > 0:
            self._go(partial(self.view.show_position, Position(link.page, link.y)))
        else:
            self._go(partial(self.view.show_page, link.page))

    def _go_to_number(self) -> None:
        self._go(partial(self.view.show_page, int(self._number.text() or 0)))
        self.view.setFocus(Qt.FocusReason.OtherFocusReason)

    def _show_target(self) -> None:
        if self._target is not None and (marks := self._marks.get(self._target)):
            self.view.show_mark(marks[0])

    def _show_marks(self) -> None:
        marks = [mark for span in self._spans for mark in self._marks.get(span, ())]
        known = [span for span in self._spans if self._marks.get(span)]
        current = self._marks.get(self._target, ()) if self._target in known and len(known) > 1 else ()
        own = (mark for _, span in self._own for mark in self._marks.get(span, ()))
        self.view.set_marks(marks, current if self._target is not None else (), own)

    # ---- outline ----

    def _show_outline(self, shown: bool) -> None:
        if shown and self._file is not None:
            if not self._outline.topLevelItemCount():
                self._fill_outline(self._file.outline[:_MOST_ENTRIES])
            self._stack.setCurrentWidget(self._outline)
            self._outline.setFocus(Qt.FocusReason.OtherFocusReason)
        else:
            self._stack.setCurrentWidget(self.view)

    def _fill_outline(self, entries: Sequence[OutlineEntry]) -> None:
        parents: list[QTreeWidgetItem] = []
        tops: list[QTreeWidgetItem] = []
        for entry in entries:
            item = QTreeWidgetItem([harmless(entry.title)])
            item.setData(0, Qt.ItemDataRole.UserRole, entry.page)
            item.setToolTip(0, self.tr("Page {0}").format(number_text(entry.page)))
            del parents[entry.level :]
            (parents[-1].addChild if parents else tops.append)(item)
            parents.append(item)
        self._outline.addTopLevelItems(tops)
        if len(tops) == 1:
            tops[0].setExpanded(True)

    def _go_to_entry(self, item: QTreeWidgetItem) -> None:
        self._contents.setChecked(False)
        self._go(partial(self.view.show_page, int(item.data(0, Qt.ItemDataRole.UserRole))))
        self.view.setFocus(Qt.FocusReason.OtherFocusReason)

    # ---- finding ----

    def open_find(self) -> None:
        if self._file is not None:
            self._contents.setChecked(False)
            self.find_bar.open()

    def _search(self, words: str) -> None:
        self._found.clear()
        self._searching = bool(words.strip())
        self._show_hits()
        self.find_requested.emit(words.strip())

    def _step_hit(self, steps: int) -> None:
        if place := self._found.step(steps):
            self.view.show_mark(place[0])
            self._show_hits()

    def _show_hits(self) -> None:
        self.find_bar.set_count(self._found.number, self._found.count, searching=self._searching)
        self.view.set_found(self._found)

    def _stop_finding(self) -> None:
        if self.find_bar.isVisibleTo(self):
            self.find_bar.field.clear()
            self.find_bar.hide()
        self._search("")

    # ---- what the buttons say ----

    def _show_state(self) -> None:
        if self._file is not None and not self._number.hasFocus():
            self._number.setText(str(self.view.page))
        self.back.setVisible(bool(self._back or self._forward))
        self.back.setEnabled(bool(self._back))
        self.forward.setVisible(bool(self._back or self._forward))
        self.forward.setEnabled(bool(self._forward))
        percent = self.tr("{0}% now").format(round(100 * self.view.zoom_shown))
        name_button(self._fit, f"{with_keys(self.tr('Fit width'), self._fit_key.keys())}, {percent}")
