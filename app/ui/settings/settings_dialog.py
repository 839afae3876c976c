"""The settings dialog and its pages."""

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from itertools import pairwise

from PySide6.QtCore import QSignalBlocker, Qt, Signal
from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import QComboBox, QFrame, QLineEdit, QListWidget, QPushButton, QSpinBox, QWidget

from app.config.secrets import KeyStatus
from app.config.settings import LIMITS, Settings
from app.domain.embedding_models import MULTILINGUAL, MULTILINGUAL_MEGABYTES
from app.ui.settings.answers_page import AnswersPage
from app.ui.settings.draft import Link, SettingsDraft
from app.ui.settings.page import Page
from app.ui.settings.ways import Ways
from app.ui.widgets import show_dialogs as show
from app.ui.widgets.building import Cell, hbox, push_button, stack, vbox
from app.ui.widgets.desktop import ask_for_folder
from app.ui.widgets.dialog import Dialog
from app.ui.widgets.form import Row
from app.ui.widgets.messages import offered_languages
from app.ui.widgets.theme import TEXT_SIZES

_OTHER = "other"


class EmbeddingModelField(QWidget):
    """A choice of models, and a line for a folder if neither of Lectern's is wanted."""

    changed = Signal()  # ``value``

    def __init__(self, before: str) -> None:
        super().__init__()
        self._before = before
        name = self.tr("Course languages")
        self.box = QComboBox(self)
        self.box.setAccessibleName(name)
        # Narrower than its longest text, which would widen the page.
        self.box.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        self.box.addItem(self.tr("English (built in)"), "")
        languages = self.tr("All languages (about {0} MB, once)")
        self.box.addItem(languages.format(MULTILINGUAL_MEGABYTES), MULTILINGUAL)
        self.box.addItem(self.tr("Another model…"), _OTHER)
        self.line = QLineEdit()
        self.line.setAccessibleName(self.tr("Folder of the embedding model"))
        self.choose_button = push_button(self.tr("Choose folder…"), self._choose, compact=True)
        self._other = QWidget(self)
        hbox(Cell(self.line, 1), self.choose_button, spacing=8, parent=self._other)
        vbox(self.box, self._other, spacing=8, parent=self)
        self.row = Row(name, self)
        self.show_value(before)
        self.box.currentIndexChanged.connect(self._change_kind)
        self.line.textChanged.connect(self._change)

    @property
    def value(self) -> str:
        """What to save in the settings; "" if another model is wanted but not named."""
        return self.line.text().strip() if self.is_other else str(self.box.currentData())

    @property
    def is_other(self) -> bool:
        return bool(self.box.currentData() == _OTHER)

    def show_value(self, value: str) -> None:
        at = self.box.findData(value)
        with QSignalBlocker(self.box), QSignalBlocker(self.line):
            self.box.setCurrentIndex(at if at >= 0 else self.box.findData(_OTHER))
            self.line.setText("" if at >= 0 else value)  # a long path shows its end, the model's name
        self._explain()

    def _choose(self) -> None:
        title = self.tr("Choose a folder with an embedding model")
        ask_for_folder(self, title, self.line.text(), lambda folder: self.line.setText(str(folder)))

    def _change_kind(self) -> None:
        self._change()
        if self.is_other:
            self.line.setFocus()

    def _change(self) -> None:
        self._explain()
        self.changed.emit()

    def _explain(self) -> None:
        """Say what the chosen model is for, or what choosing it brings."""
        self._other.setVisible(self.is_other)
        self.setFocusProxy(self.line if self.is_other else self.box)
        if self.is_other and self.value in ("", self._before):
            self.row.explain(self.tr("The folder of a sentence-transformers model."))
        elif self.value != self._before:
            self.row.warn(self._consequence())
        elif self.value == MULTILINGUAL:
            self.row.explain(
                self.tr("Finds passages by meaning in about 100 languages, whichever of them you ask in.")
            )
        else:
            self.row.explain(self.tr("Finds passages by meaning, best in English."))

    def _consequence(self) -> str:
        if self.value == MULTILINGUAL:
            return self.tr(
                "When you save the settings, the model is downloaded from the Hugging Face Hub, unless it "
                "is here already, and all files are read again. You can search meanwhile."
            )
        return self.tr("When you save the settings, all files are read again. That may take a while.")


_WIDTH, _HEIGHT = 760, 560
_LEAST_WIDTH, _LEAST_HEIGHT = 640, 360
_LIST_WIDTH = 160


