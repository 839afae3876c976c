"""Publishes courses to a server, and shows what is sent and what has changed there."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QProgressBar, QTreeWidgetItem, QWidget

from app.domain.plain_text import harmless
from app.features.shared.model import (
    CoursePublished,
    LibraryPublished,
    PublishEvent,
    PublishProgress,
    PublishStatus,
)
from app.features.shared.ui.libraries_dialog import ServerForm
from app.ui.widgets import show_dialogs as show
from app.ui.widgets.accessibility import Announcer, show_waiting
from app.ui.widgets.building import scrolled, set_look, vbox
from app.ui.widgets.dialog import Dialog
from app.ui.widgets.file_table import column_list
from app.ui.widgets.messages import shown
from app.ui.widgets.numbers import number_text
from app.ui.widgets.text_labels import plain_label, plain_tool_tip
from app.ui.widgets.theme import scaled

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from app.domain.messages import Message
    from app.domain.shared import ServerAddress
    from app.features.shared.ui.operations import SharedOperations
    from app.workers.job import Job

_OTHERS = "shared.of_another_library"
_LIST_HEIGHT = 120
_COURSE, _STATE = range(2)


class PublishDialog(Dialog):
    """Leaves the window usable; closing it stops the publishing, which can go on from there later."""

    begun = Signal(object, object)  # the ServerAddress, and the tuple of titles

    def __init__(
        self,
        titles: Sequence[str],
        chosen: Iterable[str],
        known: Sequence[ServerAddress],
        operations: SharedOperations,
        parent: QWidget,
    ) -> None:
        super().__init__(self.tr("Publish courses"), parent, heading=self.tr("Publish to a server"))
        self.setModal(False)
        self._operations = operations
        self._job: Job[None] | None = None
        self._is_removing = False
        self._done: LibraryPublished | None = None
        self._failure: Message | None = None
        hint = self.tr("Of your Chroma server. Tokens do not belong in it.")
        self.form = ServerForm(hint, known)
        self.list = column_list((self.tr("Course"), self.tr("State")), self.tr("Courses to publish"))
        self.list.setMinimumHeight(scaled(_LIST_HEIGHT))
        self._items = {title: self._item(title, title in set(chosen)) for title in titles}
        self.list.addTopLevelItems(list(self._items.values()))
        self.list.setCurrentItem(self._items[titles[0]])
        self.bar = QProgressBar(textVisible=False)
        self.bar.setAccessibleName(self.windowTitle())
        about = self.tr(
            "Everybody who may read from this server can then search these courses. If you tick all of them, "
            "courses that you have published and no longer have are removed there."
        )
        self.state = plain_label(about, "muted")
        self.state.setAlignment(Qt.AlignmentFlag.AlignTop)
        self.state.setMinimumHeight(2 * self.fontMetrics().lineSpacing() + scaled(4))
        self._announcer = Announcer(self)
        upper = QWidget()
        vbox(self.form, self.list, parent=upper, spacing=8)
        self.body.addWidget(scrolled(upper), 1)
        self.body.addWidget(self.bar)
        self.body.addWidget(self.state)
        self.remove = self.add_button(self.tr("Remove from server…"), self._remove, at_left=True)
        self.stop = self.add_button(self.tr("Stop"), self._stop)
        self.publish = self.add_button(
            self.tr("Publish"), lambda: self._publish(self.chosen), kind="primary", is_default=True
        )
        self.add_close(is_default=False)
        self.form.changed.connect(self._update)
        self.list.itemChanged.connect(self._update)
        self.finished.connect(self._drop)
        self._update()
        self.resize_to(620, 600)

    @property
    def is_publishing(self) -> bool:
        return self._job is not None

    @property
    def chosen(self) -> tuple[str, ...]:
        ticked = Qt.CheckState.Checked
        return tuple(title for title, item in self._items.items() if item.checkState(_COURSE) is ticked)

    # ---- building ----

    def _item(self, title: str, is_chosen: bool) -> QTreeWidgetItem:
        item = QTreeWidgetItem([harmless(title), ""])
        item.setCheckState(_COURSE, Qt.CheckState.Checked if is_chosen else Qt.CheckState.Unchecked)
        item.setToolTip(_COURSE, plain_tool_tip(harmless(title)))
        return item

    def _update(self) -> None:
        running = self.is_publishing
        self.form.setEnabled(not running)
        self.bar.setVisible(running)
        self.stop.setVisible(running)
        self.publish.setVisible(not running)
        self.remove.setVisible(not running)
        for button in (self.publish, self.remove):
            button.setEnabled(bool(self.form.is_filled and self.chosen))

    # ---- publishing ----

    def _publish(self, titles: Sequence[str], *, replaces: bool = False) -> None:
        address = self.form.chosen()
        if address is None or self.is_publishing:
            return
        # Those that left the library stay on the server, unless all are chosen.
        is_all = not replaces and len(titles) == len(self._items)
        publish = self._operations.publish
        job = publish(address, self.form.new_token, None if is_all else titles, replaces=replaces)
        self._run(address, titles, job, is_removing=False)

    def _remove(self) -> None:
        address, titles = self.form.chosen(), self.chosen
        if address is None or self.is_publishing:
            return
        text = self.tr("Whoever reads from {server} will no longer find these courses there:")
        if self._confirm(
            self.tr("Remove from the server?"), text.format(server=address.host), titles, self.tr("Remove")
        ):
            job = self._operations.publish(address, self.form.new_token, (), remove=titles)
            self._run(address, titles, job, is_removing=True)

    def _run(
        self, address: ServerAddress, titles: Sequence[str], job: Job[None], *, is_removing: bool
    ) -> None:
        self._job, self._is_removing, self._done, self._failure = job, is_removing, None, None
        self.begun.emit(address, self.chosen)
        for title in titles:
            self._set_state(title, "")
        self._say(self.tr("Asking {server}…").format(server=address.host))
        show_waiting(self.bar)
        self._update()
        self.stop.setFocus()
        job.run(self, event=self.show_event, failure=self._fail, finished=self._finish)

    def show_event(self, event: PublishEvent) -> None:
        """Show how far it is, or what became of a course."""
        match event:
            case PublishProgress(title, done, total) if total:
                self.bar.setRange(0, total)
                self.bar.setValue(done)
                self._set_state(title, self.tr("{0}%").format(100 * done // total))
                sending = self.tr("Sending “{course}”: {done} of {total} passages")
                name = harmless(title)
                self._say(
                    sending.format(course=name, done=number_text(done), total=number_text(total)), quiet=done
                )
            case PublishProgress(title):
                show_waiting(self.bar)
                self._say(self.tr("Comparing “{course}” with the server…").format(course=harmless(title)))
            case CoursePublished():
                if event.title not in self._items:  # it has left the library, and now the server
                    self.list.addTopLevelItem(QTreeWidgetItem([harmless(event.title), self._result(event)]))
                self._set_state(event.title, self._result(event), event.reason)
            case LibraryPublished():
                self._done = event

    def _result(self, course: CoursePublished) -> str:
        if course.status is PublishStatus.UNCHANGED:
            return self.tr("unchanged")
        if course.status is PublishStatus.REMOVED:
            return self.tr("removed")
        if course.status is PublishStatus.FAILED:
            return self.tr("not published")
        sent = self.tr("%Ln passage(s) sent", None, course.sent)
        retired = self.tr("%Ln removed", None, course.retired) if course.retired else ""
        return ", ".join(filter(None, (sent, retired)))

    def _set_state(self, title: str, text: str, reason: Message | None = None) -> None:
        item = self._items.get(title)
        if item is not None:
            why = "" if reason is None else shown(reason)
            item.setText(_STATE, text)
            item.setToolTip(_STATE, plain_tool_tip(why) if why else "")

    def _finish(self) -> None:
        self._job = None
        self._update()
        if not self._is_removing:
            self.publish.setText(self.tr("Publish") if self._done else self.tr("Resume"))
        if self._done is not None:
            self._tell_end(self._done)
            self._operations.refresh().run(self)  # somebody may subscribe to what he publishes
        elif self._failure is not None:
            self._say(shown(self._failure), "danger-caption")
        elif self._is_removing:
            self._say(self.tr("Stopped."))
        else:
            self._say(self.tr("Stopped. What has been sent stays there; Resume sends the rest."))
        if self.isActiveWindow():  # a key pressed once too often must not publish what was just removed
            (self.remove if self._is_removing else self.publish).setFocus()

    def _tell_end(self, done: LibraryPublished) -> None:
        failed = [course for course in done.courses if course.status is PublishStatus.FAILED]
        if not failed and self._is_removing:
            self._say(self.tr("Removed from the server."))
            return
        if not failed:
            self._say(self.tr("Published. %Ln passage(s) sent.", None, done.passages_sent))
            return
        reasons = dict.fromkeys(shown(course.reason) for course in failed if course.reason is not None)
        self._say(" ".join(reasons), "danger-caption")
        others = [one.title for one in failed if one.reason is not None and one.reason.id == _OTHERS]
        text = self.tr("These courses on the server were published from another library:")
        may_replace = others and not self._is_removing
        if may_replace and self._confirm(self.tr("Replace courses?"), text, others, self.tr("Replace")):
            self._publish(others, replaces=True)

    def _confirm(self, title: str, text: str, titles: Sequence[str], action: str) -> bool:
        names = "\n".join(harmless(title) for title in titles)
        return show.confirm(self, title, f"{text}\n\n{names}", action)

    def _fail(self, message: Message) -> None:
        self._failure = message

    def _stop(self) -> None:
        if self._job is not None:
            self._job.cancel()

    def _drop(self) -> None:
        if self._job is not None:
            self._job.drop()
            self._job = None

    def _say(self, text: str, role: str = "muted", *, quiet: int = 0) -> None:
        self.state.setText(text)
        set_look(self.state, "role", role)
        if not quiet:
            self._announcer.show(text, urgent=role != "muted")
