"""Makes Markdown from outside safe to open in any program: it loads nothing, runs nothing, defines nothing.

Pictures become links, HTML becomes text, and links lead to the web or nowhere. Code stays as it is where
every program takes it for code; where they could disagree, it is treated as text.
"""

import re

from app.domain.messages import Message, rendered
from app.domain.plain_text import harmless

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
    """Return where fenced code stands, fences included; the last one may have no end of its own.

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
    """Return a text that means nothing in Markdown."""
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
    """Leave out what stands behind the language, which some programs take for orders."""
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
