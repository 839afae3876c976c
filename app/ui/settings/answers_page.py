"""The page of the settings dialog that says which model writes answers, and what they may cost."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from PySide6.QtCore import QSignalBlocker, Qt
from PySide6.QtWidgets import QComboBox, QLineEdit, QWidget

from app.config.secrets import DEFAULT_SERVER, KeyOrigin, server_name
from app.config.settings import DEFAULT_MODEL, with_environment
from app.domain.model_servers import OPENAI_URL, SERVICES, service_at
from app.ui.settings.key_field import ConnectionTest, KeyField
from app.ui.settings.page import Page, has_user_info, is_possible_key, is_server_address, is_unencrypted
from app.ui.settings.ways import TileList
from app.ui.widgets.building import link_button, set_look, vbox
from app.ui.widgets.desktop import ask_for_file
from app.ui.widgets.form import Row
from app.ui.widgets.numbers import dollars, spending_text

_PROTOCOLS = ("openai", "anthropic")  # of another address, in the order of the services behind ours


class AnswersPage(Page):
    """The service, its key and model."""

    def build(self) -> None:
        self._make_fields()
        self._add_connection()
        tr = self.tr
        about = tr("The longest answer; 800 tokens are about 600 words.")
        self.number("max_tokens", tr("Answer length"), about, unit=tr(" tokens"), step=100)
        self._pages_row = self.check(
            "send_pages", tr("Figures"), tr("Show pages with figures to the model"), ""
        )
        about = tr("Lectern warns you at 80% and, once it is spent, asks before each question.")
        self._budget_row = self.number(
            "monthly_budget", tr("Monthly budget"), about, step=5, prefix="$ ", none=tr("No budget")
        )
        self._show_lines()
        self._connect()

    def chosen_model(self) -> str:
        text = self.model.currentText().strip()
        at = self.model.findText(text, Qt.MatchFlag.MatchFixedString)
        return str(self.model.itemData(at)) if at >= 0 else text

    def update_rows(self) -> None:
        facts = self.draft.facts
        if self.draft.ways is not None:
            saved = with_environment(self.draft.in_effect)
            self.ways.show_tiles(self.draft.ways.tiles(self.draft.used, saved))
            if self._is_here and self.preset.currentIndex() >= 0:  # it has been found
                self._show_service()
        if self.key.status != facts.key:
            self.key.set_status(facts.key)
        self._list_models()
        cost = "" if self._is_here else self.tr("The price of this model is unknown.")
        if facts.page_price is not None:
            cost = self.tr("Each costs about {0} a request.").format(dollars(facts.page_price))
        about = self.tr("Also send the page image for figures, scans and pictures (up to four per answer).")
        self._pages_row.explain(f"{about} {cost}".strip())
        self._budget_row.explain(spending_text(facts.spending))
        self._check()

    def show_settings(self) -> None:
        before = self.base_url.text(), self.chosen_model()
        super().show_settings()
        self._show_lines()
        if before != (self.base_url.text(), self.chosen_model()):
            self.key.keep()  # it may be that of another server
            self.test.forget()
        self._look_at_server()

    def take(self, values: Mapping[str, Any]) -> None:
        """Show other settings, to be saved with the others."""
        before = self.draft.used
        self.draft.change(**values)
        used = self.draft.used
        if (used.provider, used.base_url) != (before.provider, before.base_url):
            self.key.edit.clear()  # a key is sent to no other service
        self.draft.shown.emit()

    def set_up(self, values: Mapping[str, Any]) -> None:
        """Let the key be entered for a service, or a service be chosen if there are no settings for one."""
        self.take(values)
        (self.key.edit if values else self.preset).setFocus(Qt.FocusReason.OtherFocusReason)

    def mistake(self) -> QWidget | None:
        self._check()
        if self.draft.used.model:
            self._model_row.help()
        else:
            self._model_row.fail(self.tr("Choose a model. They are listed once you have entered a key."))
        rows = (self._key_row, self.key.edit), (self._url_row, self.base_url), (self._model_row, self.model)
        fields: tuple[tuple[Row, QWidget], ...] = rows
        return next((field for row, field in fields if row.failed), None)

    # Building

    def _make_fields(self) -> None:
        used = self.draft.used
        self._looked_at: tuple[str, str, str | None] = used.provider, used.base_url, None
        self.ways = TileList()
        self.file = link_button(self.tr("Use a model file (GGUF)…"), self._choose_file)
        self.preset = QComboBox()
        free = self.tr("{0} (free tier)")
        self.preset.addItems([free.format(one.name) if one.is_free else one.name for one in SERVICES])
        self.preset.addItem(self.tr("Other (OpenAI protocol)"))
        self.preset.addItem(self.tr("Other (Anthropic protocol)"))
        self.preset.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        self.preset.setPlaceholderText(self.tr("On this computer"))
        self.key = KeyField(self.draft.facts.key)
        self.base_url = QLineEdit()
        self.model = QComboBox(editable=True, insertPolicy=QComboBox.InsertPolicy.NoInsert)
        self._model_line = QLineEdit()
        self.model.setLineEdit(self._model_line)
        self.test = ConnectionTest()

    def _add_connection(self) -> None:
        section, tr = self._section, self.tr
        written_by = QWidget()
        vbox(self.ways, self.file, spacing=4, parent=written_by)
        self.file.setVisible(not self.draft.overridden)
        section.add_tall(Row(tr("Written by"), written_by))
        self._service_row = section.add(tr("Service"), self.preset, narrow=False)
        about = tr("Such as your university's, or a program's on this computer.")
        self._url_row = section.add(tr("Server"), self.base_url, about, narrow=False)
        self._key_row = section.add(tr("API key"), self.key, narrow=False)
        about = tr("Choose a model, or type its ID.")
        self._model_row = section.add(tr("Model"), self.model, about, narrow=False)
        section.add_tall(Row(tr("Connection"), self.test))
        self.settings += ["provider", "base_url", "model", "short_prompts"]
        for name, row in (("base_url", self._url_row), ("model", self._model_row)):
            if name in self.draft.overridden:
                row.field.setEnabled(False)
                row.explain(self._override_note(name))
        self.preset.setEnabled(self.base_url.isEnabled())

    def _connect(self) -> None:
        if self.draft.ways is not None:
            self.draft.ways.changed.connect(self.update_rows)
        self.test.started.connect(self._test_connection)
        self.test.stopped.connect(self.draft.test_stopped)
        for changed in (self.key.changed, self.base_url.textChanged, self.model.editTextChanged):
            changed.connect(self.test.forget)
        self.key.changed.connect(self._check)
        self.key.edit.editingFinished.connect(self._look_with_key)
        self.preset.activated.connect(self._choose_service)
        self.base_url.editingFinished.connect(self._look_at_server)
        self.base_url.textChanged.connect(self._take_server)
        self.model.editTextChanged.connect(self._take_model)

    # Showing

    @property
    def _is_here(self) -> bool:
        """Whether a model on this computer is chosen."""
        used, ways = self.draft.used, self.draft.ways
        return used.provider == "local" or (ways is not None and ways.is_here(used))

    def _show_lines(self) -> None:
        """Show the server and the model that are used."""
        used = self.draft.used
        with QSignalBlocker(self.base_url):
            self.base_url.setText(used.base_url)
        self._show_model(used.model)
        self._check()
        self._show_service()

    def _show_service(self) -> None:
        """Show which service the address is of; only another one is shown itself."""
        used = self.draft.used
        service = service_at(used.base_url)
        if self._is_here:
            at = -1
        elif service is not None and service.provider == used.provider:
            at = SERVICES.index(service)
        else:
            at = len(SERVICES) + _PROTOCOLS.index(used.provider)
        self.preset.setCurrentIndex(at)
        self._url_row.need(at >= len(SERVICES) or self._url_row.failed)
        self._key_row.need(at >= 0)
        self._service_row.explain("" if at else self.tr("Claude gives the best answers."))
        self.base_url.setPlaceholderText(
            OPENAI_URL if used.provider == "openai" else f"https://{DEFAULT_SERVER}"
        )
        self._model_line.setPlaceholderText(DEFAULT_MODEL if used.provider == "anthropic" else "")
        self.key.keys_page = service.keys_page if service else ""
        self.key.update_buttons()

    def _list_models(self) -> None:
        """Offer the server's models; the current one stays."""
        models = [(self.model.itemData(at), self.model.itemText(at)) for at in range(self.model.count())]
        offered = [(model_id, name or model_id) for model_id, name in self.draft.facts.models]
        if models != offered:
            chosen = self.chosen_model()
            with QSignalBlocker(self.model):  # findings stay: the chosen model does not change
                self.model.clear()
                for model_id, name in offered:
                    self.model.addItem(name, model_id)
            self._show_model(chosen)

    def _show_model(self, model_id: str) -> None:
        with QSignalBlocker(self.model):
            at = self.model.findData(model_id)
            self.model.setCurrentIndex(at)
            if at < 0:
                self.model.setEditText(model_id)

    def _check(self) -> None:
        """Show errors and warnings beside the key and the server."""
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
        if "base_url" not in self.draft.overridden:
            self._check_server(self.base_url.text().strip())

    def _check_server(self, address: str) -> None:
        if has_user_info(address):
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
        return text.format(self.draft.overridden[name])

    def _other_server(self, address: str) -> str | None:
        """Return what another server than Anthropic's, or than before, means for the key; None if nothing."""
        server, before = server_name(address), server_name(self.draft.in_effect.base_url)
        if self.key.status.origin is KeyOrigin.ENVIRONMENT:
            text = self.tr("The key from {0} is sent to {1}.")
            return text.format(self.key.status.variable, server) if server != DEFAULT_SERVER else None
        if server == before or self.key.new_key or self.key.status.origin is KeyOrigin.NONE:
            return None
        return self.tr("Each server has its own key; the saved one stays with {0}.").format(before)

    # Slots

    def _choose_file(self) -> None:
        ask_for_file(self, self.file.text(), "", "GGUF (*.gguf)", self._use_file)

    def _use_file(self, file: Path) -> None:
        self.take({"provider": "local", "base_url": "", "model": str(file)})

    def _choose_service(self, at: int) -> None:
        if at < len(SERVICES):
            service, before = SERVICES[at], self.draft.in_effect
            is_same = service_at(before.base_url) is service and before.provider == service.provider
            model = before.model if is_same else service.model
            values = {"provider": service.provider, "base_url": service.base_url, "model": model}
            self.take({**values, "short_prompts": False})
            return
        provider, used = _PROTOCOLS[at - len(SERVICES)], self.draft.used
        if self._is_here or service_at(used.base_url) is not None:
            self.take({"provider": provider, "base_url": "", "model": ""})
            with QSignalBlocker(self.base_url):
                self.base_url.clear()  # the protocol's own address is its placeholder
        elif provider != used.provider:
            self.take({"provider": provider, "model": ""})
        self.preset.setCurrentIndex(at)
        self._url_row.need(True)
        self.base_url.setFocus(Qt.FocusReason.OtherFocusReason)
        self.base_url.selectAll()

    def _look_with_key(self) -> None:
        if self.key.new_key:
            self._look_at_server()

    def _look_at_server(self) -> None:
        """Ask for the key and the models of a server, once they may be others."""
        used = self.draft.used
        looked_at = used.provider, used.base_url, self.key.new_key
        if looked_at != self._looked_at and not self._url_row.failed:
            self._looked_at = looked_at
            self.draft.server_chosen.emit(used, self.key.new_key)

    def _take_server(self) -> None:
        """Take the address that was typed, if it is one."""
        self._check()
        address = self.base_url.text().strip().rstrip("/")
        if not self._url_row.failed:
            self.draft.change(base_url=address)
            if address != self.draft.in_effect.base_url:
                self.key.keep()  # which is that of the server before
            self._show_service()

    def _take_model(self) -> None:
        """Take the model that was chosen or typed; the usual one if the line is empty."""
        self.draft.change(model=self.chosen_model())

    def _test_connection(self) -> None:
        if (wrong := self.mistake()) is not None:
            wrong.setFocus(Qt.FocusReason.OtherFocusReason)
            self.test.end()
        else:
            self.draft.test_requested.emit(self.draft.used, self.key.new_key, not self.key.remove_key)
