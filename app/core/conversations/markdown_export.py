"""Writes answers and conversations as Markdown, with their citations as marks and footnotes."""

import re
from collections.abc import Callable, Sequence
from datetime import datetime

from app.domain.conversations import INTERRUPTED, Exchange, ExchangeState, OpenedConversation
from app.domain.messages import Message
from app.domain.sources import NO_SOURCE, Citation, Source

_FENCED = re.compile(r"^(```|~~~).*?^\1[^\n]*$|^(```|~~~).*\Z", re.MULTILINE | re.DOTALL)
# Starts of headings, list items, code and rules; the character to escape begins the second group.
_STARTS_A_BLOCK = re.compile(r"^([^\S\n]*\d*)((?<=\d)[.)]\s|#{1,6}\s|[-+]\s|~~~|=+\s*$|-+\s*$)", re.MULTILINE)


def numbered_mark(citation: Citation) -> str:
    if citation.verified:
        return f"[{citation.source_n}]"
    number = f"{citation.source_n}: " if citation.source_n != NO_SOURCE else ""
    return f"[{number}{Message('conversations.unverified')}]"


def answer_with_marks(
    answer: str, citations: Sequence[Citation], mark: Callable[[Citation], str] = numbered_mark
) -> str:
    """Return an answer's Markdown with a mark behind each claim; what could not be verified says so."""
    marks: dict[int, dict[str, None]] = {}  # by place; a dict for its order
    for citation in sorted(citations, key=lambda item: item.answer_end):
        place = max(0, min(citation.answer_end, len(answer)))
        marks.setdefault(place, {})[mark(citation)] = None
    fences = [found.span() for found in _FENCED.finditer(answer)]
    parts: list[str] = []
    done = 0
    for place, written in marks.items():
        text = "".join(written)
        fence = next((end for start, end in fences if start < place <= end), None)
        if fence is not None:  # a mark inside a code block would be code
            parts.append(answer[done:fence] + "\n\n" + text)
            done = max(done, fence)
            continue
        spaced = " " if answer[place - 1 : place].strip() else ""
        # "[1](" would read as a link.
        after = " " if answer[place : place + 1] == "(" else ""
        parts.append(answer[done:place] + spaced + text + after)
        done = place
    return "".join([*parts, answer[done:]])


def conversation_markdown(opened: OpenedConversation) -> str:
    """Return one branch of a conversation as Markdown.

    Every cited source is a footnote with the cited sentences; a citation that could not be verified is
    flagged in the text and in its footnote.
    """
    conversation = opened.conversation
    day = datetime.fromtimestamp(conversation.updated).strftime("%Y-%m-%d")
    exported = Message("conversations.exported", day=day)
    parts = [f"# {_one_line(conversation.title)}", str(exported)]
    for number, exchange in enumerate(opened.exchanges, 1):
        asked = Message("conversations.question", number=str(number))
        parts.append(f"## {asked}\n\n{_quoted(exchange.question)}")
        remark = _remark(exchange)
        ending = f"*{remark}*" if remark else ""
        answer = f"### {Message('conversations.answer')}"
        parts += [part for part in (answer, _answer(exchange, number), ending) if part]
        cited = {citation.source_n for citation in exchange.citations}
        parts += [_footnote(source, exchange, number) for source in exchange.sources if source.n in cited]
    return "\n\n".join(parts) + "\n"


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
    def mark(citation: Citation) -> str:
        if citation.source_n == NO_SOURCE:
            return f"[{Message('conversations.unverified')}]"
        flag = "" if citation.verified else f" ({Message('conversations.unverified')})"
        return f"[^{number}-{citation.source_n}]{flag}"

    return answer_with_marks(exchange.answer, exchange.citations, mark).strip()


def _footnote(source: Source, exchange: Exchange, number: int) -> str:
    hit = source.hit
    lesson = f"Lesson {hit.lesson_number}" if hit.lesson_number is not None else ""
    place = ": ".join(part for part in (lesson, hit.lesson_title) if part)
    text = f"{hit.course_title}, {place}." if place else f"{hit.course_title}."
    cited = [item for item in exchange.citations if item.source_n == source.n]
    quotes = dict.fromkeys(_one_line(item.cited_text) for item in cited if item.verified and item.cited_text)
    text += "".join(f" “{quote}”" for quote in quotes)
    if any(not item.verified for item in cited):
        text += f" **{Message('conversations.source_unverified')}**"
    if hit.link:
        text += f" <{hit.link}>"
    return f"[^{number}-{source.n}]: {text}"


def _quoted(question: str) -> str:
    """Return the user's words as a block quote, with all markup escaped."""
    return "\n".join(f"> {line}".rstrip() for line in _escaped(question.strip()).split("\n"))


def _escaped(text: str) -> str:
    text = re.sub(r"([\\`*_\[\]<>])", r"\\\1", text)
    return _STARTS_A_BLOCK.sub(lambda found: f"{found[1]}\\{found[2]}", text)


def _one_line(text: str) -> str:
    return " ".join(text.split())
