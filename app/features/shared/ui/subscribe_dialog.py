"""Subscribes to a library on a server."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt

from app.features.shared.ui.server_form import ServerForm, scrolled
from app.ui.widgets.announcements import announce
from app.ui.widgets.building import set_look
from app.ui.widgets.dialog import Dialog
from app.ui.widgets.messages import shown
from app.ui.widgets.text_labels import plain_label
from app.ui.widgets.theme import scaled

if TYPE_CHECKING:
    from PySide6.QtWidgets import QWidget

    from app.domain.messages import Message
    from app.domain.shared import SharedLibrary
    from app.features.shared.ui.operations import SharedOperations
    from app.workers.job import Job


class SubscribeDialog(Dialog):
    """Asks for a server, and the server for its courses; closes once they are here."""

    def __init__(self, operations: SharedOperations, parent: QWidget) -> None:
        super().__init__(self.tr("Subscribe"), parent)
        self.heading.hide()
        self._operations = operations
        self._job: Job[SharedLibrary] | None = None
        self._refusal = ""  # the id of the last message
        hint = self.tr("Your teacher knows it. Tokens do not belong in it.")
        self.form = ServerForm(self.tr("Subscribe to a shared library"), hint)
        self.state = plain_label("", "muted")
        self.state.setAlignment(Qt.AlignmentFlag.AlignTop)
        self.state.setMinimumHeight(2 * self.fontMetrics().lineSpacing() + scaled(4))
        self.body.addWidget(scrolled(self.form), 1)
        self.body.addWidget(self.state)
        self.subscribe = self.add_cancel_and(self.tr("Subscribe"), self._subscribe)
        self.form.changed.connect(self._update)
        self.form.more_shown.connect(lambda: self.resize_to(560, 600))
        self.finished.connect(self._drop)
        self._update()
        self.resize_to(560, 420)
        self.form.address.setFocus()

    def _update(self) -> None:
        self.subscribe.setEnabled(self.form.is_filled and self._job is None)

    def _subscribe(self) -> None:
        address = self.form.chosen()
        if address is None or self._job is not None:
            return
        self._say(self.tr("Asking {server}…").format(server=address.host), "muted")
        self._refusal = ""
        self.form.setEnabled(False)
        asking = self._operations.subscribe(address, self.form.new_token)
        self._job = asking
        self._update()
        asking.run(self, success=self._accept, failure=self._refuse, finished=self._finish)

    def _accept(self, _: SharedLibrary) -> None:
        self.accept()

    def _refuse(self, message: Message) -> None:
        self._say(shown(message), "danger-caption")
        self._refusal = message.id

    def _finish(self) -> None:
        self._job = None
        self.form.setEnabled(True)
        self._update()
        self.subscribe.setFocus()
        self.form.lead_to_cause(self._refusal)

    def _drop(self) -> None:
        if self._job is not None:
            self._job.drop()

    def _say(self, text: str, role: str) -> None:
        self.state.setText(text)
        set_look(self.state, "role", role)
        announce(self.state, text, urgent=role != "muted")
