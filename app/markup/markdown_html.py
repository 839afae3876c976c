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
from app.markup.markdown_blocks import BAR, LIST_MARKER, TABLE_DELIMITER, Block, split_blocks

if TYPE_CHECKING:
    from collections.abc import Sequence

    from markdown_it import MarkdownIt

    from app.domain.sources import Citation, Claim

_FORMULA_TOKEN = re.compile("\ue002[fd]([0-9]+)\ue003")
_PARAGRAPH = re.compile("<p>((?:(?!</?p>).)*+)</p>", re.DOTALL)
# A formula that wants a line of its own, with the marks behind it.
_DISPLAYED = re.compile("(\ue002d[0-9]+\ue003(?:[ \t]*+\ue000[^\ue000\ue001]*+\ue001)*+[.,]?)")
_OWN_LINE = re.compile("\n *+(\ue002d[0-9]+\ue003)(\n *+)?")
_OPENING_TAG, _CLOSING_TAG = re.compile("<(?!/|br)"), "</"
_CODE = re.compile(r"(?<!`)(`++)(?!`)[^\n]+?(?<!`)\1(?!`)")
_LIST = re.compile(r"<([ou]l)\b")


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
    html = _render(block, block.head + text)
    if block.kind == "list" and block.goes_on:
        html = _LIST.sub(r'<\1 class="goes-on"', html)
    return html + (f"<p>{behind}</p>" if behind else "")


def _render(block: Block, text: str) -> str:
    formulas: list[str] = []
    if block.kind == "heading":
        text = text.replace("$$", "$")
    elif block.kind == "list" and not LIST_MARKER.match(text.lstrip(" ")):
        text = text.lstrip(" ")  # a further part that begins within an item
    if block.kind not in ("fence", "code"):
        text, formulas = _without_formulas(text)
    if block.kind == "table":
        text = _with_all_cells(text)
    clean: str = _converter().render(text)
    return _with_formulas(clean, formulas) if formulas else clean


def _with_all_cells(table: str) -> str:
    """Let code have bars, and the head as many columns as the longest row, whose end the package drops."""
    table = _CODE.sub(lambda code: BAR.sub(r"\\|", code.group()), table)
    head, *rows = (line.strip().strip("|") for line in table.split("\n"))
    more = max((len(BAR.findall(row)) for row in rows), default=0) - len(BAR.findall(head))
    if more <= 0 or not TABLE_DELIMITER.match(rows[0]):
        return table
    return "\n".join([f"|{head}|{' |' * more}", f"|{rows[0]}|{'-|' * more}", *table.split("\n")[2:]])


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


@cache
def _converter() -> MarkdownIt:
    from app.markup.markdown_rules import converter  # here: the first frame shows no Markdown

    return converter()
