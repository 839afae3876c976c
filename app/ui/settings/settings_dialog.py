"""The settings dialog."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from PySide6.QtCore import QSignalBlocker, Qt, Signal
from PySide6.QtWidgets import (
    QApplication,
    QComboBox,
    QLineEdit,
    QScrollArea,
    QSpinBox,
    QWidget,
)

from app.config.redaction import KEY_VARIABLE
from app.config.secrets import DEFAULT_SERVER, KeyOrigin, KeyStatus, server_name
from app.config.settings import DEFAULT_MODEL, LIMITS, Settings, overridden, with_environment
from app.domain.embedding_models import RERANKER, RERANKER_MEGABYTES
from app.domain.model_servers import Spending
from app.ui.settings.connection_test import ConnectionTest
from app.ui.settings.embedding_model_field import EmbeddingModelField
from app.ui.settings.key_field import KeyField
from app.ui.settings.validation import has_user_info, is_possible_key, is_server_address, is_unencrypted
from app.ui.widgets.building import Stretch, one_shot, set_look, vbox
from app.ui.widgets.dialog import Dialog
from app.ui.widgets.form import FIELD_WIDTH, Row, Section, WheelGuard, check_box, choice
from app.ui.widgets.messages import offered_languages
from app.ui.widgets.numbers import dollars, spending_text
from app.ui.widgets.theme import TEXT_SIZES, scaled

# The programs' default addresses.
_ADDRESSES = {
    "Anthropic": "",
    "Ollama": "http://localhost:11434",
    "LM Studio": "http://localhost:1234",
    "llama.cpp": "http://localhost:8080",
}
_ROOM_AROUND_FOCUS = 64  # for the line of help below a field


class SettingsDialog(Dialog):
    """All settings on one page."""

    # The new Settings; the key to store for their server, or None; whether to remove the stored key.
    saved = Signal(object, object, bool)
    # Settings and key to test; whether the stored key may be used.
    test_requested = Signal(object, object, bool)
    test_stopped = Signal()

    def __init__(self, settings: Settings, key_status: KeyStatus, parent: QWidget | None = None) -> None:
        super().__init__(self.tr("Settings"), parent)
        self._settings = settings
        self._used = with_environment(settings)
        self._overridden = overridden()
        self._numbers: dict[str, QSpinBox] = {}

        self.key = KeyField(key_status)
        self.preset = self._make_presets()
        self.test = ConnectionTest()
        self.base_url = QLineEdit(self._used.base_url, placeholderText=f"https://{DEFAULT_SERVER}")
        self.model = self._make_model_box()
        self.max_tokens = self._number("max_tokens", self.tr(" tokens"), 100)
        self.send_passages = check_box(self.tr("Send passages along"), settings.send_passages)
        self.send_pages = check_box(self.tr("Show pages with figures to the model"), settings.send_pages)
        self.whole_scope = self._number("whole_scope_tokens", self.tr(" tokens"), 1000)
        self.whole_scope.setSpecialValueText(self.tr("Never"))
        self.second_look = check_box(self.tr("Check doubtful claims with a model"), settings.second_look)
        self.budget = self._number("monthly_budget", step=5)
        self.budget.setPrefix("$ ")
        self.budget.setSpecialValueText(self.tr("No budget"))
        self.passages = self._number("passages_per_search")
        self.exchanges = self._number("exchanges_remembered")
        self.chunk_size = self._number("chunk_size", self.tr(" characters"), 100)
        self.chunk_overlap = self._number("chunk_overlap", self.tr(" characters"), 10)
        self.reranking = check_box(self.tr("Compare the best passages again"), bool(settings.reranking_model))
        self.embedding_model = EmbeddingModelField(settings.embedding_model)
        self.sync_folders = check_box(self.tr("Watch my folders for changes"), settings.sync_folders)
        self.recognize_text = check_box(self.tr("Recognize text in scanned pages"), settings.recognize_text)
        self.backups = self._number("backup_gigabytes", self.tr(" GB"))
        self.backups.setSpecialValueText(self.tr("No backups"))
        languages = {"": self.tr("Match system"), **offered_languages()}
        self.language = choice(languages, settings.language)
        themes = {"system": self.tr("Match system"), "light": self.tr("Light"), "dark": self.tr("Dark")}
        self.theme = choice(themes, settings.theme)
        sizes = {size: self.tr("{0}%").format(size) for size in sorted({*TEXT_SIZES, settings.text_size})}
        self.text_size = choice(sizes, settings.text_size)

        self._lay_out()
        self._connect()
        self._check()
        self.setMinimumSize(600, 360)
        self.resize(min(scaled(640), self.screen().availableSize().width() - 32), 640)

    def set_spending(self, spending: Spending) -> None:
        self._budget_row.explain(spending_text(spending))

    def set_page_price(self, price: float | None) -> None:
        """Show about what a page costs in a request; None if the price is unknown."""
        cost = self.tr("The price of this model is unknown.")
        if price is not None:
            cost = self.tr("Each costs about {0} a request.").format(dollars(price))
        self._pages_row.explain(f"{self._about_pages()} {cost}")

    def done(self, result: int) -> None:
        if self.test.is_running:
            self.test_stopped.emit()
        super().done(result)

    def set_models(self, models: Sequence[tuple[str, str]]) -> None:
        """Offer models, as pairs of id and name; the current one stays."""
        chosen = self.chosen_model()
        with QSignalBlocker(self.model):  # findings stay: the chosen model does not change
            self.model.clear()
            for model_id, name in models:
                self.model.addItem(name or model_id, model_id)
            at = self.model.findData(chosen)
            if at >= 0:
                self.model.setCurrentIndex(at)
            else:
                self.model.setEditText(chosen)

    def chosen_model(self) -> str:
        """Return the id of the model that was chosen or typed."""
        text = self.model.currentText().strip()
        at = self.model.findText(text, Qt.MatchFlag.MatchFixedString)
        return str(self.model.itemData(at)) if at >= 0 else text

    def settings(self) -> Settings:
        """Return the settings to save; those that the environment overrides stay as they were."""
        chosen: dict[str, Any] = {name: box.value() for name, box in self._numbers.items()}
        chosen |= {"base_url": self.base_url.text(), "model": self.chosen_model()}
        chosen |= {name: getattr(self._settings, name) for name in self._overridden}
        reranker = self._settings.reranking_model or RERANKER
        return replace(
            self._settings,
            send_passages=self.send_passages.isChecked(),
            send_pages=self.send_pages.isChecked(),
            second_look=self.second_look.isChecked(),
            embedding_model=self.embedding_model.value,
            reranking_model=reranker if self.reranking.isChecked() else "",
            sync_folders=self.sync_folders.isChecked(),
            recognize_text=self.recognize_text.isChecked(),
            language=self.language.currentData(),
            theme=self.theme.currentData(),
            text_size=self.text_size.currentData(),
            **chosen,
        ).validated()

    # Building

    def _make_presets(self) -> QComboBox:
        """Return a box with known servers, and "Other"."""
        box = QComboBox()
        for name, address in _ADDRESSES.items():
            box.addItem(name, address)
        box.addItem(self.tr("Other"), None)
        return box

    def _make_model_box(self) -> QComboBox:
        box = QComboBox(editable=True, insertPolicy=QComboBox.InsertPolicy.NoInsert)
        box.setLineEdit(QLineEdit(placeholderText=DEFAULT_MODEL))
        box.setEditText(self._used.model)
        return box

    def _number(self, name: str, unit: str = "", step: int = 1) -> QSpinBox:
        least, most = LIMITS[name]
        box = QSpinBox(minimum=least, maximum=most, singleStep=step, suffix=unit)
        box.setValue(getattr(self._settings, name))
        box.setFixedWidth(scaled(FIELD_WIDTH))
        # Style sheets do not reach the line inside; align its text with other fields'.
        box.lineEdit().setTextMargins(7, 0, 0, 0)
        self._numbers[name] = box
        return box

    def _lay_out(self) -> None:
        inside = QWidget()
        sections = self._answers(), self._search(), self._reading(), self._safety(), self._appearance()
        vbox(*sections, Stretch(), margins=(24, 24, 24, 24), spacing=32, parent=inside)
        WheelGuard(inside)
        self._scroll = scroll = QScrollArea(widgetResizable=True)
        show_grown_soon = one_shot(self, 0, self._show_grown)  # when all has its place
        scroll.verticalScrollBar().rangeChanged.connect(lambda *_: show_grown_soon.start())
        scroll.setWidget(inside)
        scroll.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        scroll.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.fill_with(scroll)
        self.add_cancel_and(self.tr("Save"), self._try_saving)

    def _answers(self) -> Section:
        section, tr = Section(self.tr("Answers")), self.tr
        about = tr("Anthropic, or a program on this computer.")
        section.add(tr("Service"), self.preset, about)
        self._key_row = section.add(tr("API key"), self.key, narrow=False)
        about = tr("Any server with the Anthropic protocol, such as Ollama. Leave empty for Anthropic's own.")
        self._url_row = section.add(tr("Server"), self.base_url, about, narrow=False)
        about = tr("Choose a model, or type its ID.")
        model_row = section.add(tr("Model"), self.model, about, narrow=False)
        if "model" in self._overridden:
            model_row.explain(self._override_note("model"))
            self.model.setEnabled(False)
        if "base_url" in self._overridden:
            self.base_url.setEnabled(False)
            self.preset.setEnabled(False)
        section.add_tall(Row(tr("Connection"), self.test))
        about = tr("Lectern searches before it asks the model, so most answers take one request, not two.")
        section.add(tr("Faster answers"), self.send_passages, about)
        self._pages_row = section.add(tr("Figures"), self.send_pages, self._about_pages())
        about = tr(
            "If you restrict a question to courses or lessons up to this length, the model gets all of their "
            "text. The price is shown before you ask."
        )
        section.add(tr("Whole lessons"), self.whole_scope, about)
        about = tr(
            "What Lectern cannot confirm by itself is put to the cheapest model, in one small request."
        )
        section.add(tr("Second look"), self.second_look, about)
        about = tr("Lectern warns you at 80% and, once it is spent, asks before each question.")
        self._budget_row = section.add(tr("Monthly budget"), self.budget, about)
        about = tr("The longest answer; 800 tokens are about 600 words.")
        section.add(tr("Answer length"), self.max_tokens, about)
        return section

    def _about_pages(self) -> str:
        return self.tr(
            "Where a passage is from a page with figures, a scan or a picture, the model also sees it; "
            "at most four per answer."
        )

    def _search(self) -> Section:
        section, tr = Section(self.tr("Search")), self.tr
        about = tr("More passages give the model more to work with, but cost more and take longer.")
        section.add(tr("Passages per search"), self.passages, about)
        about = tr("Earlier questions and answers sent with each question.")
        section.add(tr("Exchanges remembered"), self.exchanges, about)
        about = tr(
            "A second model for English puts the best passages in order, which makes each search slower. It "
            "is downloaded from the Hugging Face Hub once (about {0} MB)."
        )
        section.add(tr("Reranking"), self.reranking, about.format(RERANKER_MEGABYTES))
        return section

    def _reading(self) -> Section:
        section, tr = Section(self.tr("Reading")), self.tr
        about = tr("Added, edited and deleted files are updated in the library automatically.")
        section.add(tr("Folders"), self.sync_folders, about)
        about = tr("Once everything else is read, on this computer; a page takes a few seconds.")
        section.add(tr("Scans"), self.recognize_text, about)
        about = tr("Texts are split into passages of about this length, at sentence ends.")
        self._size_row = section.add(tr("Passage length"), self.chunk_size, about)
        about = tr("How much a passage repeats of the one before; at most half its length.")
        self._overlap_row = section.add(tr("Overlap"), self.chunk_overlap, about)
        section.add_tall(self.embedding_model.row)
        return section

    def _safety(self) -> Section:
        section, tr = Section(self.tr("Safety")), self.tr
        about = tr("Space for daily backups of the library: of 7 days, 4 weeks and 3 months.")
        section.add(tr("Backups"), self.backups, about)
        return section

    def _appearance(self) -> Section:
        section = Section(self.tr("Appearance"))
        section.add(self.tr("Language"), self.language, self.tr("Of the window."))
        section.add(self.tr("Theme"), self.theme, self.tr("Light or dark colours."))
        section.add(self.tr("Text size"), self.text_size, self.tr("In the window, answers and lessons."))
        return section

    def _connect(self) -> None:
        self.test.started.connect(self._test_connection)
        self.test.stopped.connect(self.test_stopped)
        for changed in (self.key.changed, self.base_url.textChanged, self.model.editTextChanged):
            changed.connect(self.test.forget)
        self.preset.activated.connect(self._fill_in_address)
        self.key.changed.connect(self._check)
        self.base_url.textChanged.connect(self._check)
        self.chunk_size.valueChanged.connect(self._check)
        self.chunk_overlap.valueChanged.connect(self._check)
        application = QApplication.instance()
        if isinstance(application, QApplication):
            application.focusChanged.connect(self._show_focused)

    # Slots

    def _check(self) -> None:
        """Show errors and warnings beside the fields."""
        self._check_key()
        self._check_server()
        most = min(LIMITS["chunk_overlap"][1], self.chunk_size.value() // 2)
        self.chunk_overlap.setMaximum(most)
        for row, box, before in (
            (self._size_row, self.chunk_size, self._settings.chunk_size),
            (self._overlap_row, self.chunk_overlap, self._settings.chunk_overlap),
        ):
            if box.value() == before:
                row.help()
            else:
                row.warn(self.tr("After saving, all files are indexed again, which may take a while."))

    def _show_grown(self) -> None:
        """Keep the focused field in view when the page has grown, perhaps by its own line of help."""
        self._show_focused(None, self.focusWidget())

    def _show_focused(self, _old: QWidget | None, new: QWidget | None) -> None:
        """Scroll to the focused field and its line of help, which Qt does not know of."""
        inside = self._scroll.widget()
        if new is not None and inside is not None and inside.isAncestorOf(new):
            bottom = new.mapTo(inside, new.rect().bottomLeft())
            self._scroll.ensureVisible(0, bottom.y(), 0, _ROOM_AROUND_FOCUS)

    def _check_key(self) -> None:
        text = self.key.status_text()
        valid = is_possible_key(self.key.new_key or "")
        set_look(self.key.edit, "invalid", not valid)
        if not valid:
            self._key_row.fail(self.tr("A key has letters, digits and signs but no spaces. Paste it again."))
        elif self.key.remove_key:
            self._key_row.warn(text)
        else:
            self._key_row.explain(text)
            self.key.edit.setAccessibleDescription(text)

    def _check_server(self) -> None:
        address = self.base_url.text().strip()
        plain = address.rstrip("/").removesuffix("/v1").lower()
        addresses = list(_ADDRESSES.values())
        self.preset.setCurrentIndex(addresses.index(plain) if plain in addresses else len(addresses))
        if "base_url" in self._overridden:
            self._url_row.explain(self._override_note("base_url"))
        elif address and has_user_info(address):
            self._url_row.fail(self.tr("Remove the name and password: the address is saved in a plain file."))
        elif address and not is_server_address(address):
            self._url_row.fail(
                self.tr("Start the address with https:// or http://, as in http://localhost:11434.")
            )
        elif is_unencrypted(address):
            self._url_row.warn(
                self.tr("Without https, others on the network can read your key and your questions.")
            )
        elif note := self._other_server(address):
            self._url_row.warn(note)
        else:
            self._url_row.help()

    def _override_note(self, name: str) -> str:
        text = self.tr(
            "From the environment variable {0}, which overrides your setting. To change it here, "
            "start Lectern without that variable."
        )
        return text.format(self._overridden[name])

    def _other_server(self, address: str) -> str | None:
        """Return what a change of server means for the key; None if nothing."""
        server, before = server_name(address), server_name(self._used.base_url)
        if server == before or self.key.new_key:
            return None
        if self.key.status.origin is KeyOrigin.ENVIRONMENT:
            return self.tr("The key from {0} will be sent to {1}.").format(KEY_VARIABLE, server)
        if self.key.status.origin is KeyOrigin.NONE:
            return None
        return self.tr("Each server has its own key; the saved one stays with {0}.").format(before)

    def _try_saving(self) -> None:
        if self._is_good():
            self.saved.emit(self.settings(), self.key.new_key, self.key.remove_key)
            self.accept()

    def _is_good(self) -> bool:
        """Return whether the form can be used as it is; focus the first field that cannot."""
        self._check()
        model = self.embedding_model
        model.check()
        fields = ((self._key_row, self.key.edit), (self._url_row, self.base_url), (model.row, model))
        for row, field in fields:
            if row.failed:
                field.setFocus(Qt.FocusReason.OtherFocusReason)
                return False
        return True

    def _test_connection(self) -> None:
        if self._is_good():
            used = with_environment(self.settings())
            self.test_requested.emit(used, self.key.new_key, not self.key.remove_key)
        else:
            self.test.end()

    def _fill_in_address(self, preset: int) -> None:
        address = self.preset.itemData(preset)
        if address is None:
            self.base_url.setFocus(Qt.FocusReason.OtherFocusReason)
            self.base_url.selectAll()
        else:
            self.base_url.setText(address)
