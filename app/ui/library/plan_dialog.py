"""Shows what reading a folder would do, to correct it before anything is read."""

from collections import Counter
from collections.abc import Sequence
from functools import partial
from pathlib import Path

from PySide6.QtCore import QItemSelectionModel, QPoint, Qt, Signal
from PySide6.QtGui import QAction, QKeySequence
from PySide6.QtWidgets import (
    QAbstractItemView,
    QComboBox,
    QCompleter,
    QHeaderView,
    QLineEdit,
    QMenu,
    QProgressBar,
    QPushButton,
    QTreeView,
    QWidget,
)

from app.domain.courses import Corrections, IngestPlan, LeftOutFile, Use
from app.domain.recordings import TranscriptionChoice, TranscriptionOffer
from app.ui.library.plan_edits import UNHEARD, EditedPlan, is_free
from app.ui.library.plan_model import Column, PlanModel, size_text
from app.ui.widgets.accessibility import Announcer, show_waiting
from app.ui.widgets.building import Cell, FlowLayout, Stretch, link_button, stack, vbox
from app.ui.widgets.dialog import Dialog
from app.ui.widgets.file_table import in_card
from app.ui.widgets.numbers import courses_text, files_text
from app.ui.widgets.text_labels import ElidedLabel, plain_label
from app.ui.widgets.theme import scaled

_EXPANDED = 1_000  # files of a course that is expanded by itself, at most: a tree needs time for each row
_WIDEST_SIZES = (999, 999_000_000)  # in bytes
_EXCLUDED_EXPANDED = 20


