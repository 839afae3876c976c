"""The making of study material: items as they come, what they cover, and how it ended."""

from typing import TYPE_CHECKING

from PySide6.QtCore import QModelIndex, Qt
from PySide6.QtWidgets import QProgressBar, QWidget

from app.domain.events import AnswerWaiting
from app.domain.messages import Message
from app.domain.model_servers import Usage
from app.features.study.making import ItemMade, MakeDone, MakeEvent, MakeRequest, MakeStarted
from app.features.study.ui.controller import StudyController
from app.features.study.ui.items_list import ITEM_ROLE, ItemsList
from app.features.study.ui.pane import StudyPage
from app.ui.widgets.accessibility import Announcer, show_waiting
from app.ui.widgets.building import Cell, FlowLayout, push_button, vbox
from app.ui.widgets.messages import shown
from app.ui.widgets.numbers import dollars, number_text
from app.ui.widgets.text_labels import plain_label

if TYPE_CHECKING:
    from app.workers.job import Job


class MakingPage(StudyPage):
    """Runs one making at a time; leaving the page does not stop it."""

    def __init__(self, study: StudyController) -> None:
        super().__init__()
        self.title = self.tr("Study material")
        self._study, self._jobs = study, study.jobs
        self._job: Job[None] | None = None
        self._wanted = 0
        self._deck_title = ""
        self._done: MakeDone | None = None
        self.sentence = plain_label("", "strong")
        self.details = plain_label("", "muted")
        self._announcer = Announcer(self)
        self.bar = QProgressBar(textVisible=False)
        self.bar.setAccessibleName(self.tr("Making study material"))
        self.stop = push_button(self.tr("Stop"), self._stop)
        self.again = push_button(self.tr("Make more…"), study.make)
        self.show_deck_button = push_button(
            self.tr("Show the deck"), lambda: study.show_page("items", self._deck_title), "primary"
        )
        self.list = ItemsList()
        self.list.setAccessibleName(self.tr("Items made"))
        self._model = self.list.items
        self.list.activated.connect(self._open_source)
        self._lay_out()
        self._show_state()

    @property
    def is_running(self) -> bool:
        return self._job is not None

    def begin(self, subject: object) -> None:
        assert isinstance(subject, MakeRequest)
        self._model.set_entries(())
        self._wanted, self._done, self._deck_title = subject.number, None, ""
        self.details.hide()
        self.sentence.setText(self.tr("Choosing passages…"))
        show_waiting(self.bar)
        making = self._jobs.make(subject)
        self._job = making.run(self, event=self.show_event, failure=self._fail, finished=self._finish)
        self._show_state()
        self._study.show_making(is_making=True)

    def focus_first(self) -> None:
        buttons = self.stop, self.show_deck_button, self.again
        shown = next((one for one in buttons if not one.isHidden()), self.list)
        shown.setFocus(Qt.FocusReason.TabFocusReason)

    # ---- building ----

    def _lay_out(self) -> None:
        buttons, column = FlowLayout(8, self.stop, self.show_deck_button, self.again), QWidget()
        parts = self.sentence, self.details, self.bar, buttons, Cell(self.list, 1)
        vbox(*parts, parent=column, spacing=8)
        self.lay_out(column)

    # ---- what happens ----

    def show_event(self, event: MakeEvent) -> None:
        match event:
            case MakeStarted(items):
                self._wanted = items or self._wanted
                self.bar.setRange(0, self._wanted)
            case ItemMade(item):
                self._deck_title = self._deck_title or item.source.hit.course_title
                with self.list.held():
                    self._model.add(item)
                if not self.list.selectionModel().hasSelection():
                    self.list.scrollTo(self._model.find(item.item_id))
            case AnswerWaiting(seconds=seconds) if seconds:
                again = self.tr("Trying again in {0} s").format(number_text(round(seconds)))
                self.details.setText(f"{shown(event.reason)} {again}")
                self.details.show()
                return
            case MakeDone():
                self._done = event
        self._tell()

    def _tell(self) -> None:
        self.bar.setValue(min(self._model.total, self._wanted))
        made = self.tr("{0} of %Ln item(s)", None, self._wanted).format(number_text(self._model.total))
        self.sentence.setText(made)
        self.details.hide()
        self._announcer.show(made)

    def _finish(self) -> None:
        self._job = None
        self.bar.setRange(0, 1)
        self.bar.setValue(1)
        parts: list[str] = []
        if self._done is not None:
            self.sentence.setText(shown(self._done.summary))
            parts.append(self._cost_text(self._done.usage))
            if self._done.error is not None and self._done.error != self._done.summary:
                parts.insert(0, shown(self._done.error))
        elif not self.sentence.property("failed"):
            stopped = self.tr("Stopped. %Ln item(s) made so far are in the deck.", None, self._model.total)
            self.sentence.setText(stopped)
        self.details.setText(" ".join(filter(None, parts)))
        self.details.setVisible(bool(self.details.text()))
        self.sentence.setProperty("failed", False)
        self._announcer.show(self.sentence.text())
        self._jobs.workers.answers.tell_spending().run(self)
        had_focus = self.stop.hasFocus()
        self._show_state()
        if had_focus:
            self.focus_first()
        self._study.show_making(is_making=False)

    def _fail(self, message: Message) -> None:
        self.sentence.setText(shown(message))
        self.sentence.setProperty("failed", True)

    def _stop(self) -> None:
        if self._job is not None:
            self._job.cancel()

    def _show_state(self) -> None:
        made = self._model.total
        self.stop.setVisible(self.is_running)
        self.bar.setVisible(self.is_running)
        self.again.setVisible(not self.is_running)
        self.again.setText(self.tr("Make more…") if made else self.tr("Try again…"))
        self.show_deck_button.setVisible(not self.is_running and made > 0)

    def _open_source(self, index: QModelIndex) -> None:
        if (item := index.data(ITEM_ROLE)) is not None:
            self._study.show_source(item)

    def _cost_text(self, usage: Usage) -> str:
        """Return what a making has cost; nothing if no model was asked."""
        if not usage.tokens:
            return ""
        if usage.cost is None:
            return self.tr("%Ln token(s)", None, usage.tokens)
        return self.tr("Cost: {0}.").format(dollars(usage.cost))
