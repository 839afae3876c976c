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
    from collections.abc import Callable, Sequence

    from app.domain.sources import Citation, Claim
    from app.markup.markdown_rules import MarkdownConverter

_TAGS = {
    *("p", "br", "hr", "a", "strong", "em", "del", "sup", "code", "pre", "blockquote", "ul", "ol", "li"),
    *("table", "thead", "tbody", "tr", "th", "td"),
}
_ATTRIBUTES = {"a": {"href", "title"}, "ol": {"start"}, "th": {"align"}, "td": {"align"}}
_SCHEMES = {"http", "https"}
_CODE_TOKEN = re.compile("(?:<p>)?\ue002([0-9]+)\ue003(?:</p>)?")
_FORMULA_TOKEN = re.compile("\ue002[fd]([0-9]+)\ue003")
# What would become a sign of a token when the HTML is read.
_FORGED = re.compile(r"&#(?:[xX]0*+[eE]00[0-3](?![0-9a-fA-F])|0*+5734[4-7](?![0-9]));?+")
_PARAGRAPH = re.compile("<p>((?:(?!</?p>).)*+)</p>", re.DOTALL)
# A formula that wants a line of its own, with the marks behind it.
_DISPLAYED = re.compile("(\ue002d[0-9]+\ue003(?:[ \t]*+\ue000[^\ue000\ue001]*+\ue001)*+[.,]?)")
_OWN_LINE = re.compile("\n *+(\ue002d[0-9]+\ue003)(\n *+)?")
_OPENING_TAG, _CLOSING_TAG = re.compile("<(?!/|br)"), "</"
_TASK = re.compile(r"\[([ xX])\](?=[ \t])")
_LIST = re.compile(r"<([ou]l)\b")
_STRIP_QUOTE = re.compile(r"^ {0,3}> ?", re.MULTILINE)
# What lies beyond these is shown as plain text, so that no text takes long to read or to lay out.
_DEEPEST_QUOTE = 3  # Qt takes twice as long for each box in a box
_DEEPEST_LIST = 8


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
    html = _render(block, block.head + text, 0)
    if block.kind == "list" and block.goes_on:
        html = _LIST.sub(r'<\1 class="goes-on"', html)
    return html + (f"<p>{behind}</p>" if behind else "")


def _render(block: Block, text: str, depth: int) -> str:
    match block.kind:
        case "fence":
            return _fenced(text)
        case "code":
            return code_html("\n".join(line.expandtabs(4)[4:] for line in text.split("\n")), "")
        case "rule":
            return "<hr>"
        case "heading":
            return _heading(text)
        case "quote" if depth < _DEEPEST_QUOTE:
            return f"<blockquote>{_inside_quote(_STRIP_QUOTE.sub('', text), depth + 1)}</blockquote>"
    return _convert(text, depth, is_list=block.kind == "list")


def _inside_quote(text: str, depth: int) -> str:
    parts = split_blocks(text)
    return "".join(_render(part, part.head + text[part.start : part.end], depth) for part in parts)


def _fenced(text: str) -> str:
    """Return the HTML of fenced code, closed or still open."""
    first, _, rest = text.partition("\n")
    fence, language = fence_of(first.strip())
    lines = rest.split("\n")
    if closes_fence(lines[-1].strip(), fence):
        lines.pop()
    margin = indent_of(first)
    return code_html("\n".join(line[min(margin, indent_of(line)) :] for line in lines), language)


def code_html(code: str, language: str) -> str:
    known = re.sub(r"[^\w+#.-]", "", language)
    return f'<pre><code class="language-{known}">{html.escape(code)}</code></pre>'


def _heading(text: str) -> str:
    signs = text.strip()
    if signs.startswith("#"):
        level = min(len(signs) - len(signs.lstrip("#")), 6)
        title = signs[level:].lstrip(" \t").rstrip("#").rstrip(" \t")
    else:
        title, _, rule = text.rstrip().rpartition("\n")
        level = 1 if "=" in rule else 2
    inner = _convert(title.replace("$$", "$")).removeprefix("<p>").removesuffix("</p>")
    return f"<h{level}>{inner}</h{level}>"