class PlanDialog(Dialog):
    """Shows that the folder is being scanned, then the plan as a tree."""

    read_requested = Signal(object)  # the Corrections to carry out
    other_way_requested = Signal(object)  # the Corrections for another plan

    def __init__(self, paths: Sequence[Path], parent: QWidget | None = None) -> None:
        super().__init__(self.tr("Add course material"), parent, heading=self.tr("Scanning the folder…"))
        self._expanded: set[int] = set()
        self._known: set[int] = set()
        self._at = 0, 0
        self._model = PlanModel(self)
        where = ElidedLabel("; ".join(map(str, paths)), Qt.TextElideMode.ElideMiddle)
        where.setProperty("role", "muted")
        self.explanation = plain_label(
            self.tr("Nothing has been read yet. Untick what you don't need; rename or move the rest."),
            "muted",
        )
        self.explanation.hide()
        self.left_out = plain_label("", "muted")
        self._recordings = QWidget()
        self._recordings_text = plain_label("", "muted", wrap=False)
        self.transcribe = link_button(self.tr("Transcribe…"), self._choose_recordings)
        self._recordings.setLayout(FlowLayout(8, self._recordings_text, self.transcribe))
        self._recordings.hide()
        self._offer: TranscriptionOffer | None = None
        self.choice: TranscriptionChoice | None = None  # of recordings to transcribe after reading
        for line in (where, self.explanation, self.left_out, self._recordings, self._make_layout_row()):
            self.head.addWidget(line)
        self._announcer = Announcer(self)
        self.tree = self._make_tree()
        self._make_actions()
        self._pages = stack(self._make_scanning(), in_card(self.tree))
        self.body.addWidget(self._pages)
        self._make_buttons()
        self.resize_to(900, 600)
        self._update_actions()

    @property
    def draft(self) -> EditedPlan:
        """The plan with the corrections so far; empty while the folder is scanned."""
        return self._model.draft

    def show_plan(self, plan: IngestPlan) -> None:
        """Show the first plan, or one with other courses, which keeps what is ticked."""
        model = self._model
        model.show_plan(plan)
        draft = model.draft
        if not self.read.isVisible():
            model.modelAboutToBeReset.connect(self._remember)
            model.modelReset.connect(self._restore)
            model.changed.connect(self._tell)
        if len(draft.courses) == 1 and len(draft.courses[0].items) <= _EXPANDED:
            self.tree.expand(model.index(0, 0))
        if len(draft.excluded.items) <= _EXCLUDED_EXPANDED:
            self.tree.expand(model.find(draft.excluded.key))
        self.tree.setCurrentIndex(model.index(0, 0))
        self._pages.setCurrentIndex(1)
        self.explanation.show()
        self.read.show()
        self.read.setEnabled(True)
        self._show_layout()
        for button in self._edit_buttons:
            button.show()
        self.read.setFocus()
        self._tell()

    def unheard(self) -> list[str]:
        """Return the recordings of the plan that could be transcribed."""
        items = self.draft.excluded.items
        return [item.path for item in items if isinstance(item, LeftOutFile) and item.reason.id == UNHEARD]

    def offer_recordings(self, offer: TranscriptionOffer) -> None:
        self._offer = offer
        self._recordings.setVisible(bool(offer.recordings))
        self.transcribe.setVisible(bool(offer.models))
        self._tell_recordings()

    def _choose_recordings(self) -> None:
        from app.ui.library.transcription_dialog import TranscriptionDialog

        if self._offer is not None:
            dialog = TranscriptionDialog(self._offer, self)
            dialog.begin.setText(self.tr("Transcribe after reading"))
            dialog.chosen.connect(self._take_recordings)
            dialog.open()

    def _take_recordings(self, choice: TranscriptionChoice) -> None:
        self.choice = choice
        self._tell_recordings()
        self.read.setFocus()

    def _tell_recordings(self) -> None:
        from app.ui.library.transcription_dialog import amount_text

        if self._offer is None:
            return
        text = self.tr("Without captions: {0}.").format(amount_text(self._offer))
        if self.choice is not None:
            chosen = self.choice.paths
            some = tuple(one for one in self._offer.recordings if one.path in chosen)
            model = next((one for one in self._offer.models if one.id == self.choice.model), None)
            amount = amount_text(self._offer._replace(recordings=some, best=model))
            text = self.tr("Transcribed after reading: {0}.").format(amount)
        self._recordings_text.setText(text)
        self.transcribe.setAccessibleDescription(text)
        self._announcer.show(text)

    def _make_layout_row(self) -> QWidget:
        self._layout_row = QWidget()
        self.layout_text = plain_label("", "muted", wrap=False)
        self.other_way = link_button("", self._take_other_way)
        self._layout_row.setLayout(FlowLayout(8, self.layout_text, self.other_way))
        self._layout_row.hide()
        return self._layout_row

    def _show_layout(self) -> None:
        """Say whether chosen folders are one course each, and offer the other way."""
        folders = self.draft.folders
        self._layout_row.setVisible(bool(folders))
        self.other_way.setEnabled(True)
        several = len(folders) > 1
        make_one = self.tr("Make each of these folders one course") if several else self.tr("Make one course")
        if all(folder.one_course for folder in folders):
            one = self.tr("Each of these folders is one course.") if several else self.tr("It is one course.")
            if not several and len(self.draft.courses) > 1:
                one = self.tr("Files that name no course of their own form one course.")
            text, other = one, self.tr("Make each folder inside a course")
        elif any(folder.one_course for folder in folders):
            text, other = self.tr("Some of these folders are one course, others are several."), make_one
        else:
            text, other = self.tr("Each folder inside is a course."), make_one
        self.layout_text.setText(text)
        self.other_way.setText(other)

    def _left_out(self) -> str:
        """Say in one line how many files of each kind are left out, besides recordings to transcribe."""
        items = self.draft.excluded.items
        count = Counter(item.reason.id for item in items if isinstance(item, LeftOutFile))
        pictures = count["ingest.illustration"] + count["ingest.no_text_picture"]
        recordings = count["ingest.no_text_recording"]
        copies = count["ingest.translation"]
        data = count["ingest.data_file"] + count["ingest.no_text_data"]
        programs = count["ingest.source_code"] + count["ingest.of_a_program"]
        kinds = (
            (pictures, self.tr("%Ln picture(s)", None, pictures)),
            (recordings, self.tr("%Ln recording(s)", None, recordings)),
            (copies, self.tr("%Ln translation(s)", None, copies)),
            (data, self.tr("%Ln data file(s)", None, data)),
            (programs, self.tr("%Ln program file(s)", None, programs)),
        )
        named = [text for number, text in kinds if number]
        if named and (others := self.draft.left_out - count[UNHEARD] - sum(number for number, _ in kinds)):
            named.append(self.tr("%Ln other file(s)", None, others))
        return self.tr("Left out: {0}.").format(", ".join(named)) if named else ""

    def _take_other_way(self) -> None:
        self.read.setEnabled(False)  # until the other plan is there
        self.other_way.setEnabled(False)
        one_course = not all(folder.one_course for folder in self.draft.folders)
        paths = [folder.path for folder in self.draft.folders]
        self.other_way_requested.emit(Corrections(one_course=tuple((path, one_course) for path in paths)))

    def _make_tree(self) -> QTreeView:
        tree = QTreeView(uniformRowHeights=True, allColumnsShowFocus=True, expandsOnDoubleClick=True)
        tree.ensurePolished()
        tree.setAccessibleName(self.tr("Courses and files"))
        tree.setTextElideMode(Qt.TextElideMode.ElideRight)
        tree.setSelectionMode(QAbstractItemView.SelectionMode.ExtendedSelection)
        tree.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        tree.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        tree.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        tree.setModel(self._model)
        tree.selectionModel().selectionChanged.connect(self._update_actions)
        header = tree.header()
        header.setStretchLastSection(False)
        for column in (Column.LESSON, Column.FILE):  # names and reasons share the room
            header.setSectionResizeMode(column, QHeaderView.ResizeMode.Stretch)
        header.setSectionResizeMode(Column.USE, QHeaderView.ResizeMode.ResizeToContents)
        widest = max(map(tree.fontMetrics().horizontalAdvance, map(size_text, _WIDEST_SIZES)))
        header.resizeSection(Column.SIZE, widest + 24)
        tree.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        tree.customContextMenuRequested.connect(self._show_menu)
        return tree

    def _make_actions(self) -> None:
        self.rename = self._action(self.tr("Rename"), Qt.Key.Key_F2, self._rename)
        self.move_to = self._action(self.tr("Move to…"), "Ctrl+M", self._move)
        self.exclude = self._action(self.tr("Exclude"), QKeySequence.StandardKey.Delete, self._exclude)
        self.include = self._action(self.tr("Include"), Qt.Key.Key_Insert, self._include)
        self._edits = (self.rename, self.move_to, self.exclude, self.include)
        self.use_as = QMenu(self.tr("Use as"), self)
        for use, name in self._model.uses.items():
            self.use_as.addAction(name, partial(self._use_as, use))

    def _action(self, text: str, key: Qt.Key | QKeySequence.StandardKey | str, slot: object) -> QAction:
        # Renaming needs no click before it; the other keys mean something else in a field.
        anywhere, tree = Qt.ShortcutContext.WindowShortcut, Qt.ShortcutContext.WidgetShortcut
        context = anywhere if key == Qt.Key.Key_F2 else tree
        action = QAction(text, self.tree, shortcut=QKeySequence(key), shortcutContext=context)
        action.triggered.connect(slot)
        self.tree.addAction(action)
        return action

    def _make_scanning(self) -> QWidget:
        page = QWidget()
        bar = QProgressBar(textVisible=False)
        show_waiting(bar)
        bar.setFixedWidth(320)
        bar.setAccessibleName(self.tr("Scanning the folder"))
        vbox(Stretch(), Cell(bar, 0, Qt.AlignmentFlag.AlignHCenter), Stretch(), parent=page)
        return page

    def _make_buttons(self) -> None:
        self._edit_buttons: list[QPushButton] = []
        for action in self._edits:
            button = self.add_button(action.text(), action.trigger, at_left=True)
            button.setToolTip(action.shortcut().toString(QKeySequence.SequenceFormat.NativeText))
            action.enabledChanged.connect(button.setEnabled)
            self._edit_buttons.append(button)
        self.uses = self.add_button(self.use_as.title(), self._show_uses, at_left=True)
        self._edit_buttons.append(self.uses)
        for button in self._edit_buttons:
            button.setProperty("compact", True)
            button.hide()
        self.read = self.add_cancel_and(self.tr("Read"), self._accept_plan)
        self.read.hide()

    def _accept_plan(self) -> None:
        self.read_requested.emit(self.draft.corrections())
        self.accept()

    def _chosen(self, *, excluded: bool | None = None) -> list[str]:
        """Return the selected files that a person decides about: all, the excluded, or the included."""
        return [
            item.path
            for group, rows in self._model.chosen(self.tree.selectionModel().selection())
            for item in group.items[rows.start : rows.stop]
            if is_free(item) and excluded in (None, self.draft.is_excluded(group, item))
        ]

    def _rename(self) -> None:
        index = self.tree.currentIndex().siblingAtColumn(Column.LESSON)
        self.tree.setCurrentIndex(index)
        self.tree.edit(index)

    def _move(self) -> None:
        paths = self._chosen()
        if not paths:
            return
        dialog = MoveDialog(len(paths), [group.title for group in self.draft.courses], self)
        if dialog.ask():
            self._model.change(lambda: self.draft.move(paths, dialog.field.currentText()))

    def _exclude(self) -> None:
        paths = self._chosen(excluded=False)
        self._model.change(lambda: self.draft.exclude(paths))

    def _include(self) -> None:
        paths = self._chosen(excluded=True)
        self._model.change(lambda: self.draft.include(paths))

    def _planned(self) -> list[str]:
        """Return the selected files that the plan does not exclude."""
        return [
            item.path
            for group, rows in self._model.chosen(self.tree.selectionModel().selection())
            for item in group.items[rows.start : rows.stop]
            if self.draft.use_of(item)
        ]

    def _use_as(self, use: Use) -> None:
        paths = self._planned()
        self._model.change(lambda: self.draft.use_as(paths, use))

    def _show_uses(self) -> None:
        self.use_as.popup(self.uses.mapToGlobal(self.uses.rect().bottomLeft()))

    def _show_menu(self, position: QPoint) -> None:
        if not self.tree.indexAt(position).isValid():
            return
        menu = QMenu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        menu.addActions([action for action in self._edits if action.isEnabled()])
        if self._planned():
            menu.addMenu(self.use_as)
        menu.popup(self.tree.viewport().mapToGlobal(position))

    def _update_actions(self) -> None:
        chosen = self._model.chosen(self.tree.selectionModel().selection())
        inside, outside = bool(self._chosen(excluded=False)), bool(self._chosen(excluded=True))
        is_course = len(chosen) == 1 and self._model.is_course(self.tree.currentIndex())
        enabled = (is_course, inside or outside, inside, outside)
        for action, can in zip(self._edits, enabled, strict=True):
            action.setEnabled(can)
        self.uses.setEnabled(bool(self._planned()))

    def _remember(self) -> None:
        """Remember expanded courses and the position before the model resets."""
        model = self._model
        self._known = {group.key for group in model.groups}
        self._expanded = {key for key in self._known if self.tree.isExpanded(model.find(key))}
        group = model.group(self.tree.currentIndex())
        self._at = group.key if group is not None else 0, self.tree.verticalScrollBar().value()

    def _restore(self) -> None:
        model = self._model
        for group in model.groups:
            is_new = group.key not in self._known and group.title and len(group.items) <= _EXPANDED
            if is_new or group.key in self._expanded:
                self.tree.expand(model.find(group.key))
        key, scrolled = self._at
        index = model.find(key)
        self.tree.selectionModel().setCurrentIndex(
            index if index.isValid() else model.index(0, 0),
            QItemSelectionModel.SelectionFlag.ClearAndSelect | QItemSelectionModel.SelectionFlag.Rows,
        )
        self.tree.verticalScrollBar().setValue(scrolled)

    def _tell(self) -> None:
        draft = self.draft
        parts = [courses_text(draft.courses_read), files_text(draft.files)]
        if excluded := draft.left_out:
            parts.append(self.tr("%Ln excluded", None, excluded))
        self.heading.setText(", ".join(parts))
        self.setAccessibleDescription(self.heading.text())
        self._announcer.show(self.heading.text())
        self.left_out.setText(self._left_out())
        self.left_out.setVisible(bool(self.left_out.text()))
        read = self.tr("Read %Ln file(s)", None, draft.to_read)
        self.read.setText(read if draft.to_read else self.tr("Apply"))
        self._update_actions()


