"""Chooses what study material to make, from what, and how; says what it will cost."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from PySide6.QtCore import QLocale, Signal
from PySide6.QtWidgets import QWidget

from app.domain.messages import Message
from app.domain.model_servers import Spending
from app.features.study.kinds import AUTOMATIC, KINDS
from app.features.study.making import MakeEstimate, MakeRequest
from app.features.study.model.items import Difficulty
from app.features.study.model.names import MADE
from app.features.study.ui.card_html import difficulty_name, kinds_name
from app.features.study.ui.operations import StudyJobs
from app.features.study.ui.pane import Origin
from app.ui.widgets.building import FlowLayout, link_button, one_shot, scrolled
from app.ui.widgets.dialog import Dialog
from app.ui.widgets.form import Row, Section, WheelGuard, check_box, choice, number_box
from app.ui.widgets.messages import shown
from app.ui.widgets.numbers import dollars, number_text
from app.ui.widgets.text_labels import plain_label

if TYPE_CHECKING:
    from app.workers.job import Job

_NUMBER, _MOST = 20, 500
_GAP = 6  # pixels between rows
_CHANGING_MS = 250  # before the cost is estimated again
_LANGUAGES = ("en", "de", "es", "fr", "it", "pt", "nl", "pl", "ru", "uk", "zh", "ja")


class MakeDialog(Dialog):
    """Asks what to make; ``requested`` carries the MakeRequest. Without a model it offers what needs none."""

    requested = Signal(object)
    settings_requested = Signal()

    def __init__(
        self,
        origins: Sequence[Origin],
        jobs: StudyJobs,
        spending: Spending,
        parent: QWidget,
        *,
        has_model: bool,
        models_here: str = "",
    ) -> None:
        super().__init__(self.tr("Make study material"), parent)
        self.heading.hide()
        self._jobs, self._spending, self._origins = jobs, spending, tuple(origins)
        self._estimating: Job[MakeEstimate] | None = None
        self._has_model = has_model
        self.origin = choice(dict(enumerate(one.name for one in origins)), 0, elided=True)
        ways = {False: self.tr("With a model"), True: self.tr("Automatically, without a model")}
        self.way = choice(ways if has_model else {True: ways[True]}, not has_model)
        self.kinds = {
            kind: check_box(kinds_name(kind), KINDS[kind].is_chosen_first if has_model else kind in AUTOMATIC)
            for kind in MADE
        }
        self.number = number_box(1, _MOST)
        self.number.setValue(_NUMBER)
        self.difficulty = choice({one: difficulty_name(one) for one in Difficulty}, Difficulty.MEDIUM)
        self.language = choice(self._languages(), "")
        self.cost = plain_label("", "muted")
        self._build(has_model, models_here)
        self.make = self.add_cancel_and(self.tr("Make"), self._accept)
        self._soon = one_shot(self, _CHANGING_MS, self._estimate)
        self._connect()
        self._update()
        self.resize_to(560, 640 if has_model else 520)

    @property
    def request(self) -> MakeRequest:
        origin, is_automatic = self._origins[self.origin.currentData()], bool(self.way.currentData())
        return MakeRequest(
            tuple(kind for kind, box in self.kinds.items() if box.isChecked() and box.isEnabled()),
            self.number.value(),
            origin.scope,
            origin.conversation_id,
            self.difficulty.currentData(),
            "" if is_automatic else self.language.currentData(),
            automatic=is_automatic,
        )

    # ---- building ----

    def _build(self, has_model: bool, models_here: str) -> None:
        section = Section(self.tr("What do you want to learn?"))
        origin = section.add(self.tr("From"), self.origin, narrow=False)
        automatic = self.tr(
            "From glossaries, definitions, two-column tables and terms in bold. If there are many terms, gap "
            "texts come the next time. These items are marked as automatic: look them over."
        )
        self._way_row = section.add(self.tr("How"), self.way, automatic)
        boxes = QWidget()
        boxes.setLayout(FlowLayout(12, *self.kinds.values()))
        boxes.setAccessibleName(self.tr("What"))
        kinds = Row(self.tr("What"), boxes)
        section.add_tall(kinds)
        self._rows = [
            section.add(self.tr("How many"), self.number),
            section.add(self.tr("Difficulty"), self.difficulty),
            section.add(self.tr("Language"), self.language),
        ]
        for row in (origin, kinds, *self._rows):
            row.message.setFixedHeight(_GAP)  # they never say anything
        self.body.addWidget(scrolled(section), 1)
        self.body.addWidget(self.cost)
        if not has_model:
            connect = link_button(self.tr("Connect a model…"), self._leave_for_settings)
            connect.setAccessibleDescription(self.tr("It writes questions, a quiz and a study guide."))
            self.body.addWidget(connect)
            self.body.addWidget(plain_label(models_here, "caption"))
        WheelGuard(self)

    def _connect(self) -> None:
        for box in (self.origin, self.way, self.difficulty, self.language):
            box.currentIndexChanged.connect(self._update)
        for tick in self.kinds.values():
            tick.toggled.connect(self._update)
        self.number.valueChanged.connect(self._update)

    def _languages(self) -> dict[str, str]:
        names = {code: QLocale(code).nativeLanguageName().capitalize() for code in _LANGUAGES}
        return {"": self.tr("Same as the material"), **names}

    # ---- changes ----

    def _update(self) -> None:
        if self._estimating is not None:  # of something else
            self._estimating.drop()
        is_automatic = bool(self.way.currentData())
        for kind, box in self.kinds.items():
            box.setEnabled(not is_automatic or kind in AUTOMATIC)
            box.setChecked(box.isChecked() and box.isEnabled())
        self._way_row.message.setVisible(is_automatic)
        for row in self._rows[1:]:
            row.need(not is_automatic)
        self.make.setEnabled(bool(self.request.kinds) and (is_automatic or not self._is_spent))
        self._soon.start()

    def _estimate(self) -> None:
        request = self.request
        self.make.setText(self.tr("Make"))
        if not request.kinds:
            self.cost.setText(self.tr("Choose what to make."))
        elif self._is_spent and not request.automatic:
            self.cost.setText(shown(Message("making.budget_spent")))
        else:
            self._estimating = self._jobs.estimate(request).run(
                self, success=self.show_estimate, failure=self._show_problem
            )

    @property
    def _is_spent(self) -> bool:
        return self._spending.share >= 1

    def _show_problem(self, message: Message) -> None:
        self.cost.setText(shown(message))

    def show_estimate(self, estimate: MakeEstimate) -> None:
        """Say what the request will cost, and what the budget leaves; or why nothing can be made."""
        can_make = bool(estimate.terms if self.request.automatic else estimate.passages)
        parts = self._costs(estimate) if estimate.passages else []
        self.make.setEnabled(can_make)
        if estimate.remark is not None:
            parts.append(shown(estimate.remark))
        self.cost.setText(" ".join(parts))

    def _costs(self, estimate: MakeEstimate) -> list[str]:
        if self.request.automatic:
            text = (
                self.tr("%Ln marked term(s), made on this computer, free of charge.", None, estimate.terms)
                if self._has_model
                else self.tr(
                    "%Ln marked term(s); for questions about everything else connect a model.",
                    None,
                    estimate.terms,
                )
            )
            return [text]
        passages = self.tr("From %Ln passage(s).", None, estimate.passages)
        if estimate.cost is None and estimate.minutes:
            text = self.tr("About %Ln minute(s) on a computer with two cores.", None, estimate.minutes)
        elif estimate.cost is None:
            tokens = number_text(estimate.tokens)
            text = self.tr("About {0} tokens; the price of this model is unknown.").format(tokens)
        else:
            text = self.tr("About {0}.").format(dollars(estimate.cost))
        parts = [passages, text]
        if self._spending.budget:
            left = max(self._spending.budget - self._spending.dollars, 0.0)
            parts.append(self.tr("{0} of this month's budget is left.").format(dollars(left)))
            if (estimate.cost or 0.0) > left:
                self.make.setText(self.tr("Make anyway"))
        return parts

    def _accept(self) -> None:
        self.requested.emit(self.request)
        self.accept()

    def _leave_for_settings(self) -> None:
        self.reject()
        self.settings_requested.emit()
