"""The courses that questions are restricted to, as chips above the composer, and what they cost."""

from __future__ import annotations

from functools import partial
from itertools import groupby, pairwise
from typing import TYPE_CHECKING

from PySide6.QtCore import QLocale, QObject, QSize, Qt, Signal
from PySide6.QtWidgets import QFrame, QSizePolicy, QWidget

from app.domain.scope import Scope, ScopePart, scope_parts, without_course
from app.ui.widgets.building import Cell, FlowLayout, hbox, icon_button, link_button, vbox
from app.ui.widgets.numbers import dollars, number_text
from app.ui.widgets.text_labels import ElidedLabel, plain_label, plain_tool_tip
from app.ui.widgets.theme import fix_height, fix_square, row_height, scaled

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from app.domain.model_servers import WholeScope
    from app.ui.widgets.theme import Theme
    from app.workers.job import Job
    from app.workers.workers import Workers

MOST_CHIPS = 5
_CHIP_WIDTH = 300
_CHIP_HEIGHT = 28


class _ChipRows(FlowLayout):
    """Asks for the height of one row, and for no width: items shrink before the pane widens."""

    def sizeHint(self) -> QSize:
        return self.minimumSize()

    def minimumSize(self) -> QSize:
        return QSize(0, row_height(_CHIP_HEIGHT))


class _Chip(QFrame):
    """One course of the scope, with a button that removes it."""

    def __init__(self, text: str, theme: Theme, remove: Callable[[], object], parent: QWidget) -> None:
        super().__init__(parent)
        self.setObjectName("chip")
        self.label = ElidedLabel(text, Qt.TextElideMode.ElideMiddle, self)  # lessons stand last
        self.label.setProperty("role", "chip")
        self.close_button = icon_button(self.tr("Remove"), 12, remove, self)
        self.close_button.setObjectName("chip-close")
        self.close_button.setIcon(theme.icon("close", theme.text_muted))
        fix_square(self.close_button, 24)
        self.close_button.setAccessibleName(self.tr("Remove {0}").format(text))
        hbox(Cell(self.label, 1), self.close_button, margins=(10, 0, 4, 0), spacing=4, parent=self)
        fix_height(self, _CHIP_HEIGHT)
        self.setMaximumWidth(scaled(_CHIP_WIDTH))
        self.setToolTip(plain_tool_tip(text))