class SettingsDialog(Dialog):
    """A list of pages beside the current one; nothing takes effect before it is saved."""

    # Settings; a key to store, or None; whether to remove the stored one. ``finish`` or ``stay`` answers.
    save_requested = Signal(object, object, bool)

    def __init__(
        self,
        settings: Settings,
        key_status: KeyStatus,
        parent: QWidget | None = None,
        page: str = "answers",
        links: Sequence[Link] = (),
        pages: Mapping[str, tuple[str, Callable[[str, SettingsDraft], Page]]] | None = None,
        ways: Ways | None = None,
    ) -> None:
        super().__init__(self.tr("Settings"), parent)
        self.draft = SettingsDraft(settings, key_status, self, links, ways)
        self.draft.link_chosen.connect(self._follow)
        self._link: Link | None = None  # is followed once everything is saved
        self._kinds: dict[str, tuple[str, Callable[[str, SettingsDraft], Page]]] = {
            "answers": (self.tr("Answers"), AnswersPage),
            "library": (self.tr("Library"), LibraryPage),
            **(pages or {}),
            "appearance": (self.tr("Appearance"), AppearancePage),
            "languages": (self.tr("Languages"), LanguagesPage),
            "advanced": (self.tr("Advanced"), AdvancedPage),
        }
        self.list = QListWidget()
        self.list.setAccessibleName(self.tr("Pages"))
        self.list.addItems([title for title, _ in self._kinds.values()])
        self._pages: dict[str, Page] = {}  # those that were asked for: all of them would take 0.1 s
        self._at_bottom: list[QPushButton] = []
        self._stack = stack()
        self.page("answers")  # whose key is looked at in the end
        self.list.currentRowChanged.connect(lambda row: self._stack.setCurrentWidget(self._page_at(row)))
        self._lay_out()
        self.show_page(page)

    def page(self, name: str) -> Page:
        if name not in self._pages:
            title, kind = self._kinds[name]
            page = self._pages[name] = kind(title, self.draft)
            self._stack.addWidget(page)
            parts = page.findChildren(QWidget)
            *_, last = (part for part in parts if part.focusPolicy() & Qt.FocusPolicy.TabFocus)
            for before, after in pairwise((last, *self._at_bottom)):
                QWidget.setTabOrder(before, after)
        return self._pages[name]

    @property
    def answers(self) -> AnswersPage:
        page = self.page("answers")
        assert isinstance(page, AnswersPage)
        return page

    @property
    def languages(self) -> "LanguagesPage":
        page = self.page("languages")
        assert isinstance(page, LanguagesPage)
        return page

    def show_page(self, name: str) -> None:
        self.list.setCurrentRow(list(self._kinds).index(name))

    def accept(self) -> None:
        """Save what was changed, and close once it is saved; stay if a field holds a mistake."""
        for name, page in self._pages.items():
            if (field := page.mistake()) is not None:
                self.show_page(name)
                field.setFocus(Qt.FocusReason.OtherFocusReason)
                page.ensureWidgetVisible(field)
                return
        key, draft = self.answers.key, self.draft
        if draft.wanted == draft.in_effect and not key.new_key and not key.remove_key:
            self.finish()
        else:
            self._enable(False)
            self.save_requested.emit(draft.wanted, key.new_key, key.remove_key)

    def finish(self) -> None:
        """Close: everything is saved."""
        super().accept()
        if self._link is not None:
            self._link.run()

    def stay(self, reason: str) -> None:
        """Say why nothing was saved."""
        self._link = None
        self._enable(True)
        show.show_error(self, self.windowTitle(), reason)

    def reject(self) -> None:
        """Close, unless what is being saved still has to be answered."""
        if self.save_button.isEnabled():
            super().reject()

    def done(self, result: int) -> None:
        self.draft.test_stopped.emit()
        self.answers.key.edit.clear()
        super().done(result)

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        if not event.spontaneous():
            line = self.answers.key.edit
            needs_key = line.isVisible() and not self.draft.facts.key.hint
            (line if needs_key else self.list).setFocus()

    def _lay_out(self) -> None:
        self.list.ensurePolished()
        self.list.setFixedWidth(max(_LIST_WIDTH, self.list.sizeHintForColumn(0) + 8))
        left = QWidget()
        left.setProperty("panel", "window")
        vbox(Cell(self.list, 1), margins=(12, 16, 12, 16), parent=left)
        line = QFrame()
        line.setFrameShape(QFrame.Shape.VLine)
        content = QWidget()
        hbox(left, line, Cell(self._stack, 1), parent=content)
        self.fill_with(content)
        reset = self.add_button(self.tr("Reset page"), self._reset, at_left=True)
        cancel = self.add_button(self.tr("Cancel"), self.reject)
        self.save_button = self.add_button(self.tr("Save"), self.accept, kind="primary", is_default=True)
        self._at_bottom = [reset, cancel, self.save_button]
        self.setMinimumSize(_LEAST_WIDTH, _LEAST_HEIGHT)
        self.resize_to(_WIDTH, _HEIGHT)

    def _enable(self, enabled: bool) -> None:
        for button in self._at_bottom:
            button.setEnabled(enabled)

    def _reset(self) -> None:
        self.draft.reset(self._page_at(self.list.currentRow()).settings)

    def _page_at(self, row: int) -> Page:
        return self.page(list(self._kinds)[row])

    def _follow(self, link: Link) -> None:
        self._link = link
        self.accept()


