"""Shows what reading a folder would do, to correct it before anything is read."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QItemSelectionModel, QModelIndex, QPoint, Qt, Signal
from PySide6.QtGui import QAction, QKeyEvent, QKeySequence
from PySide6.QtWidgets import (
    QAbstractItemView,
    QHeaderView,
    QMenu,
    QProgressBar,
    QPushButton,
    QStackedWidget,
    QTreeView,
    QWidget,
)

from app.ui.plan.edits import EditedPlan, is_free
from app.ui.plan.model import Column, PlanModel
from app.ui.plan.move_dialog import MoveDialog
from app.ui.widgets.building import Cell, Stretch, vbox
from app.ui.widgets.counts import courses_text, files_text
from app.ui.widgets.dialog import Dialog
from app.ui.widgets.file_table import in_card
from app.ui.widgets.text_labels import ElidedLabel

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from app.domain.plan import IngestPlan
    from app.ui.widgets.theme import Theme

_EXPANDED = 300  # up to this many files all courses are expanded at first
_EXCLUDED_EXPANDED = 20
_TEXT_WIDTH = 320


class PlanDialog(Dialog):
    """Shows that the folder is being scanned, then the plan as a tree.

    Signals:
        read_requested: with the Corrections to carry out.
    """

    read_requested = Signal(object)

    def __init__(self, paths: Sequence[Path], theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(self.tr("Add course material"), parent, heading=self.tr("Scanning the folder…"))
        self._theme = theme
        self._expanded: set[int] = set()
        self._known: set[int] = set()
        self._at = 0, 0
        self._model: PlanModel | None = None
        where = ElidedLabel("; ".join(map(str, paths)), Qt.TextElideMode.ElideMiddle)
        where.setProperty("role", "muted")
        self.head.addWidget(where)
        self.tree = self._make_tree()
        self._make_actions()
        self._pages = QStackedWidget()
        self._pages.addWidget(self._make_scanning())
        self._pages.addWidget(in_card(self.tree))
        self.body.addWidget(self._pages)
        self._make_buttons()
        self.resize(820, 560)
        self._update_actions()

    @property
    def draft(self) -> EditedPlan | None:
        """The plan with the corrections so far; None while the folder is scanned."""
        return None if self._model is None else self._model.draft

    def show_plan(self, plan: IngestPlan) -> None:
        model = PlanModel(EditedPlan(plan), self._theme, self)
        self._model = model
        self.tree.setModel(model)
        header = self.tree.header()
        header.setSectionResizeMode(Column.LESSON, QHeaderView.ResizeMode.Stretch)
        header.resizeSection(Column.FILE, 280)
        header.resizeSection(Column.SIZE, 88)
        model.modelAboutToBeReset.connect(self._remember)
        model.modelReset.connect(self._restore)
        model.changed.connect(self._tell)
        self.tree.selectionModel().selectionChanged.connect(self._update_actions)
        draft = model.draft
        if draft.files <= _EXPANDED or len(draft.courses) == 1:
            for row in range(len(draft.courses)):
                self.tree.expand(model.index(row, 0))
        if len(draft.excluded.items) <= _EXCLUDED_EXPANDED:
            self.tree.expand(model.find(draft.excluded.key))
        self.tree.setCurrentIndex(model.index(0, 0))
        self._pages.setCurrentIndex(1)
        self.read.show()
        for button in self._edit_buttons:
            button.show()
        self.read.setFocus()
        self._tell()

    # Building

    def _make_tree(self) -> _Tree:
        tree = _Tree(
            uniformRowHeights=True, allColumnsShowFocus=True, expandsOnDoubleClick=True, autoExpandDelay=700
        )
        tree.opened.connect(self._show_more)
        tree.ensurePolished()
        tree.setAccessibleName(self.tr("Courses and files"))
        tree.setTextElideMode(Qt.TextElideMode.ElideRight)
        tree.setSelectionMode(QAbstractItemView.SelectionMode.ExtendedSelection)
        tree.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        tree.setDragDropMode(QAbstractItemView.DragDropMode.InternalMove)
        tree.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        tree.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        tree.header().setStretchLastSection(False)
        tree.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        tree.customContextMenuRequested.connect(self._show_menu)
        tree.doubleClicked.connect(self._show_more)
        return tree

    def _make_actions(self) -> None:
        self.rename = self._action(self.tr("Rename"), Qt.Key.Key_F2, self._rename)
        self.move_to = self._action(self.tr("Move to…"), "Ctrl+M", self._move)
        self.exclude = self._action(self.tr("Exclude"), QKeySequence.StandardKey.Delete, self._exclude)
        self.include = self._action(self.tr("Include"), Qt.Key.Key_Insert, self._include)
        self._edits = (self.rename, self.move_to, self.exclude, self.include)

    def _action(self, text: str, key: Qt.Key | QKeySequence.StandardKey | str, slot: object) -> QAction:
        context = Qt.ShortcutContext.WidgetShortcut
        action = QAction(text, self.tree, shortcut=QKeySequence(key), shortcutContext=context)
        action.triggered.connect(slot)
        self.tree.addAction(action)
        return action

    def _make_scanning(self) -> QWidget:
        page = QWidget()
        bar = QProgressBar(minimum=0, maximum=0, textVisible=False)
        bar.setFixedWidth(_TEXT_WIDTH)
        bar.setAccessibleName(self.tr("Scanning the folder"))
        vbox(Stretch(), Cell(bar, 0, Qt.AlignmentFlag.AlignHCenter), Stretch(), parent=page)
        return page

    def _make_buttons(self) -> None:
        self._edit_buttons: list[QPushButton] = []
        for action in self._edits:
            button = self.add_button(action.text(), action.trigger, at_left=True)
            button.setProperty("compact", True)
            button.setToolTip(action.shortcut().toString(QKeySequence.SequenceFormat.NativeText))
            button.hide()
            self._edit_buttons.append(button)
        self.read = self.add_cancel_and(self.tr("Read"), self._accept_plan)
        self.read.hide()

    # What the user does

    def _accept_plan(self) -> None:
        if self._model is not None:
            self.read_requested.emit(self._model.draft.corrections())
        self.accept()

    def _chosen(self, *, excluded: bool | None = None) -> list[str]:
        """Return the selected files that a person decides about: all, the excluded, or the included."""
        if self._model is None:
            return []
        paths: list[str] = []
        for group, rows in self._model.chosen(self.tree.selectionModel().selection()):
            if excluded is None or excluded == (group is self._model.draft.excluded):
                items = group.items[rows.start : rows.stop]
                paths.extend(item.path for item in items if is_free(item))
        return paths

    def _rename(self) -> None:
        index = self.tree.currentIndex().siblingAtColumn(Column.LESSON)
        if self._model is not None and index.parent().isValid():
            index = index.parent()
        if self._model is not None and self._model.is_course(index):
            self.tree.setCurrentIndex(index)
            self.tree.edit(index)

    def _move(self) -> None:
        if self._model is None:
            return
        paths = self._chosen()
        if not paths:
            return
        dialog = MoveDialog(len(paths), [group.title for group in self._model.draft.courses], self)
        if dialog.ask():
            self._model.move(paths, dialog.title)

    def _exclude(self) -> None:
        if self._model is not None:
            self._model.exclude(self._chosen(excluded=False))

    def _include(self) -> None:
        if self._model is not None:
            self._model.include(self._chosen(excluded=True))

    def _show_more(self, index: QModelIndex) -> None:
        if self._model is not None:
            self._model.show_more(index)

    def _show_menu(self, position: QPoint) -> None:
        if not self.tree.indexAt(position).isValid():
            return
        menu = QMenu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        for action in self._edits:
            if action.isEnabled():
                menu.addAction(action)
        menu.popup(self.tree.viewport().mapToGlobal(position))

    # What is shown

    def _update_actions(self) -> None:
        inside = outside = False
        is_course = False
        if self._model is not None:
            chosen = self._model.chosen(self.tree.selectionModel().selection())
            excluded = self._model.draft.excluded
            inside = any(group is not excluded for group, _ in chosen)
            outside = any(
                is_free(item)
                for group, rows in chosen
                if group is excluded
                for item in group.items[rows.start : rows.stop]
            )
            is_course = len(chosen) == 1 and self._model.is_course(self.tree.currentIndex())
        enabled = (is_course, inside or outside, inside, outside)
        for action, button, can in zip(self._edits, self._edit_buttons, enabled, strict=True):
            action.setEnabled(can)
            button.setEnabled(can)

    def _remember(self) -> None:
        """Remember expanded courses and the position before the model resets."""
        model = self._model
        if model is None:
            return
        rows = range(model.rowCount())
        self._expanded = {model.key(row) for row in rows if self.tree.isExpanded(model.index(row, 0))}
        self._known = {model.key(row) for row in rows}
        group = model.group(self.tree.currentIndex())
        self._at = group.key if group is not None else 0, self.tree.verticalScrollBar().value()

    def _restore(self) -> None:
        model = self._model
        if model is None:
            return
        for row in range(model.rowCount()):
            key = model.key(row)
            is_new = key not in self._known and len(model.draft.groups[row].items) <= _EXPANDED
            if key in self._expanded or (is_new and model.is_course(model.index(row, 0))):
                self.tree.expand(model.index(row, 0))
        key, scrolled = self._at
        index = model.find(key)
        self.tree.selectionModel().setCurrentIndex(
            index if index.isValid() else model.index(0, 0),
            QItemSelectionModel.SelectionFlag.ClearAndSelect | QItemSelectionModel.SelectionFlag.Rows,
        )
        self.tree.verticalScrollBar().setValue(scrolled)

    def _tell(self) -> None:
        draft = self.draft
        if draft is None:
            return
        parts = [courses_text(len(draft.courses)), files_text(draft.files)]
        if draft.excluded.items:
            parts.append(self.tr("%Ln excluded", None, len(draft.excluded.items)))
        self.heading.setText(", ".join(parts))
        self.setAccessibleDescription(self.heading.text())
        read = self.tr("Read %Ln file(s)", None, draft.to_read)
        self.read.setText(read if draft.to_read else self.tr("Apply"))
        self._update_actions()


class _Tree(QTreeView):
    """Handles Enter on a row that offers more files; elsewhere Enter is the dialog's.

    Signals:
        opened: with that row.
    """

    opened = Signal(QModelIndex)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        model, index = self.model(), self.currentIndex()
        enter = event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter)
        if enter and isinstance(model, PlanModel) and index.parent().isValid() and model.item(index) is None:
            self.opened.emit(index)
        else:
            super().keyPressEvent(event)
