"""The field for the API key."""

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QLineEdit, QPushButton, QToolButton, QWidget

from app.config.redaction import KEY_VARIABLE
from app.config.secrets import KeychainState, KeyOrigin, KeyStatus
from app.ui.widgets.building import Cell, Stretch, hbox, name_button, vbox
from app.ui.widgets.desktop import open_link
from app.ui.widgets.theme import Theme, fix_icon, is_large_text

_KEYS_PAGE = "https://console.anthropic.com/settings/keys"


class KeyField(QWidget):
    """A hidden line for a new key, with a button to show it and one for what can be done next.

    That is to get a key, to save the one that was typed, or to remove the stored one, which happens when
    the settings are closed. ``can_get`` says whether the server's keys come from Anthropic.
    """

    changed = Signal()  # the text, or whether the stored key stays
    save_requested = Signal()  # ``new_key``

    def __init__(self, status: KeyStatus) -> None:
        super().__init__()
        self._removing = False
        self.can_get = True
        self.edit = QLineEdit()
        self.edit.setAccessibleName(self.tr("API key"))
        self.edit.textChanged.connect(self.update_buttons)
        self.edit.textChanged.connect(self.changed)
        self.edit.returnPressed.connect(self.save_requested)
        self.show_button = QToolButton()
        self.show_button.setCheckable(True)
        fix_icon(self.show_button, 16)
        self.show_button.toggled.connect(self._show_text)
        self.get_button = QPushButton(self.tr("Get a key"))
        self.get_button.setToolTip(_KEYS_PAGE)
        self.get_button.clicked.connect(self._open_keys_page)
        self.save_button = QPushButton(self.tr("Save key"))
        self.save_button.setProperty("kind", "primary")
        self.save_button.clicked.connect(self.save_requested)
        self.remove_button = QPushButton()
        self.remove_button.clicked.connect(self._toggle_removal)
        buttons = self.get_button, self.save_button, self.remove_button
        for button in buttons:
            button.setProperty("compact", True)
            button.setAutoDefault(False)
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
        self.save_button.setVisible(typed)
        self.remove_button.setVisible(stored and not typed)
        self.get_button.setVisible(self.can_get and self.status.origin is KeyOrigin.NONE and not typed)

    def status_text(self) -> str:
        """Return where the key comes from, or where a new one goes."""
        if self.remove_key:
            return self.tr("The key is removed when you close the settings.")
        hint, keychain = self.status.hint, self.status.keychain
        match self.status.origin:
            case KeyOrigin.ENVIRONMENT:
                text = self.tr("{0} comes from the environment variable {1} and overrides a saved key.")
                return text.format(hint, KEY_VARIABLE)
            case KeyOrigin.KEYCHAIN:
                return self.tr("{0} is in the system keychain.").format(hint)
            case KeyOrigin.SESSION:
                return self.tr("{0} is kept for this session only: {1}.").format(hint, self._reason())
            case KeyOrigin.NONE:
                kept = {
                    KeychainState.READY: self.tr("Your key will be saved in the system keychain."),
                    KeychainState.UNKNOWN: "",
                }.get(keychain, self.tr("Your key will be kept for this session only: {0}."))
                none = self.tr("Without a key, you get the best passages instead of written answers.")
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
        self.show_button.setIcon(Theme.current().icon("eye-off" if shown else "eye"))
        name_button(self.show_button, self.tr("Hide the key") if shown else self.tr("Show the key"))

    def _open_keys_page(self) -> None:
        open_link(_KEYS_PAGE)

    def _toggle_removal(self) -> None:
        self._removing = not self._removing
        self._show_removal()

    def _show_removal(self) -> None:
        self.remove_button.setText(self.tr("Keep key") if self._removing else self.tr("Remove key"))
        self.update_buttons()
        self.changed.emit()
