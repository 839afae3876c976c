"""Markdown to harmless HTML.

The HTML is plain and semantic: headings, paragraphs, lists, tables, quotes, and code as
``<pre><code class="language-…">``. Nothing harmful in the model's text gets through: raw HTML is shown as
text, links keep ``http`` and ``https`` only, pictures become links.
"""

from __future__ import annotations

import html
import re
from functools import cache
from typing import TYPE_CHECKING

from app.markup.citation_marks import owner_of, with_marks, without_tokens
from app.markup.formulas import formulas_in
from app.markup.markdown_blocks import LIST_MARKER, Block, closes_fence, fence_of, indent_of, split_blocks

if TYPE_CHECKING:
    from collections.abc import Sequence

    from markdown_it import MarkdownIt

    from app.domain.sources import Citation, Claim

_TAGS = {
    *("p", "br", "hr", "a", "strong", "em", "del", "sup", "code", "pre", "blockquote", "ul", "ol", "li"),
    *("h1", "h2", "h3", "h4", "h5", "h6", "table", "thead", "tbody", "tr", "th", "td"),
}
_ATTRIBUTES = {"a": {"href"}, "code": {"class"}, "ol": {"start"}, "th": {"align"}, "td": {"align"}}
_SCHEMES = {"http", "https"}
_FORMULA_TOKEN = re.compile("\ue002[fd]([0-9]+)\ue003")
_PARAGRAPH = re.compile("<p>((?:(?!</?p>).)*+)</p>", re.DOTALL)
# A formula that wants a line of its own, with the marks behind it.
_DISPLAYED = re.compile("(\ue002d[0-9]+\ue003(?:[ \t]*+\ue000[^\ue000\ue001]*+\ue001)*+[.,]?)")
_OWN_LINE = re.compile("\n *+(\ue002d[0-9]+\ue003)(\n *+)?")
_OPENING_TAG, _CLOSING_TAG = re.compile("<(?!/|br)"), "</"
_TASK = re.compile(r"\[([ xX])\](?=[ \t])")
_BETWEEN_BLOCKS = re.compile(
    r"\n+(?=</?(?:[ou]l|li|blockquote|p|pre)\b)|(?<=<blockquote>)\n"
)  # Qt shows spaces
_LIST = re.compile(r"<([ou]l)\b")
# A mark behind ``**`` may follow a full stop, which only a sign of punctuation may do there.
_AS_PUNCTUATION = str.maketrans("\ue000\ue001", "\u1bfe\u1bff")
_AS_MARKS = str.maketrans("\u1bfe\u1bff", "\ue000\ue001")


def markdown_to_html(source: str, citations: Sequence[Citation] = ()) -> str:
    """Return harmless HTML, with the tokens of citation marks."""
    source = without_tokens(source)
    return "\n".join(
        block_to_html(source, block, own) for block, own in with_own_marks(split_blocks(source), citations)
    )


def with_own_marks(
    blocks: Sequence[Block], items: Sequence[Citation | Claim]
) -> list[tuple[Block, list[Citation | Claim]]]:
    """Pair each block with the citations whose marks it shows and the claims that end in it."""
    owned: list[list[Citation | Claim]] = [[] for _ in blocks]
    for item in items if blocks else ():
        owned[owner_of(item.answer_end, blocks)].append(item)
    return list(zip(blocks, owned, strict=True))


def block_to_html(source: str, block: Block, items: Sequence[Citation | Claim]) -> str:
    text, behind = with_marks(source, block, items)
    text = block.head + text
    if block.kind == "list":
        text = _reindented(text)
    elif block.kind == "heading":
        text = text.replace("$$", "$")
    formulas: list[str] = []
    if block.kind not in ("fence", "code"):
        text, formulas = _without_formulas(text)
    import nh3  # like Markdown, not needed for the first frame

    rough = _parser().render(text.translate(_AS_PUNCTUATION)).translate(_AS_MARKS)
    html = nh3.clean(
        rough, _TAGS, attributes=_ATTRIBUTES, url_schemes=_SCHEMES, url_relative="deny", link_rel=None
    )
    html = _BETWEEN_BLOCKS.sub("", html).rstrip("\n")
    if formulas:
        html = _with_formulas(html, formulas)
    if block.kind == "list" and block.goes_on:
        html = _LIST.sub(r'<\1 class="goes-on"', html)
    return html + (f"<p>{behind}</p>" if behind else "")


