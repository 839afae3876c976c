"""A second look at an answer, from the click below it to its new grades."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.support.conversing import ask, chat_text, follow_link
from tests.support.scripted_turns import Cite, Gate, Text, ToolUse, Turn, Wait

if TYPE_CHECKING:
    from tests.support.anthropic_server import AnthropicServer
    from tests.support.running_window import Opener

ANSWER = (
    Turn(ToolUse("search_course_content", {"query": "why are there tides?"}), stop_reason="tool_use"),
    Turn(
        Text("The moon pulls the ocean into two bulges", citations=(Cite(0, 0, 1),)),
        Text(". "),
        Text("Sailors love the sea most of all", citations=(Cite(0, 0, 1),)),
    ),
)


@pytest.mark.qt_log_ignore(r"This plugin does not support raise\(\)")  # for the tool tip
def test_its_verdicts_take_the_place_of_the_grades(open_window: Opener, server: AnthropicServer) -> None:
    running = open_window(server)
    gate = Gate()
    server.script(*ANSWER, Turn(Text("1 ", Wait(gate), "yes")))
    ask(running, "Why are there tides?")
    assert "1 of 2 statements in line with their sources" in chat_text(running).replace("\xa0", " ")
    follow_link(running, "look:")
    follow_link(running, "look:")  # asks nothing while the first one is under way
    gate.open()
    running.wait_for(lambda: "2 of 2 statements" in chat_text(running), "the verdict")
    (conversation,) = running.rag.conversations.all()
    (exchange,) = running.rag.conversations.exchanges(conversation.id)
    assert exchange.in_line_count == 2
    assert len(server.message_requests) == 3
