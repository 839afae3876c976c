"""A button that tests the connection, with its findings below."""

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QGridLayout, QLabel, QPushButton, QWidget

from app.domain.model_servers import ConnectionCheck
from app.ui.widgets.announcements import announce
from app.ui.widgets.building import Cell, hbox, vbox
from app.ui.widgets.messages import shown
from app.ui.widgets.text_labels import plain_label
from app.ui.widgets.theme import Theme


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
        self._rows = QGridLayout()
        self._rows.setHorizontalSpacing(8)
        self._rows.setVerticalSpacing(4)
        self._rows.setColumnStretch(1, 1)
        upper = hbox(self.button, Cell(self.status, 1), spacing=12)
        vbox(upper, self._rows, spacing=8, parent=self)
        self.setFocusProxy(self.button)
        self._update(self.tr("Sends a few tokens with the values above."))

    def add(self, finding: ConnectionCheck) -> None:
        if not self.is_running:
            return
        theme = Theme.current()
        name, colour = "info", theme.text_muted
        if finding.works:
            name, colour = "check", theme.success
        elif finding.works is False:
            # Missing features that an answer does not need are no failure.
            grave = finding.topic in ("server", "key", "messages")
            name, colour = ("close", theme.danger) if grave else ("info", theme.warning)
        icon = QLabel(pixmap=theme.pixmap(name, 16, colour, self.devicePixelRatioF()))
        icon.setAccessibleName(self.tr("Works") if finding.works else self.tr("Failed"))
        self.findings.append(shown(finding.sentence))
        announce(self, self.findings[-1])
        text = plain_label(self.findings[-1], "caption", selectable=True)
        at = self._rows.rowCount()
        self._rows.addWidget(icon, at, 0, Qt.AlignmentFlag.AlignTop)
        self._rows.addWidget(text, at, 1)

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
        while (item := self._rows.takeAt(0)) is not None:
            if (widget := item.widget()) is not None:
                widget.setParent(None)
                widget.deleteLater()

    def _update(self, status: str) -> None:
        self.button.setText(self.tr("Stop") if self.is_running else self.tr("Test connection"))
        self.status.setText(status)
