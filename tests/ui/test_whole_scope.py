"""The price of what is sent along with each question, in the real window."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from app.domain.scope import Scope, only_course
from app.ui.reading.source_card import SourceCard
from app.workers.job import Lane
from tests.support.chat_builders import hints
from tests.support.conversing import ask
from tests.support.scripted_turns import Cite, Text, Turn

if TYPE_CHECKING:
    from tests.support.anthropic_server import AnthropicServer
    from tests.support.running_window import Opener

TIDES = only_course("Tides and Currents")


def test_the_price_is_shown_before_a_question_is_asked(open_window: Opener, server: AnthropicServer) -> None:
    running = open_window(server)
    window = running.window
    window.set_scope(TIDES)
    running.workers.library.save_settings(replace(window.settings, whole_scope_tokens=2_000)).run(window)
    running.wait_for(lambda: "tokens" in hints(window.chat), "the price")
    assert hints(window.chat).startswith("All of this is sent along: about 1")
    assert hints(window.chat).endswith("< $0.001 for each one soon after.")
    window.set_scope(Scope())
    assert "tokens" not in hints(window.chat)
    window.set_scope(TIDES)
    running.wait_for(lambda: "tokens" in hints(window.chat), "the price again")

    server.script(Turn(Text("Neap tides come a week later.", citations=(Cite(1, 1, 2),))))
    ask(running, "When do neap tides come?")
    (card,) = window.sources.list.findChildren(SourceCard)
    assert card.source.hit.lesson_number == 2
    assert card.cited


def test_nothing_is_shown_unless_it_is_set(open_window: Opener, server: AnthropicServer) -> None:
    running = open_window(server)
    running.window.set_scope(TIDES)
    done: list[object] = []
    running.workers.job(Lane.READ, "Listing", lambda rag, _: rag.ingest.failures(), key="library").run(
        running.window, success=done.append
    )
    running.wait_for(lambda: bool(done), "what was asked of the library before")
    assert "tokens" not in hints(running.window.chat)