class MoveDialog(Dialog):
    """A field with the existing courses; another name makes a new course."""

    def __init__(self, files: int, titles: Sequence[str], parent: QWidget | None = None) -> None:
        super().__init__(
            self.tr("Move to course"), parent, heading=self.tr("Move %Ln file(s) to", None, files)
        )
        edit = QLineEdit(placeholderText=self.tr("Choose a course, or name a new one"))
        self.field = QComboBox(editable=True, insertPolicy=QComboBox.InsertPolicy.NoInsert)
        self.field.setLineEdit(edit)
        self.field.addItems(list(titles))
        self.field.setAccessibleName(self.tr("Course"))
        edit.setAccessibleName(self.field.accessibleName())
        self.field.setMinimumWidth(scaled(340))
        self.field.setCurrentText("")
        completer = QCompleter(list(titles), self.field, filterMode=Qt.MatchFlag.MatchContains)
        completer.setCaseSensitivity(Qt.CaseSensitivity.CaseInsensitive)
        self.field.setCompleter(completer)
        self.heading.setBuddy(self.field)
        self.body.addWidget(self.field)
        self.move_button = self.add_cancel_and(self.tr("Move"))
        self.move_button.setEnabled(False)
        self.field.currentTextChanged.connect(lambda text: self.move_button.setEnabled(bool(text.strip())))
        self.field.setFocus()
