"""Hints in the window: the switch at the composer, and the links that lead from one step to the next."""

from __future__ import annotations

import html
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QCoreApplication, QObject, Qt
from PySide6.QtWidgets import QCheckBox

from app.domain.conversations import ExchangeState
from app.features.study.model.hints import begun_with, is_try, kind_of, leads_on, next_kind, step_of
from app.ui.chat.transcript_html import link
from app.ui.widgets.text_labels import plain_tool_tip

if TYPE_CHECKING:
    from app.config.settings import Settings
    from app.domain.conversations import Exchange
    from app.ui.shell.main_window import MainWindow

tr = partial(QCoreApplication.translate, "Hints")
translate = QCoreApplication.translate
_ASK = "ask"  # what was read as a try


class Hints(QObject):
    """Asks for hints instead of answers while the switch is on, and for the next step on a click."""

    def __init__(self, window: MainWindow) -> None:
        super().__init__(window)
        self._chat = window.chat_controller
        self._is_setting = False
        self._edit = window.chat.composer.edit
        self._ask = self._edit.placeholderText()
        self.switch = window.actions_.add("study/study", "hints_first", translate("Actions", "&Hints first"))
        self._next = window.actions_.add(
            "study/study", "next_hint", translate("Actions", "Ne&xt hint"), self.go_on, "Ctrl+T"
        )
        self._chat.sources_changed.connect(self._enable)
        self._enable()
        box = QCheckBox(tr("Hints first"), window.chat.composer)
        box.setProperty("scale", "caption")
        box.setFocusPolicy(Qt.FocusPolicy.TabFocus)  # after a click, the keyboard stays where it was
        tip = tr("Get hints instead of the answer, one at a time.")
        box.setToolTip(plain_tool_tip(tip))
        box.toggled.connect(self.switch.setChecked)
        self.switch.toggled.connect(box.setChecked)
        window.chat.composer.context.place(box)
        self._chat.kind_of = lambda text, last: kind_of(text, last, hints_first=self.switch.isChecked())
        window.chat.transcript.steps_after = self._links
        window.chat.transcript.step_requested.connect(self._take)
        self._show(window.settings)
        window.workers.settings_saved.connect(self._show)

    def go_on(self) -> None:
        """Take the next step after the last exchange on show."""
        last = self._chat.exchange(self._chat.last_exchange_id)
        if last is not None:
            self._take(last.id, next_kind(last) if leads_on(last) else "")

    def _enable(self) -> None:
        last = self._chat.exchange(self._chat.last_exchange_id)
        self._next.setEnabled(step_of(last) > 0)
        waits = last is not None and leads_on(last)
        self._edit.setPlaceholderText(tr("Write what you think…") if waits else self._ask)

    def _show(self, settings: Settings) -> None:
        if settings.hints_first != self._is_setting:  # else the switch stays as it was put
            self._is_setting = settings.hints_first
            self.switch.setChecked(self._is_setting)

    def _links(self, exchange: Exchange) -> str:
        """Return the line below a hint that leads on."""
        if not step_of(exchange) or exchange.state is ExchangeState.WRITING:
            return ""
        names = {"hint:2": tr("What to look for"), "hint:3": tr("The passage with gaps")}
        kinds = [next_kind(exchange)] if leads_on(exchange) else []
        links = [(kind, names[kind]) for kind in kinds if kind] + [("", tr("Show the answer"))]
        if is_try(exchange):
            links.append((_ASK, tr("This was a question")))
        parts = [link(f"step:{exchange.id}/{kind}", name) for kind, name in links]
        if leads_on(exchange):
            parts.append(html.escape(tr("or write below what you think")))
        return f'<p class="status">{" &nbsp;·&nbsp; ".join(parts)}</p>'

    def _take(self, exchange_id: int, kind: str) -> None:
        exchange = self._chat.exchange(exchange_id)
        if exchange is None:
            return
        branch = [exchange]
        while (before := self._chat.exchange(branch[0].parent_id or 0)) is not None:
            branch.insert(0, before)
        begun = begun_with(branch) or exchange
        if kind == _ASK:
            first = kind_of("?", None, hints_first=self.switch.isChecked())
            self._chat.ask_after(exchange_id, exchange.question, self._chat.scope, first)
            return
        asked = {"hint:2": tr("What should I look for?"), "hint:3": tr("Show me the passage with gaps.")}
        self._chat.ask_after(exchange_id, asked.get(kind, begun.question), begun.scope, kind)