def _without_formulas(text: str) -> tuple[str, list[str]]:
    """Replace formulas by tokens, which mean nothing in Markdown; return their sources, too."""
    parts: list[str] = []
    sources: list[str] = []
    done = 0
    for found in formulas_in(text):
        token = f"\ue002{'d' if found.formula.display else 'f'}{len(sources)}\ue003"
        parts += [text[done : found.start], token]
        sources.append(text[found.start : found.end])
        done = found.end
    return "".join([*parts, text[done:]]), sources


def _with_formulas(clean: str, sources: list[str]) -> str:
    """Put ``<span class="formula">`` in place of tokens; displayed ones get paragraphs of their own."""
    parted = _PARAGRAPH.sub(lambda match: _parted(match.group(1)), clean)
    parted = _OWN_LINE.sub(lambda match: f"<br>{match.group(1)}{'<br>' if match.group(2) else ''}", parted)
    return _FORMULA_TOKEN.sub(
        lambda match: f'<span class="formula">{html.escape(sources[int(match.group(1))])}</span>', parted
    )


def _parted(paragraph: str) -> str:
    """Return a paragraph, parted where a formula wants a line of its own unless that is inside a tag."""
    pieces = _DISPLAYED.split(paragraph)
    texts = pieces[::2]
    if any(len(_OPENING_TAG.findall(text)) != text.count(_CLOSING_TAG) for text in texts):
        return f"<p>{paragraph}</p>"
    kinds = ("<p>", '<p class="formula">')
    return "".join(f"{kinds[at % 2]}{piece.strip()}</p>" for at, piece in enumerate(pieces) if piece.strip())


def _reindented(text: str) -> str:
    """Indent what belongs to an item as CommonMark has it; models indent by two or three columns."""
    out: list[str] = []
    items: list[tuple[int, int]] = []  # the columns of open items: of their signs as written, of their text
    fence, fence_column, blank = "", 0, False
    for line in text.expandtabs(4).split("\n"):
        stripped, indent = line.strip(), indent_of(line)
        margin = items[-1][1] if items else 0
        if fence:
            out.append(" " * margin + line[min(indent, fence_column) :])
            fence = "" if closes_fence(stripped, fence) else fence
            continue
        marker = LIST_MARKER.match(stripped)
        opens_item = marker is not None and not (indent < 2 and not items and blank)
        if opens_item or (stripped and blank) or fence_of(stripped)[0]:
            while len(items) > (not opens_item) and indent < items[-1][0] + 2:  # not in these
                items.pop()
            margin = items[-1][1] if items else 0
        if marker is not None and opens_item:
            content = _TASK.sub(_box, stripped[marker.end() :].strip(), count=1)
            items.append((indent, margin + len(marker[1]) + 1))
            fence, fence_column = fence_of(content)[0], indent + 2
            if fence:
                content = f"\u200b\n{' ' * items[-1][1]}{content}"  # Qt draws a sign beside text alone
            elif not content or LIST_MARKER.match(content):
                content = f"\u200b{content}"  # "- - - a" would nest a list for each sign
            out.append(f"{' ' * margin}{marker[1]} {content}")
        else:
            is_code = blank and items and indent >= items[-1][0] + 7
            out.append(" " * (margin + 4 * bool(is_code)) + stripped)
            fence, fence_column = fence_of(stripped)[0], indent
        blank = not stripped
    return "\n".join(out)


def _box(task: re.Match[str]) -> str:
    return "\u2610" if task.group(1) == " " else "\u2611"


@cache
def _parser() -> MarkdownIt:
    from app.markup.markdown_rules import parser  # here: the first frame shows no Markdown

    return parser()
