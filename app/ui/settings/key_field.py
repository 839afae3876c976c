"""The field for the API key, and the test of the connection to the model server."""

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QLineEdit, QPushButton, QToolButton, QWidget

from app.config.secrets import KeychainState, KeyOrigin, KeyStatus
from app.domain.model_servers import CLAUDE, ConnectionCheck
from app.ui.widgets.accessibility import announce
from app.ui.widgets.building import Cell, Stretch, hbox, name_button, push_button, vbox
from app.ui.widgets.desktop import open_link
from app.ui.widgets.messages import shown
from app.ui.widgets.text_labels import plain_label
from app.ui.widgets.theme import Theme, fix, is_large_text


class KeyField(QWidget):
    """A hidden line for a new key, with buttons to show it, to get one, and to remove the stored one.

    ``keys_page`` is where a service gives its keys; empty for other servers.
    """

    changed = Signal()  # the text, or whether the stored key stays

    def __init__(self, status: KeyStatus) -> None:
        super().__init__()
        self._removing = False
        self.keys_page = CLAUDE.keys_page
        self.edit = QLineEdit()
        self.edit.setAccessibleName(self.tr("API key"))
        self.edit.textChanged.connect(self.update_buttons)
        self.edit.textChanged.connect(self.changed)
        self.show_button = QToolButton()
        self.show_button.setCheckable(True)
        fix(self.show_button, icon=16)
        self.show_button.toggled.connect(self._show_text)
        text = self.tr("Get a key")
        self.get_button = push_button(text, lambda: open_link(self.keys_page), compact=True)
        self.remove_button = push_button("", self._toggle_removal, compact=True)
        buttons = self.get_button, self.remove_button
        if is_large_text():
            line = hbox(Cell(self.edit, 1), self.show_button, spacing=8)
            vbox(line, hbox(*buttons, Stretch()), spacing=8, parent=self)
        else:
            hbox(Cell(self.edit, 1), self.show_button, *buttons, spacing=8, parent=self)
        self.setFocusProxy(self.edit)
        self._show_text(False)
        self.set_status(status)

    @property
    def new_key(self) -> str | None:
        return self.edit.text().strip() or None

    @property
    def remove_key(self) -> bool:
        """Whether to remove the stored key; a new key replaces it instead."""
        return self._removing and self.new_key is None

    def set_status(self, status: KeyStatus) -> None:
        self.status = status
        stored = status.origin in (KeyOrigin.KEYCHAIN, KeyOrigin.SESSION)
        self._removing = self._removing and stored
        self.edit.setPlaceholderText(
            self.tr("Replace {0}").format(status.hint) if status.hint else self.tr("Paste your key here")
        )
        self._show_removal()

    def keep(self) -> None:
        """Do not remove the stored key after all."""
        if self._removing:
            self._toggle_removal()

    def update_buttons(self) -> None:
        stored = self.status.origin in (KeyOrigin.KEYCHAIN, KeyOrigin.SESSION)
        typed = self.new_key is not None
        self.remove_button.setVisible(stored and not typed)
        self.get_button.setToolTip(self.keys_page)
        can_get = bool(self.keys_page) and self.status.origin is KeyOrigin.NONE
        self.get_button.setVisible(can_get and not typed)

    def status_text(self) -> str:
        """Return where the key comes from, or where a new one goes."""
        if self.remove_key:
            return self.tr("The key is removed when you save the settings.")
        hint, keychain = self.status.hint, self.status.keychain
        match self.status.origin:
            case KeyOrigin.ENVIRONMENT:
                text = self.tr("{0} comes from the environment variable {1} and overrides a saved key.")
                return text.format(hint, self.status.variable)
            case KeyOrigin.KEYCHAIN:
                return self.tr("{0} is in the system keychain.").format(hint)
            case KeyOrigin.SESSION:
                return self.tr("{0} is kept for this session only: {1}.").format(hint, self._reason())
            case KeyOrigin.NONE:
                kept = {
                    KeychainState.READY: self.tr("Your key will be saved in the system keychain."),
                    KeychainState.UNKNOWN: "",
                }.get(keychain, self.tr("Your key will be kept for this session only: {0}."))
                none = self.tr(
                    "Without a key, you get the sentences that fit best instead of written answers."
                )
                return f"{none} {kept.format(self._reason())}".strip()

    def _reason(self) -> str:
        match self.status.keychain:
            case KeychainState.LOCKED:
                return self.tr("the keychain is locked")
            case KeychainState.FAILED | KeychainState.READY:
                return self.tr("the keychain refused it")
            case _:
                return self.tr("no keychain was found")

    def _show_text(self, shown: bool) -> None:
        self.edit.setEchoMode(QLineEdit.EchoMode.Normal if shown else QLineEdit.EchoMode.Password)
        self.show_button.setIcon(Theme.icon("eye-off" if shown else "eye"))
        name_button(self.show_button, self.tr("Hide the key") if shown else self.tr("Show the key"))

    def _toggle_removal(self) -> None:
        self._removing = not self._removing
        self._show_removal()

    def _show_removal(self) -> None:
        self.remove_button.setText(self.tr("Keep key") if self._removing else self.tr("Remove key"))
        self.update_buttons()
        self.changed.emit()


class ConnectionTest(QWidget):
    """Shows findings as they arrive; the button stops the test while it runs."""

    started = Signal()
    stopped = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.is_running = False
        self.findings: list[str] = []
        self.button = QPushButton(autoDefault=False)
        self.button.clicked.connect(self._toggle)
        self.status = plain_label("", "caption")
        self._list = plain_label("", "caption", selectable=True)
        vbox(hbox(self.button, Cell(self.status, 1), spacing=12), self._list, spacing=8, parent=self)
        self.setFocusProxy(self.button)
        self._clear()
        self._update(self.tr("Sends a few tokens with the values above."))

    def add(self, finding: ConnectionCheck) -> None:
        if not self.is_running:
            return
        # Missing features that an answer does not need are no failure.
        grave = finding.topic in ("server", "key", "messages")
        sign = "✓" if finding.works else "✗" if finding.works is False and grave else "–"
        self.findings.append(shown(finding.sentence))
        announce(self, self.findings[-1])
        self._list.setText(f"{self._list.text()}\n{sign} {self.findings[-1]}".strip())
        self._list.show()

    def end(self) -> None:
        if self.is_running:
            self.is_running = False
            self._update("")

    def forget(self) -> None:
        """Remove findings that no longer fit the values in the form."""
        if self.is_running:
            self._stop()
        if self.findings:
            self._clear()
            self._update(self.tr("You changed the settings. Test again."))

    def _toggle(self) -> None:
        if self.is_running:
            self._stop()
            return
        self._clear()
        self.is_running = True
        self._update(self.tr("Testing…"))
        self.started.emit()

    def _stop(self) -> None:
        self.is_running = False
        self._update(self.tr("Stopped."))
        self.stopped.emit()

    def _clear(self) -> None:
        self.findings.clear()
        self._list.clear()
        self._list.hide()

    def _update(self, status: str) -> None:
        self.button.setText(self.tr("Stop") if self.is_running else self.tr("Test connection"))
        self.status.setText(status)
