"""Writes answers and conversations as Markdown that is safe to open in any program, with their citations."""

import re
from bisect import bisect_left
from collections.abc import Callable, Sequence
from datetime import datetime

from app.domain.conversations import INTERRUPTED, Exchange, ExchangeState, OpenedConversation
from app.domain.messages import Message, rendered
from app.domain.plain_text import harmless
from app.domain.search import lesson_name
from app.domain.sources import NO_SOURCE, Citation, Source, support_words

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
    if citation.support is None or citation.support.is_good:
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
    """Return the cited text with what it shows, such as “It rises.” (stands there, found by Lectern)."""
    words = [support_words(citation.support)] if citation.support else []
    words += [Message("conversations.found")] if citation.is_found else []
    remark = ", ".join(map(rendered, words))
    quoted = Message("conversations.quoted", text=literal_line(citation.cited_text))
    return rendered(quoted) + (f" ({remark})" if remark else "")


def _quoted(question: str) -> str:
    """Return the user's words as a block quote, with all markup escaped."""
    return "\n".join(f"> {line}".rstrip() for line in literal(question.strip()).split("\n"))


_FENCE = re.compile(r"(`{3,}+)[^`]*|(~{3,}+).*")
# Indented, or in a list or quotation: how far its code reaches depends on what is around it.
_INNER_FENCE = re.compile(r"[ \t>*+\d.)-]++(?:`{3}|~{3})")
_LANGUAGE = re.compile(r"(`++|~++)[ \t]*+([\w+#.-]*+)")
_BETWEEN_PARAGRAPHS = re.compile(r"(\n(?:[ \t]*+\n)++)")
_TICKS = re.compile(r"`+")
_UNCERTAIN = re.compile(r"\$|\\\Z")  # before code: a formula, or a sign that is escaped
# An address in angle brackets stays a link.
_TAG = re.compile(r"<(?!https?://[^\s<>`]*+>)(?=[a-z/!?])", re.IGNORECASE)
_PICTURE = re.compile(r"(?<!!)!++\[(\](?=\())?")
_TARGET = re.compile(r"\]\((?!\s*+<?(?:https?://|mailto:))", re.IGNORECASE)
_ENTITY = re.compile(r"&(?=#?\w{1,32};)")
# Starts of headings, list items, code and rules; the character to escape begins the second group.
_STARTS_A_BLOCK = re.compile(r"^([^\S\n]*\d*)((?<=\d)[.)]\s|#{1,6}\s|[-+]\s|~~~|=+\s*$|-+\s*$)", re.MULTILINE)
_WEB_ADDRESS = re.compile(r"https?://[^\s<>]+", re.IGNORECASE)


def code_fences(text: str, *, inner: bool = False) -> list[tuple[int, int]]:
    """Return the spans of fenced code, fences included; the last fence may be unclosed.

    ``inner`` includes code in quotations and lists.
    """
    spans: list[tuple[int, int]] = []
    start, fence, position = 0, "", 0
    for line in text.split("\n"):
        shown = line.lstrip("> \t") if inner else line
        if fence:
            if _closes(shown, fence):
                spans.append((start, position + len(line)))
                fence = ""
        elif found := _FENCE.fullmatch(shown):
            start, fence = position, found[1] or found[2]
        position += len(line) + 1
    return [*spans, (start, len(text))] if fence else spans


def with_closed_code(text: str) -> str:
    """Return Markdown whose fenced code ends, so that it does not take in what follows."""
    *_, (start, end) = code_fences(text) or [(0, 0)]
    found = _LANGUAGE.match(text, start, end)
    if found is None or ("\n" in text[start:end] and _closes(text[start:end].rpartition("\n")[2], found[1])):
        return text
    return f"{text}\n{found[1]}"


def harmless_markdown(text: str) -> str:
    """Return an answer's Markdown without what a program that shows it would load, run or look up."""
    text = harmless(text)
    fences = code_fences(text)
    parts: list[str] = []
    done = 0
    for start, end in fences:
        parts += [text[done:start], text[start:end]]
        done = end
    parts.append(text[done:])
    if any(_INNER_FENCE.match(line) for part in parts[::2] for line in part.split("\n")):
        return _harmless_text(text)
    parts[::2] = map(_harmless_text, parts[::2])
    parts[1::2] = map(_harmless_fence, parts[1::2])
    return "".join(parts)


def literal(text: str) -> str:
    text = re.sub(r"([\\`*_\[\]>])", r"\\\1", _ENTITY.sub("&amp;", harmless(text)))
    return _STARTS_A_BLOCK.sub(lambda found: f"{found[1]}\\{found[2]}", text.replace("<", "&lt;"))


def literal_line(text: str) -> str:
    """Return a text on one line, without meaning in Markdown."""
    return literal(" ".join(text.split()))


def web_address(link: str | None) -> str:
    """Return an address of the web as Markdown; nothing for any other."""
    found = _WEB_ADDRESS.fullmatch(harmless(link.strip())) if link else None
    return f"<{found[0]}>" if found else ""


def _closes(line: str, fence: str) -> bool:
    signs = line.lstrip(" ")
    return len(line) - len(signs) < 4 and signs.startswith(fence) and set(signs.rstrip(" \t")) == {fence[0]}


def _harmless_fence(code: str) -> str:
    """Leave out what follows the language, which some programs take for commands."""
    line, newline, rest = code.partition("\n")
    found = _LANGUAGE.match(line)
    return (found[1] + found[2] if found else line) + newline + rest


def _harmless_text(text: str) -> str:
    parts = _BETWEEN_PARAGRAPHS.split(text)
    parts[::2] = map(_harmless_paragraph, parts[::2])
    return "".join(parts)


def _harmless_paragraph(text: str) -> str:
    """Treat lines between two empty ones; code in them counts if each line holds its own, beyond doubt."""
    lines = text.split("\n")
    spans = [_inline_code(line) for line in lines]
    if None in spans:
        return "\n".join(map(_harmless_inline, lines))
    done: list[str] = []
    for line, own in zip(lines, spans, strict=True):
        edges = [0, *(edge for span in own or () for edge in span), len(line)]
        parts = [line[start:end] for start, end in zip(edges, edges[1:], strict=False)]
        parts[::2] = map(_harmless_inline, parts[::2])
        done.append("".join(parts).replace("`{", "` {"))
    return "\n".join(done)


def _inline_code(line: str) -> list[tuple[int, int]] | None:
    """Return where code stands in a line; None if that is open to doubt."""
    runs = [found.span() for found in _TICKS.finditer(line)]
    spans: list[tuple[int, int]] = []
    done = index = 0
    while index < len(runs):
        start, inner = runs[index]
        later = range(index + 1, len(runs))
        last = next((i for i in later if runs[i][1] - runs[i][0] == inner - start), None)
        # A bar would end the cell of a table.
        if last is None or "|" in line[inner : runs[last][0]] or _UNCERTAIN.search(line, done, start):
            return None
        done = runs[last][1]
        spans.append((start, done))
        index = last + 1
    return spans


def _harmless_inline(text: str) -> str:
    text = _TAG.sub("&lt;", text).replace("`{", "` {")
    picture = rendered(Message("conversations.picture"))
    text = _PICTURE.sub(lambda found: f"[{picture}]" if found[1] else "[", text)
    # Footnotes and definitions would change what other places of the document say.
    text = text.replace("[^", r"\[^").replace("]:", "]&#58;")
    return _TARGET.sub(r"]\\(", text)