class ScopeBar(QWidget):
    """A chip for each course of the scope; hidden while all courses are searched."""

    scope_changed = Signal(object)  # the Scope after one chip or all of them were removed

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.scope = Scope()
        self._theme = theme
        self._all_shown = False
        self.chips: list[_Chip] = []
        self._flow = _ChipRows(6)
        self._lead = plain_label(self.tr("Only in"), "caption", self, wrap=False)
        self.more = link_button("", self._show_all, self, small=True)
        clear = partial(self._change, Scope())
        self.clear_button = link_button(self.tr("Clear all"), clear, self, small=True)
        self.clear_button.setToolTip(self.tr("Search all courses"))
        for part in (self._lead, self.more, self.clear_button):
            fix_height(part, _CHIP_HEIGHT)
        self.lost = plain_label("", "warning-caption", self)
        self._rows = QWidget(self)
        self._rows.setLayout(self._flow)
        self._rows.setAccessibleName(self.tr("Courses that are searched"))
        policy = QSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Minimum)
        policy.setHeightForWidth(True)
        self._rows.setSizePolicy(policy)
        self.whole = plain_label("", "caption", self)
        # The price comes and goes a moment after the scope: above the chips, it does not move them.
        vbox(self.lost, self.whole, self._rows, spacing=4, parent=self)
        self._build()

    def set_theme(self, theme: Theme) -> None:
        self._theme = theme
        self._build()

    def set_scope(self, scope: Scope) -> None:
        if scope == self.scope:
            return
        self.scope = scope
        self.lost.setText("")
        self._build()

    def tell_lost(self, titles: Sequence[str]) -> None:
        """Name the courses that left the scope, until it changes or a question is asked."""
        if not titles:
            text = ""
        elif self.scope.is_everything:
            text = self.tr("No longer in the library: {0}. Questions now search all courses.")
        else:
            text = self.tr("No longer in the library, so not searched: {0}.")
        self.lost.setText(text.format(", ".join(map(QLocale().quoteString, titles))))
        self._show_rows()

    def tell_whole(self, whole: WholeScope | None) -> None:
        """Say what is sent along with each question, and its price; nothing for None."""
        text = ""
        if whole is not None:
            text = self.tr("All of this is sent along with each question: about {tokens} tokens.")
            if whole.first is not None and whole.again is not None:
                text = self.tr(
                    "All of this is sent along: about {tokens} tokens, {first} for the first question and "
                    "{again} for each one soon after."
                )
                text = text.replace("{first}", dollars(whole.first)).replace("{again}", dollars(whole.again))
            text = text.replace("{tokens}", number_text(whole.tokens))
        self.whole.setText(text)
        self._show_rows()

    # ---- internals ----

    def _build(self) -> None:
        parts = scope_parts(self.scope)
        shown = parts if self._all_shown or len(parts) <= MOST_CHIPS else parts[: MOST_CHIPS - 1]
        while self._flow.takeAt(0) is not None:
            pass
        for old in self.chips:
            old.hide()
            old.deleteLater()
        self.chips = [self._chip(part) for part in shown]
        hidden = len(parts) - len(shown)
        self.more.setText(self.tr("and %Ln more", "", hidden))
        self.more.hide()
        for widget in (self._lead, *self.chips, *([self.more] if hidden else []), self.clear_button):
            widget.setParent(self._rows)
            self._flow.addWidget(widget)
            widget.show()
        stops = [*(chip.close_button for chip in self.chips), self.more, self.clear_button]
        for before, after in pairwise(stops):
            QWidget.setTabOrder(before, after)
        self._show_rows()

    def _show_rows(self) -> None:
        self._rows.setVisible(not self.scope.is_everything)
        self.lost.setVisible(bool(self.lost.text()))
        self.whole.setVisible(bool(self.whole.text()))
        self.setVisible(not (self._rows.isHidden() and self.lost.isHidden()))
        self._rows.updateGeometry()

    def _chip(self, part: ScopePart) -> _Chip:
        rest = without_course(self.scope, part.title)
        return _Chip(self._words(part), self._theme, partial(self._change, rest), self._rows)

    def _words(self, part: ScopePart) -> str:
        if part.others_too:
            return self.tr("All courses, {0} up to lesson {1}").format(part.title, part.up_to)
        words = [part.title]
        numbers = [number for number in part.lessons if number is not None]
        if numbers:
            words.append(self.tr("lesson(s) {0}", "", len(numbers)).format(ranges(numbers)))
        if None in part.lessons:
            words.append(self.tr("text outside lessons"))
        if part.up_to is not None:
            words.append(self.tr("up to lesson {0}").format(part.up_to))
        return " · ".join(words)

    def _show_all(self) -> None:
        self._all_shown = True
        self._build()

    def _change(self, scope: Scope) -> None:
        self.set_scope(scope)
        self.scope_changed.emit(scope)


def ranges(numbers: Sequence[int]) -> str:
    """Return sorted numbers with runs joined: ``1–3, 5``."""
    groups = groupby(enumerate(sorted(numbers)), key=lambda pair: pair[1] - pair[0])
    runs = [[number for _, number in group] for _, group in groups]
    return ", ".join(
        str(run[0]) if len(run) == 1 else f"{run[0]}{'–' if len(run) > 2 else ', '}{run[-1]}" for run in runs
    )


class ScopePrice(QObject):
    """Keeps the price up to date with the scope and the settings."""

    def __init__(self, bar: ScopeBar, workers: Workers) -> None:
        super().__init__(bar)
        self._bar = bar
        self._workers = workers
        self._scope = Scope()
        self._job: Job[WholeScope | None] | None = None
        workers.settings_saved.connect(self._update)

    def _update(self) -> None:
        self.show_for(self._scope)

    def show_for(self, scope: Scope) -> None:
        if scope != self._scope:
            self._bar.tell_whole(None)
        self._scope = scope
        if self._job is not None:
            self._job.drop()
        job = self._workers.answers.price_scope(scope)
        # What keeps it from being known is reported by what the user asks for.
        self._job = job.run(self, success=self._bar.tell_whole, failure=lambda _: None)
