"""The field for the API key."""

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QLineEdit, QPushButton, QToolButton, QWidget

from app.config.redaction import KEY_VARIABLE
from app.config.secrets import KeychainState, KeyOrigin, KeyStatus
from app.ui.widgets.building import Cell, hbox, name_button
from app.ui.widgets.theme import Theme, fix_icon


class KeyField(QWidget):
    """A hidden line for a new key, with a button to show it and one to remove the stored key."""

    changed = Signal()  # the text, or whether the stored key stays

    def __init__(self, status: KeyStatus) -> None:
        super().__init__()
        self._removing = False
        self.edit = QLineEdit()
        self.edit.setAccessibleName(self.tr("API key"))
        self.edit.textChanged.connect(self.changed)
        self.show_button = QToolButton()
        self.show_button.setCheckable(True)
        fix_icon(self.show_button, 16)
        self.show_button.toggled.connect(self._show_text)
        self.remove_button = QPushButton()
        self.remove_button.setProperty("compact", True)
        self.remove_button.clicked.connect(self._toggle_removal)
        hbox(Cell(self.edit, 1), self.show_button, self.remove_button, spacing=8, parent=self)
        self.setFocusProxy(self.edit)
        self._show_text(False)
        self.set_status(status)

    @property
    def new_key(self) -> str | None:
        """The key to store, None if none was entered."""
        return self.edit.text().strip() or None

    @property
    def remove_key(self) -> bool:
        """Whether to remove the stored key; a new key replaces it instead."""
        return self._removing and self.new_key is None

    def set_status(self, status: KeyStatus) -> None:
        self.status = status
        stored = status.origin in (KeyOrigin.KEYCHAIN, KeyOrigin.SESSION)
        self._removing = self._removing and stored
        self.remove_button.setVisible(stored)
        self.edit.setPlaceholderText(
            self.tr("Replace {0}").format(status.hint) if status.hint else self.tr("Paste your key here")
        )
        self._show_removal()

    def status_text(self) -> str:
        """Return where the key comes from, or where a new one goes."""
        if self.remove_key:
            return self.tr("The key will be removed when you save.")
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

    def _toggle_removal(self) -> None:
        self._removing = not self._removing
        self._show_removal()

    def _show_removal(self) -> None:
        self.remove_button.setText(self.tr("Keep key") if self._removing else self.tr("Remove key"))
        self.changed.emit()
