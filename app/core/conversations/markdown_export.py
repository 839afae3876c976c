"""Writes answers and conversations as Markdown, with their citations as marks and footnotes."""

from bisect import bisect_left
from collections.abc import Callable, Sequence
from datetime import datetime

from app.core.conversations.harmless_markdown import (
    code_fences,
    harmless_markdown,
    literal,
    literal_line,
    web_address,
    with_closed_code,
)
from app.domain.conversations import INTERRUPTED, Exchange, ExchangeState, OpenedConversation
from app.domain.messages import Message, rendered
from app.domain.search import lesson_name
from app.domain.sources import NO_SOURCE, Citation, Source, Support, support_words

# Around the number of a mark while the text around it is made harmless; not in that text.
_OPEN, _CLOSE = "\ue000", "\ue001"
_FORGED = str.maketrans(_OPEN + _CLOSE, "\ufffd\ufffd")


def numbered_mark(citation: Citation) -> str:
    if citation.verified:
        return f"[{citation.source_n}]"
    number = f"{citation.source_n}: " if citation.source_n != NO_SOURCE else ""
    return f"[{number}{rendered(Message('conversations.unverified'))}]"


def answer_with_marks(
    answer: str, citations: Sequence[Citation], mark: Callable[[Citation], str] = numbered_mark
) -> str:
    """Return an answer's Markdown with a mark behind each claim; what could not be verified says so."""
    parts: list[str] = []
    done = 0
    for place, text in placed_marks(answer, citations, mark):
        parts += [answer[done:place], text]
        done = place
    return "".join([*parts, answer[done:]])


def placed_marks(
    answer: str, citations: Sequence[Citation], mark: Callable[[Citation], str] = numbered_mark
) -> list[tuple[int, str]]:
    """Return what to insert into an answer, each with its place, first to last."""
    marks: dict[int, dict[str, None]] = {}  # by place; a dict for its order
    for citation in sorted(citations, key=lambda item: item.answer_end):
        place = max(0, min(citation.answer_end, len(answer)))
        marks.setdefault(place, {})[mark(citation)] = None
    fences = code_fences(answer, inner=True)
    placed: list[tuple[int, str]] = []
    for place, written in marks.items():
        text = "".join(written)
        index = bisect_left(fences, place, key=lambda span: span[1])
        if index < len(fences) and fences[index][0] < place:  # a mark inside a code block would be code
            placed.append((fences[index][1], "\n\n" + text))
            continue
        spaced = " " if answer[place - 1 : place].strip() else ""
        # "[1](" would read as a link.
        after = " " if answer[place : place + 1] == "(" else ""
        placed.append((place, spaced + text + after))
    return placed


def conversation_markdown(opened: OpenedConversation) -> str:
    """Return one branch of a conversation as Markdown.

    Every cited source is a footnote with the cited sentences; a citation that could not be verified is
    flagged in the text and in its footnote.
    """
    conversation = opened.conversation
    day = datetime.fromtimestamp(conversation.updated).strftime("%Y-%m-%d")
    exported = Message("conversations.exported", day=day)
    parts = [f"# {literal_line(conversation.title)}", rendered(exported)]
    for number, exchange in enumerate(opened.exchanges, 1):
        asked = Message("conversations.question", number=str(number))
        parts.append(f"## {rendered(asked)}\n\n{_quoted(exchange.question)}")
        answer = f"### {rendered(Message('conversations.answer'))}"
        remark = _remark(exchange)
        note = f"*{literal_line(rendered(remark))}*" if remark else ""
        parts += [answer, _answer(exchange, number), note]
        cited = {citation.source_n for citation in exchange.citations}
        parts += [_footnote(source, exchange, number) for source in exchange.sources if source.n in cited]
    return "\n\n".join(filter(None, parts)) + "\n"


def _remark(exchange: Exchange) -> Message | None:
    """Return a remark on an answer that is not simply complete."""
    match exchange.state:
        case ExchangeState.DONE:
            return exchange.error
        case ExchangeState.FAILED if exchange.error:
            return Message("conversations.failed", reason=exchange.error)
        case ExchangeState.FAILED:
            return Message("conversations.failed_somehow")
        case ExchangeState.WRITING:
            return Message("conversations.being_written")
    interrupted = exchange.stop_reason == INTERRUPTED
    return Message("conversations.interrupted" if interrupted else "conversations.stopped")


def _answer(exchange: Exchange, number: int) -> str:
    marks: dict[str, int] = {}

    def token(citation: Citation) -> str:
        return f"{_OPEN}{marks.setdefault(_mark(citation, number), len(marks))}{_CLOSE}"

    answer = with_closed_code(exchange.answer.translate(_FORGED))
    text = harmless_markdown(answer_with_marks(answer, exchange.citations, token))
    for mark, key in marks.items():
        text = text.replace(f"{_OPEN}{key}{_CLOSE}", mark)
    return text.strip()


def _mark(citation: Citation, number: int) -> str:
    if citation.source_n == NO_SOURCE:
        return f"[{rendered(Message('conversations.unverified'))}]"
    doubt = _doubt(citation)
    return f"[^{number}-{citation.source_n}]" + (f" ({rendered(doubt)})" if doubt else "")


def _doubt(citation: Citation) -> Message | None:
    if not citation.verified:
        return Message("conversations.unverified")
    if citation.support in (None, Support.SUPPORTED):
        return None
    return support_words(citation.support)


def _footnote(source: Source, exchange: Exchange, number: int) -> str:
    hit = source.hit
    place = rendered(lesson_name(hit)) if hit.lesson_number is not None else hit.lesson_title
    text = literal_line(f"{hit.course_title}, {place}." if place else f"{hit.course_title}.")
    cited = [item for item in exchange.citations if item.source_n == source.n]
    quotes = dict.fromkeys(_quotation(item) for item in cited if item.verified and item.cited_text)
    text += "".join(f" {quote}" for quote in quotes)
    if any(not item.verified for item in cited):
        text += f" **{rendered(Message('conversations.source_unverified'))}**"
    return f"[^{number}-{source.n}]: {text} {web_address(hit.link)}".rstrip()


def _quotation(citation: Citation) -> str:
    """Return the cited text with what it shows, such as “It rises.” (supported, found by Lectern)."""
    words = [support_words(citation.support)] if citation.support else []
    words += [Message("conversations.found")] if citation.is_found else []
    remark = ", ".join(map(rendered, words))
    quoted = Message("conversations.quoted", text=literal_line(citation.cited_text))
    return rendered(quoted) + (f" ({remark})" if remark else "")


def _quoted(question: str) -> str:
    """Return the user's words as a block quote, with all markup escaped."""
    return "\n".join(f"> {line}".rstrip() for line in literal(question.strip()).split("\n"))
