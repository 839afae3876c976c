"""Pictures of what the window says of the support of an answer."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from app.domain.conversations import Exchange, ExchangeState
from app.domain.messages import LITERAL, Message
from app.domain.scope import Scope
from app.domain.sources import Citation, Claim, Source, Support
from tests.support.hard_formulas import HARD

if TYPE_CHECKING:
    from tests.support.running_window import RunningWindow
    from tests.tools.screenshots.pictures import Pictures

QUESTION = "Why does a retrieval system cut documents into chunks?"
# What an answer says, what supports it, why it does not, and whether Lectern found the sentence.
_PARTS = (
    ("A retrieval system **cuts documents into chunks** because a whole document is too long to search.",),
    ("Each chunk is embedded on its own, so that one subject does not blur another.", "found"),
    ("Chunks of 4,000 characters work best.", Support.NOT_FOUND, "The number 4,000 is not in the source."),
    ("Overlap keeps a sentence that a cut would divide.",),
    (
        "Nothing is ever lost when a document is cut.",
        Support.QUOTE_FOUND,
        "The source says so of overlapping chunks only.",
    ),
    ("The idea comes from the libraries of *ancient Alexandria*.", Support.NOT_FROM_COURSES),
)


def support_states(pictures: Pictures) -> None:
    """Take examined answers, answers from elsewhere, and one that failed with passages found."""
    with pictures.window() as (running, folder):
        hits = running.rag.search.retrieve(QUESTION).hits
        sources = tuple(running.rag.search.make_source(n, hit) for n, hit in enumerate(hits[:4], 1))
        examined = _show(running, _examined(sources))
        pictures.take(running, "examined")
        view = running.window.chat.transcript
        view.setFocus()
        for _ in range(3):
            QTest.keyClick(view, Qt.Key.Key_Right)
        pictures.take(running, "mark-in-focus")

        first = next(claim for claim in examined.claims if claim.support is not Support.IN_LINE)
        view.show_claim(examined.id, first.answer_end)
        pictures.take_with_sources(running, "first-doubtful-claim")
        general = Exchange(
            0, None, "Who was Homer?", "Homer was a Greek poet.", ExchangeState.DONE, model="m"
        )
        outside = (Claim(0, 23, Support.NOT_FROM_COURSES),)
        _show(running, replace(general, claims=outside))
        pictures.take(running, "nothing-searched")
        _show(running, replace(general, sources=sources, claims=outside))
        pictures.take(running, "not-from-the-courses")
        error = Message("answers.key_refused")
        _show(running, _failed(sources, error))
        pictures.take(running, "failed-with-passages")
        _show(running, replace(_failed((), error), answer="", sources=(), citations=()))
        pictures.take(running, "failed-with-nothing")
        formulas = "\n".join(f"{number}. so ${latex}$ holds" for number, latex in enumerate(HARD, 1))
        _show(running, replace(general, answer=f"In **general**:\n\n$$\n{HARD[2]}\n$$\n\n{formulas}"))
        pictures.take(running, "formulas")


def _show(running: RunningWindow, exchange: Exchange) -> Exchange:
    """Save an exchange in a chat of its own and open that."""
    sessions = running.rag.conversations
    talk = sessions.create_session()
    begun = sessions.begin_exchange(talk, exchange.question, Scope(), exchange.model)
    saved = replace(exchange, id=begun.id)
    sessions.save(saved)
    running.window.chat_controller.open(talk)
    running.wait_for(lambda: running.window.chat_controller.conversation_id == talk, "the chat")
    running.wait_for(lambda: not running.window.chat.transcript.is_building, "the chat to be drawn")
    QTest.qWait(300)
    return saved


def _examined(sources: tuple[Source, ...]) -> Exchange:
    answer, citations, claims = "", [], []
    for number, (text, *rest) in enumerate(_PARTS):
        answer += "\n\n" if number == 3 else " " if answer else ""
        start, end = len(answer), len(answer) + len(text)
        answer += text
        support = next((one for one in rest if isinstance(one, Support)), Support.IN_LINE)
        why = Message(LITERAL, text=rest[1]) if len(rest) > 1 else None
        claims.append(Claim(start, end, support, why))
        if support is not Support.NOT_FROM_COURSES:
            source = sources[number % len(sources)]
            span = source.sentences[0]
            quote = source.text(*span)
            citations.append(
                Citation(source.n, start, end, *span, quote, True, support, is_found="found" in rest)
            )
    return Exchange(
        0,
        None,
        QUESTION,
        answer,
        ExchangeState.DONE,
        sources=sources,
        citations=tuple(citations),
        claims=tuple(claims),
        model="claude",
        seconds=2.4,
    )


def _failed(sources: tuple[Source, ...], error: Message) -> Exchange:
    answer, citations = "What these lessons say:\n\n", []
    for source in sources[:2]:
        start = len(answer)
        answer += f"> {' '.join(source.hit.text.split())[:300]}"
        citations.append(
            Citation(source.n, start, len(answer), source.hit.start, source.hit.end, source.hit.text, True)
        )
        answer += "\n\n"
    return Exchange(
        0,
        None,
        QUESTION,
        answer,
        ExchangeState.FAILED,
        sources=sources,
        citations=tuple(citations),
        model="claude",
        error=error,
    )
