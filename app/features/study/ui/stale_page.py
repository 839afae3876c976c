"""What rests on sentences that have changed: a list, and the old and the new sentence."""

import re
from collections import Counter
from difflib import SequenceMatcher
from functools import partial

from PySide6.QtCore import Qt
from PySide6.QtGui import QKeySequence
from PySide6.QtWidgets import QLabel, QListWidget, QListWidgetItem, QSplitter, QWidget

from app.domain.plain_text import harmless
from app.features.study.making import MakeDone, MakeEvent, again
from app.features.study.model.items import Deck, StaleQuote
from app.features.study.ui.card_html import as_read, kind_name, marked
from app.features.study.ui.controller import StudyController
from app.features.study.ui.pane import StudyPage
from app.ui.widgets.accessibility import announce
from app.ui.widgets.bars import UndoBar
from app.ui.widgets.building import Cell, FlowLayout, Stretch, hbox, push_button, shortcut, stack, vbox
from app.ui.widgets.messages import shown
from app.ui.widgets.source_labels import source_label
from app.ui.widgets.text_labels import plain_label
from app.ui.widgets.theme import Theme

_ENTRY = Qt.ItemDataRole.UserRole


class StalePage(StudyPage):
    """Lists what is stale in all decks and chats; nothing is changed or deleted by itself."""

    def __init__(self, study: StudyController) -> None:
        super().__init__()
        self.title = self.tr("What changed")
        self._controller, self._jobs = study, study.jobs
        self.list = QListWidget()
        self.list.setAccessibleName(self.title)
        self.list.setUniformItemSizes(True)
        self.list.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.list.currentItemChanged.connect(self._show_detail)
        self.list.itemActivated.connect(lambda _: self._open())
        self._nothing = plain_label(
            self.tr("Every saved answer and every item rests on sentences that are in your courses."), "muted"
        )
        self._nothing.setAlignment(Qt.AlignmentFlag.AlignTop)
        self._nothing.setContentsMargins(16, 16, 16, 16)
        self._about, self._place = plain_label("", "strong"), plain_label("", "caption")
        self._claim = plain_label("")
        self.old, self.now = _version(), _version()
        self._now_heading = plain_label("", "caption")
        button = partial(push_button, compact=True)
        self.open_source = button(self.tr("Open source"), self._open)
        self.ask_again = button(self.tr("Ask again"), self._ask_again)
        self.make_again = button(self.tr("Make again"), self._make_again)
        self._outcome = plain_label("", "caption")
        self.keep = button("", self._keep)
        self.delete = button(self.tr("Delete"), self._delete)
        shortcut(QKeySequence.StandardKey.Delete, self.list, self._delete)
        self.undo_bar = UndoBar(self.list.setFocus)
        self.undo_bar.undo_requested.connect(self._restore)
        self._lay_out()
        self._outcome.hide()
        study.jobs.stale_counted.connect(self._load)

    # ---- as a page ----

    def show_deck(self, deck: Deck | None) -> None:
        self._load()

    def focus_first(self) -> None:
        target = self._nothing if self._pages.currentWidget() is self._nothing else self.list
        target.setFocus(Qt.FocusReason.TabFocusReason)

    def draw(self) -> None:
        self._show_detail()

    # ---- building ----

    def _lay_out(self) -> None:
        versions = hbox(
            Cell(vbox(plain_label(self.tr("As it was"), "caption"), self.old, Stretch(), spacing=2), 1),
            Cell(vbox(self._now_heading, self.now, Stretch(), spacing=2), 1),
            spacing=16,
        )
        parts = self.open_source, self.ask_again, self.make_again, self.keep, self.delete
        buttons = QWidget()
        buttons.setLayout(FlowLayout(8, *parts))
        self._detail = QWidget()
        about = vbox(self._about, self._claim, self._place, spacing=2)
        vbox(about, versions, Stretch(), buttons, parent=self._detail, spacing=12, margins=(0, 8, 0, 8))
        splitter = QSplitter(Qt.Orientation.Vertical, handleWidth=1, childrenCollapsible=False)
        splitter.addWidget(self.list)
        splitter.addWidget(self._detail)
        splitter.setStretchFactor(0, 2)
        splitter.setStretchFactor(1, 3)
        self._pages, column = stack(splitter, self._nothing), QWidget()
        vbox(self.undo_bar, Cell(self._pages, 1), self._outcome, parent=column, spacing=8)
        self.lay_out(column, width=1200)

    # ---- what is listed ----

    def _load(self) -> None:
        self._jobs.read("Listing what changed", lambda study: study.stale.entries()).run(
            self, success=self._show
        )

    def _show(self, entries: tuple[StaleQuote, ...]) -> None:
        row = max(self.list.currentRow(), 0)
        self.list.clear()
        kinds = [kind_name(one.item.kind) if one.item else self.tr("Answer") for one in entries]
        names = [f"{kind} · {harmless(one.title)}" for kind, one in zip(kinds, entries, strict=True)]
        times = Counter(names)
        for entry, name in zip(entries, names, strict=True):
            # An answer is listed with each sentence that it rests on.
            item = QListWidgetItem(
                name if times[name] == 1 else f"{name} · {as_read(entry.source, entry.quote)}", self.list
            )
            item.setData(_ENTRY, entry)
        self.list.setCurrentRow(min(row, len(entries) - 1))
        self._pages.setCurrentIndex(0 if entries else 1)

    @property
    def entry(self) -> StaleQuote | None:
        item = self.list.currentItem()
        entry: StaleQuote | None = None if item is None else item.data(_ENTRY)
        return entry

    def _show_detail(self) -> None:
        entry = self.entry
        if entry is None:
            return
        self._about.setText(harmless(entry.title))
        self._claim.setText(harmless(entry.claim))
        self._claim.setVisible(bool(entry.claim))
        self._place.setText(source_label(entry.source.hit))
        old, now = marked_versions(
            as_read(entry.source, entry.quote), as_read(entry.source, entry.now), Theme.current()
        )
        self.old.setText(old)
        self.now.setText(now)
        self._now_heading.setText(self.tr("As it is now") if entry.now else self.tr("Nothing is there now"))
        is_item = entry.item_id is not None
        self.ask_again.setVisible(not is_item)
        self.make_again.setVisible(is_item and self._controller.pane.has_model)
        self.delete.setVisible(is_item)
        keep = self.tr("Use the new sentence") if is_item and entry.now else self.tr("Keep as it is")
        self.keep.setText(keep)

    # ---- what is done ----

    def _open(self) -> None:
        if (entry := self.entry) is not None:
            finding = self._jobs.read("Opening a source", lambda study: study.stale.place_of(entry))
            finding.run(self, success=self._controller.show_source)

    def _ask_again(self) -> None:
        if (entry := self.entry) is not None:
            self._controller.ask_again(entry)

    def _make_again(self) -> None:
        entry = self.entry
        if entry is not None and entry.item is not None:
            self._say(self.tr("Making it again…"))
            self.make_again.setEnabled(False)
            job = self._jobs.make(again(entry.item))
            job.run(self, event=self._made, finished=lambda: self.make_again.setEnabled(True))

    def _made(self, event: MakeEvent) -> None:
        if isinstance(event, MakeDone):
            self._say(shown(event.error or event.summary))

    def _say(self, sentence: str) -> None:
        self._outcome.setText(sentence)
        self._outcome.setVisible(bool(sentence))
        announce(self, sentence)

    def _keep(self) -> None:
        if (entry := self.entry) is not None:
            self._outcome.hide()
            self._jobs.keep(entry).run(self, success=self._kept)

    def _kept(self, is_as_before: bool) -> None:
        if is_as_before:
            self._say(
                self.tr("The item now rests on the new sentence. Check its own text, which is unchanged.")
            )

    def _delete(self) -> None:
        entry = self.entry
        if entry is not None and entry.item_id is not None:
            key = entry.item_id
            deleted = (*self.undo_bar.offered, key)
            self.undo_bar.offer(deleted, self.tr("Deleted %Ln item(s)", None, len(deleted)))
            self._jobs.change("Deleting study material", lambda study: study.delete([key])).run(self)

    def _restore(self, keys: tuple[int, ...]) -> None:
        self._jobs.change("Restoring study material", lambda study: study.restore(keys)).run(self)


def _version() -> QLabel:
    label = QLabel(textFormat=Qt.TextFormat.RichText, wordWrap=True)
    label.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
    label.setAlignment(Qt.AlignmentFlag.AlignTop | Qt.AlignmentFlag.AlignLeft)
    return label


def marked_versions(old: str, new: str, theme: Theme) -> tuple[str, str]:
    """Return HTML of both: what is lacking now is struck out, what is new underlined and bold."""
    before, after = (list(re.finditer(r"\w+|[^\w\s]", text)) for text in (old, new))
    matcher = SequenceMatcher(None, [one[0] for one in before], [one[0] for one in after], autojunk=False)
    changes = [code[1:] for code in matcher.get_opcodes() if code[0] != "equal"]
    lacking = [(before[a].start(), before[b - 1].end()) for a, b, _, _ in changes if a < b]
    added = [(after[a].start(), after[b - 1].end()) for _, _, a, b in changes if a < b]
    gone = f'<span style="background-color:{theme.danger_bg}; text-decoration:line-through">'
    come = f'<span style="background-color:{theme.highlight}; text-decoration:underline; font-weight:600">'
    return marked(old, lacking, gone, "</span>"), marked(new, added, come, "</span>")
