"""Pictures of hints: each step, a try between them, and the answer."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tests.support.conversing import ask

if TYPE_CHECKING:
    from tests.support.running_window import RunningWindow
    from tests.tools.screenshots.pictures import Pictures


def _step(running: RunningWindow) -> None:
    """Take the next step as the key does."""
    running.window.actions_["next_hint"].trigger()
    running.wait_for(lambda: not running.window.chat_controller.is_answering, "the step")


def hint_states(pictures: Pictures) -> None:
    """Take the steps without a model."""
    with pictures.window() as (running, _):
        actions = running.window.actions_
        actions["hints_first"].setChecked(True)
        ask(running, "Why let neighbouring pieces share some text?")
        pictures.take(running, "hint-where")
        for name in ("what", "gaps"):
            _step(running)
            pictures.take(running, f"hint-{name}")
        ask(running, "So that no sentence is cut at the border")
        pictures.take(running, "hint-try")
        _step(running)
        pictures.take(running, "hint-answer")
        running.window.chat_controller.new_chat()
        ask(running, "Who won the football world cup of 1954?")
        pictures.take(running, "hint-nothing")
