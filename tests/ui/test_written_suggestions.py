"""With the setting on, a model writes the questions that are suggested."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from app.ui.chat.welcome import SuggestionButton
from tests.support.scripted_turns import Gate, Text, Turn, Wait

if TYPE_CHECKING:
    from tests.support.anthropic_server import AnthropicServer
    from tests.support.running_window import Opener, RunningWindow

TIDES = "Tides and Currents"
QUESTION = "Why does the moon pull the water of the sea?"


def suggested(running: RunningWindow) -> list[str]:
    buttons = running.window.chat.welcome.findChildren(SuggestionButton)
    return [button.question for button in buttons]


def test_they_are_written_once_and_kept(open_window: Opener, server: AnthropicServer) -> None:
    running = open_window(server)
    courses = running.rag.courses
    titles = [course.title for course in courses.all()]
    assert QUESTION not in suggested(running)
    assert not server.message_requests, "nothing is sent unless the setting says so"
    server.script(*(Turn(Text(QUESTION)) for _ in titles))
    settings = replace(running.rag.settings, write_suggestions=True)
    running.workers.library.save_settings(settings).run(running.window)
    running.wait_for(lambda: QUESTION in suggested(running), "the questions")
    running.wait_for(lambda: not courses.without_questions(), "all courses")
    assert len(server.message_requests) == len(titles)
    running.wait_for(
        lambda: running.window.settings_controller.budget.spending.tokens > 0, "what they have cost"
    )
    again = open_window(server)
    again.wait_for(lambda: QUESTION in suggested(again), "the questions that were kept")
    assert len(server.message_requests) == len(titles)


def test_none_is_written_once_the_setting_is_off(open_window: Opener, server: AnthropicServer) -> None:
    running, gate = open_window(server), Gate()
    courses = running.rag.courses
    titles = [course.title for course in courses.all()]
    assert len(titles) > 1
    server.script(Turn(Text(Wait(gate), QUESTION)), *(Turn(Text(QUESTION)) for _ in titles))
    settings = replace(running.rag.settings, write_suggestions=True)
    running.workers.library.save_settings(settings).run(running.window)
    running.wait_for(gate.reached.is_set, "the first request")
    running.workers.library.save_settings(replace(settings, write_suggestions=False)).run(running.window)
    running.wait_for(lambda: not running.rag.settings.write_suggestions, "the setting")
    gate.open()
    running.wait_for(
        lambda: running.window.settings_controller.budget.spending.tokens > 0, "what has been written"
    )
    running.wait_for(lambda: len(courses.without_questions()) == len(titles) - 1, "the first to be kept")
    assert len(server.message_requests) == 1
