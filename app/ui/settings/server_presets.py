"""Model servers by name."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QComboBox, QWidget

# The programs' default addresses.
_ADDRESSES = {
    "Anthropic": "",
    "Ollama": "http://localhost:11434",
    "LM Studio": "http://localhost:1234",
    "llama.cpp": "http://localhost:8080",
}


class ServerPresets(QComboBox):
    """Names of known server addresses, and "Other".

    Signals:
        address_chosen: the address to fill in; None to let the user type it.
    """

    address_chosen = Signal(object)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        for name, address in _ADDRESSES.items():
            self.addItem(name, address)
        self.addItem(self.tr("Other"), None)
        self.activated.connect(lambda at: self.address_chosen.emit(self.itemData(at)))

    def follow(self, address: str) -> None:
        plain = address.strip().rstrip("/").removesuffix("/v1").lower()
        known = [at for at in range(self.count() - 1) if self.itemData(at) == plain]
        self.setCurrentIndex(known[0] if known else self.count() - 1)