def _convert(text: str, depth: int = 0, *, is_list: bool = False) -> str:
    """Return sanitised HTML from the Markdown package."""
    text, formulas = _without_formulas(text)
    codes: list[str] = []

    def keep_code(code: str, language: str) -> str:
        codes.append(code_html(code, language))
        return f"\ue002{len(codes) - 1}\ue003"

    if is_list:
        normalizer = _ListNormalizer(keep_code)
        for line in text.expandtabs(4).split("\n"):
            normalizer.take(line)
        normalizer.end_code()
        text = "\n".join(normalizer.out)
    import nh3  # like Markdown, not needed for the first frame

    try:
        rough = _converter().html_of(text, quotes=_DEEPEST_QUOTE - depth)
    except RecursionError:  # nested too deeply to be read
        return f"<p>{html.escape(text)}</p>"
    clean = nh3.clean(
        _FORGED.sub("\ufffd", rough),
        _TAGS,
        attributes=_ATTRIBUTES,
        url_schemes=_SCHEMES,
        url_relative="deny",
        link_rel=None,
    )
    coded = _CODE_TOKEN.sub(lambda match: codes[int(match.group(1))], clean)
    return _with_formulas(coded, formulas) if formulas else coded


def _without_formulas(text: str) -> tuple[str, list[str]]:
    """Replace formulas by tokens, which mean nothing in Markdown; also return their sources."""
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


class _ListNormalizer:
    """Rewrites a list as models write it to the form that the Markdown package reads, line by line.

    The package wants four columns a level and knows no fenced code inside an item; models indent by two
    or three columns and often put code there.
    ``keep_code`` takes code and language and returns the token that replaces it.
    """

    def __init__(self, keep_code: Callable[[str, str], str]) -> None:
        self.out: list[str] = []
        self._keep_code = keep_code
        self._items: list[int] = []  # columns of the open items' markers
        self._code: list[str] = []
        self._fence = self._language = ""
        self._fence_indent = 0
        self._blank = False
        self._in_paragraph = False

    def take(self, line: str) -> None:
        stripped, indent = line.strip(), indent_of(line)
        if self._fence:
            if closes_fence(stripped, self._fence):
                self.end_code()
            else:
                self._code.append(line[min(indent, self._fence_indent) :])
            return
        if not stripped:
            self.out.append("")
            self._blank = True
            return
        marker = LIST_MARKER.match(stripped)
        if marker and not (indent < 2 and not self._items and self._blank):
            # Close the items that the line does not belong to.
            while self._items and (indent < self._items[-1] + 2 or len(self._items) >= _DEEPEST_LIST):
                self._items.pop()
            if self._in_paragraph:
                self.out.append("")  # without it the package sees no item after a paragraph
            self._in_paragraph = False
            self._take_item(marker.group(2), stripped[marker.end() :].strip(), indent)
        else:
            self._take_more(stripped, indent)
        self._blank = False

    def end_code(self) -> None:
        if self._fence:
            token = self._keep_code("\n".join(self._code), self._language)
            self.out += ["", self._margin() + token, ""]
        self._fence, self._code = "", []

    def _margin(self) -> str:
        return "    " * len(self._items)

    def _take_item(self, number: str | None, content: str, indent: int) -> None:
        margin = self._margin()
        self._items.append(indent)
        self._fence, self._language = fence_of(content)
        self._fence_indent = indent + 2
        # An item that opens with code needs some text: a zero-width space.
        text = "\u200b" if self._fence or not content else _TASK.sub(_box, content, count=1)
        if LIST_MARKER.match(text):
            text = f"\u200b{text}"  # "- - - a" would nest a list for each marker
        self.out.append(f"{margin}{f'{int(number)}.' if number else '-'} {text}")

    def _take_more(self, stripped: str, indent: int) -> None:
        """Add a line to an item: text, a new paragraph, code, or a quote."""
        self._fence, self._language = fence_of(stripped)
        if self._blank or self._fence:
            while len(self._items) > 1 and indent < self._items[-1] + 2:
                self._items.pop()
        if self._fence:
            self._fence_indent = indent
            return
        margin = self._margin()
        deeper = indent - (self._items[-1] + 2 if self._items else 0)
        if self._blank and deeper >= 5:
            margin += "    "
        quoted = stripped.startswith(">")
        self._in_paragraph = self._in_paragraph or self._blank or quoted
        if quoted and not self._blank and not self.out[-1].lstrip().startswith(">"):
            self.out.append("")  # without it the package sees no quote after text
        self.out.append(margin + stripped)


def _box(task: re.Match[str]) -> str:
    return "\u2610" if task.group(1) == " " else "\u2611"


@cache
def _converter() -> MarkdownConverter:
    from app.markup.markdown_rules import MarkdownConverter  # here: the first frame shows no Markdown

    return MarkdownConverter()