class LibraryPage(Page):
    """How files are kept."""

    def build(self) -> None:
        tr = self.tr
        about = tr("Files you add, edit or delete there are updated in Lectern automatically.")
        self.check("sync_folders", tr("Folders"), tr("Watch my folders"), about)
        about = tr("Once everything else is read, on this computer; a page takes a few seconds.")
        self.check("recognize_text", tr("Scans"), tr("Recognize text in scanned pages"), about)
        about = tr("Disk space for backups: 7 daily, 4 weekly, 3 monthly.")
        self.number("backup_gigabytes", tr("Backups"), about, unit=tr(" GB"), none=tr("No backups"))
        for link in self.draft.links:
            button = QPushButton(link.action, autoDefault=False)
            button.clicked.connect(partial(self.draft.link_chosen.emit, link))
            self._section.add(link.title, button, link.about)


class AppearancePage(Page):
    """What the window looks like."""

    def build(self) -> None:
        tr = self.tr
        themes = {"system": tr("Match system"), "light": tr("Light"), "dark": tr("Dark")}
        self.choice("theme", tr("Theme"), themes, tr("Light or dark colours."))
        wanted = sorted({*TEXT_SIZES, self.draft.wanted.text_size})
        sizes = {size: tr("{0}%").format(size) for size in wanted}
        self.choice("text_size", tr("Text size"), sizes, tr("In the window, answers and lessons."))
        still = tr(
            "Progress bars stay still while you wait. "
            "On Windows and macOS, the system's setting does this, too."
        )
        self.check("reduce_motion", tr("Motion"), tr("Reduce motion"), still)
        about = tr("Only while you work in another window.")
        self.check("notify", tr("Notifications"), tr("Tell me when reading or an answer ends"), about)


class LanguagesPage(Page):
    def build(self) -> None:
        languages = {"": self.tr("Match system"), **offered_languages()}
        about = self.tr("Takes effect when you restart Lectern.")
        self.choice("language", self.tr("Language"), languages, about)
        self.model = EmbeddingModelField(self.draft.in_effect.embedding_model)
        self._section.add_tall(self.model.row)
        self.settings.append("embedding_model")
        self.model.changed.connect(self._change_model)

    def show_settings(self) -> None:
        super().show_settings()
        self.model.show_value(self.draft.wanted.embedding_model)

    def mistake(self) -> QWidget | None:
        if self.model.is_other and not self.model.value:
            self.model.row.fail(self.tr("Choose the folder of a model."))
            return self.model
        return None

    def _change_model(self) -> None:
        self.draft.change(embedding_model=self.model.value)


class AdvancedPage(Page):
    """What few people need to change."""

    def build(self) -> None:
        tr = self.tr
        about = tr("Lectern searches before it asks the model, so most answers take one request, not two.")
        self.check("send_passages", tr("Faster answers"), tr("Send passages along"), about)
        about = tr("Answers from a few sentences of your courses. Always on for a model on this computer.")
        self.check("short_prompts", tr("Small models"), tr("Short prompts, for small models"), about)
        about = tr(
            "If you restrict a question to courses or lessons up to this length, the model gets all of their "
            "text. The price is shown before you ask."
        )
        tokens = tr(" tokens")
        self.number(
            "whole_scope_tokens", tr("Whole lessons"), about, unit=tokens, step=1000, none=tr("Never")
        )
        about = tr("Earlier questions and answers sent with each question.")
        self.number("exchanges_remembered", tr("Memory"), about)
        about = tr("More passages give the model more to work with, but cost more and take longer.")
        self.number("passages_per_search", tr("Passages per search"), about)
        about = tr("Texts are split into passages of about this length, at sentence ends.")
        self._size = self.number("chunk_size", tr("Passage length"), about, unit=tr(" characters"), step=100)
        about = tr("How much a passage repeats of the one before; at most half its length.")
        self._overlap = self.number("chunk_overlap", tr("Overlap"), about, unit=tr(" characters"), step=10)

    def update_rows(self) -> None:
        wanted, in_effect, overlap = self.draft.wanted, self.draft.in_effect, self._overlap.field
        assert isinstance(overlap, QSpinBox)
        with QSignalBlocker(overlap):
            overlap.setMaximum(min(LIMITS["chunk_overlap"][1], wanted.chunk_size // 2))
        for row, changed in (
            (self._size, wanted.chunk_size != in_effect.chunk_size),
            (self._overlap, wanted.chunk_overlap != in_effect.chunk_overlap),
        ):
            if changed:
                row.warn(
                    self.tr("When you save the settings, all files are read again. That may take a while.")
                )
            else:
                row.help()
