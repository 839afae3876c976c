from __future__ import annotations

from typing import Any

from app.core.conversations.markdown_export import answer_with_marks, conversation_markdown
from app.domain.conversations import INTERRUPTED, Conversation, Exchange, ExchangeState, OpenedConversation
from app.domain.messages import LITERAL, Message
from app.domain.search import SearchHit
from app.domain.sources import Citation, Source

ANSWER = "The moon pulls the ocean. Neap tides come later."


def source(n: int) -> Source:
    hit = SearchHit(
        n, 0.5, "Tides", n, f"Part {n}", n, "…", "/tides.txt", 0, 90, None, f"https://example.org/{n}", 1
    )
    return Source(n, f"ref:{n}", hit, ((0, 90),), "ab")


def citation(n: int, end: int, quoted: str, *, verified: bool = True) -> Citation:
    return Citation(n, 0, end, 0, 90, quoted, verified)


def exported(*exchanges: Exchange) -> str:
    return conversation_markdown(OpenedConversation(Conversation(1, "Why are there tides?", 0.0), exchanges))


def exchange(number: int = 1, **changes: Any) -> Exchange:  # noqa: ANN401
    values: dict[str, Any] = {"question": "Why?", "answer": ANSWER, "state": ExchangeState.DONE}
    return Exchange(number, None, **{**values, **changes})


def test_claims_lead_to_footnotes_with_what_was_cited() -> None:
    text = exported(
        exchange(sources=(source(1), source(2)), citations=(citation(2, 25, "The moon\n pulls."),)),
        exchange(2, sources=(source(1),), citations=(citation(1, 48, "Neap tides."),)),
    )
    assert text.startswith("# Why are there tides?\n")
    assert "The moon pulls the ocean. [^1-2] Neap" in text
    assert "[^1-2]: Tides, Lesson 2: Part 2. “The moon pulls.” <https://example.org/2>" in text
    assert "[^2-1]: Tides, Lesson 1: Part 1. “Neap tides.”" in text
    assert "[^1-1]:" not in text, "what is not cited has no footnote"


def test_citations_that_failed_are_flagged_in_the_text_and_in_the_note() -> None:
    text = exported(
        exchange(
            sources=(source(1),),
            citations=(
                citation(1, 25, "Never written.", verified=False),
                Citation(0, 0, 48, 0, 0, "Nowhere.", verified=False),
            ),
        )
    )
    assert "ocean. [^1-1] (could not be verified)" in text
    assert "later. [could not be verified]" in text
    note = next(line for line in text.splitlines() if line.startswith("[^1-1]:"))
    assert "**A citation of this source could not be verified.**" in note
    assert "Never written." not in note
    assert "Nowhere." not in text


def test_the_users_words_are_quoted_and_mean_nothing_in_markdown() -> None:
    text = exported(exchange(question="# Not a heading\n[link](https://x) <b>\n- no list\n1. none\n```"))
    for line in (
        "> \\# Not a heading",
        "> \\[link\\](https://x) &lt;b\\>",
        "> \\- no list",
        "> 1\\. none",
        "> \\`\\`\\`",
    ):
        assert line in text.splitlines()


def test_how_an_answer_ended_is_said() -> None:
    text = exported(
        exchange(1, state=ExchangeState.STOPPED, stop_reason="stopped"),
        exchange(2, state=ExchangeState.STOPPED, stop_reason=INTERRUPTED, answer=""),
        exchange(
            3, state=ExchangeState.FAILED, error=Message(LITERAL, text="The server is busy."), answer=""
        ),
        exchange(4, error=Message(LITERAL, text="The answer reached its length limit and stops here.")),
        exchange(5, state=ExchangeState.WRITING),
    )
    assert "*The answer was still being written.*" in text
    assert "*The answer was stopped here.*" in text
    assert "*The answer was interrupted here.*" in text
    assert "*The answer failed: The server is busy.*" in text
    assert "*The answer reached its length limit and stops here.*" in text


def test_a_mark_behind_quoted_code_leaves_its_fence_alone() -> None:
    answer = "> ```julia\n> x\n> ```"
    found = citation(1, len(answer), "x")
    assert answer_with_marks(answer, (found,)) == f"{answer}\n\n[1]"
