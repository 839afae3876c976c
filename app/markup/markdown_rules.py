"""Rules for the Markdown package: no harm, what models write, and no depth that takes long to draw."""

from __future__ import annotations

import html
import re
from itertools import takewhile
from typing import TYPE_CHECKING

from markdown_it import MarkdownIt
from markdown_it.renderer import RendererHTML
from markdown_it.rules_block import blockquote, list_block, table
from markdown_it.rules_inline import emphasis, entity, image, link

from app.markup.markdown_blocks import BAR, FOOTNOTE

if TYPE_CHECKING:
    from collections.abc import Sequence

    from markdown_it.rules_block import StateBlock
    from markdown_it.rules_inline import StateInline
    from markdown_it.token import Token
    from markdown_it.utils import EnvType, OptionsDict

_FOOTNOTE = re.compile(FOOTNOTE + r"(?!\()")
_BREAK = re.compile("<br ?/?>")
# An address in the text, up to one of our tokens.
_ADDRESS = re.compile(r"://(?:[^\s<>\"()\ue000-\ue003]|\([^\s<>\"()\ue000-\ue003]*\))++")
_SCHEME = re.compile(r"(?<![\w/])https?$")
_OURS = re.compile("[\ue000-\ue003]")
# What lies beyond these is shown as plain text, so that no text takes long to lay out.
_DEEPEST = 16  # levels; an item of a list is two
_DEEPEST_QUOTE = 3  # Qt takes twice as long for each box in a box
_MOST_CELLS = 1_000


def converter() -> MarkdownIt:
    """Return the package with our rules; the HTML that it makes is harmless."""
    options = {"html": False, "tasklists": True, "xhtmlOut": False}
    md = MarkdownIt("commonmark", options, renderer_cls=_Renderer)
    # Of a link to anywhere else, the renderer keeps the text.
    md.validateLink = lambda url: True  # type: ignore[method-assign]
    md.enable(["table", "strikethrough"])
    # Definitions of links would swallow text.
    md.disable(["reference", "html_block", "html_inline"])
    md.block.ruler.at("blockquote", _quote, {"alt": ["paragraph", "blockquote", "list"]})
    md.block.ruler.at("list", _list, {"alt": ["paragraph", "blockquote"]})
    md.block.ruler.at("table", _table, {"alt": ["paragraph"]})
    md.inline.ruler.at("link", lambda state, silent: _has_address(state) and link(state, silent))
    md.inline.ruler.at("image", lambda state, silent: _has_address(state) and image(state, silent))
    md.inline.ruler.at("emphasis", _emphasis)
    md.inline.ruler.at("entity", _entity)
    md.inline.ruler.before("escape", "address", _address)
    md.inline.ruler.before("link", "footnote", _footnote)
    md.inline.ruler.before("autolink", "break", _break)
    return md


def _opening(address: str) -> str:
    """Return what begins a link; one that leads to no web page leads nowhere."""
    is_web = address.lower().startswith(("http://", "https://"))
    return f'<a href="{html.escape(address)}">' if is_web else "<a>"


class _Renderer(RendererHTML):
    def renderToken(self, tokens: Sequence[Token], idx: int, options: OptionsDict, env: EnvType) -> str:
        tokens[idx].attrs.pop("class", None)  # of a list of tasks
        return super().renderToken(tokens, idx, options, env).strip("\n")

    def fence(self, tokens: Sequence[Token], idx: int, options: OptionsDict, env: EnvType) -> str:
        """Name the language also where there is none."""
        words = tokens[idx].info.split()
        known = re.sub(r"[^\w+#.-]", "", words[0].lower()) if words else ""
        code = html.escape(tokens[idx].content.removesuffix("\n"))
        return f'<pre><code class="language-{known}">{code}</code></pre>'

    code_block = fence

    def image(self, tokens: Sequence[Token], idx: int, options: OptionsDict, env: EnvType) -> str:
        """Make a picture a link, since pictures are never loaded."""
        address = str(tokens[idx].attrs["src"])
        words = self.renderInlineAsText(tokens[idx].children, options, env)
        shown = words or str(tokens[idx].attrs.get("title", "")) or address
        harmless = html.escape(_OURS.sub("\ufffd", shown))
        return f"{_opening(address)}{harmless}</a>"

    def link_open(self, tokens: Sequence[Token], idx: int, options: OptionsDict, env: EnvType) -> str:
        """Leave out the title, which is shown nowhere."""
        return _opening(str(tokens[idx].attrs["href"]))

    def list_item_open(self, tokens: Sequence[Token], idx: int, options: OptionsDict, env: EnvType) -> str:
        """Show a task's box as a letter."""
        checked = tokens[idx].meta.get("checked")
        box = "\u2611 " if checked else "\u2610 "
        return "<li>" if checked is None else f"<li>{box}"

    def th_open(self, tokens: Sequence[Token], idx: int, options: OptionsDict, env: EnvType) -> str:
        side = str(tokens[idx].attrs.get("style", "")).removeprefix("text-align:")
        return f'<{tokens[idx].tag} align="{side}">' if side else f"<{tokens[idx].tag}>"

    td_open = th_open


def _quote(state: StateBlock, first: int, last: int, silent: bool) -> bool:
    depth = state.env.get("quotes", 0)
    if depth >= _DEEPEST_QUOTE or state.level >= _DEEPEST:
        return False
    state.env["quotes"] = depth + 1
    found = blockquote(state, first, last, silent)
    state.env["quotes"] = depth
    return found


def _list(state: StateBlock, first: int, last: int, silent: bool) -> bool:
    return state.level < _DEEPEST and list_block(state, first, last, silent)


def _table(state: StateBlock, first: int, last: int, silent: bool) -> bool:
    """Read a table of not too many cells; one with a row longer than its head would lose some."""
    if not table(state, first, last, True):
        return False
    rows = (state.src[state.bMarks[line] : state.eMarks[line]] for line in range(first, last))
    bars = [len(BAR.findall(row.strip().strip("|"))) for row in takewhile(str.strip, rows)]
    is_small = (bars[0] + 1) * len(bars) <= _MOST_CELLS and max(bars) <= bars[0]
    return is_small and (silent or table(state, first, last, silent))


def _has_address(state: StateInline) -> bool:
    """Return whether a bracket may begin a link: the package searches the end of each in vain."""
    return state.src[state.pos] in "![" and state.src.find("](", state.pos) >= 0


def _emphasis(state: StateInline, silent: bool) -> bool:
    """Let signs touch a full stop before a citation's mark, or before a letter as in Chinese."""
    sign, start, first = state.src[state.pos], state.pos, len(state.delimiters)
    if not emphasis.tokenize(state, silent):
        return False
    before, after = state.src[max(start - 1, 0) : start], state.src[state.pos : state.pos + 1]
    for one in state.delimiters[first:]:
        one.open = one.open or before == "\ue001" or (sign == "*" and bool(after.strip()))
        one.close = one.close or after == "\ue000" or (sign == "*" and bool(before.strip()))
    return True


def _entity(state: StateInline, silent: bool) -> bool:
    """Read an entity unless it would forge one of our tokens."""
    found = entity(state, silent)
    if found and not silent:
        state.tokens[-1].content = _OURS.sub("\ufffd", state.tokens[-1].content)
    return found


def _address(state: StateInline, silent: bool) -> bool:
    """Make a link of an address that stands in the text; its scheme has been read already."""
    found = _ADDRESS.match(state.src, state.pos)
    scheme = _SCHEME.search(state.pending) if found else None
    if found is None or scheme is None or state.linkLevel:
        return False
    rest = found.group().rstrip(".,:;!?'*_~]")
    if not silent:
        state.pending = state.pending[: scheme.start()]
        state.push("link_open", "a", 1).attrs = {"href": scheme.group() + rest}
        state.push("text", "", 0).content = scheme.group() + rest
        state.push("link_close", "a", -1)
    state.pos += len(rest)
    return True


def _footnote(state: StateInline, silent: bool) -> bool:
    """Raise the number of a footnote, in the text and before the note itself."""
    found = _FOOTNOTE.match(state.src, state.pos)
    if found is None:
        return False
    if not silent:
        state.push("sup_open", "sup", 1)
        state.push("text", "", 0).content = found.group(1)
        state.push("sup_close", "sup", -1)
    opens_note = not state.pos and state.src.startswith(":", found.end())
    state.pos = found.end() + opens_note
    return True


def _break(state: StateInline, silent: bool) -> bool:
    """Read the only line break that a table's cell can have."""
    found = _BREAK.match(state.src, state.pos)
    if found is None:
        return False
    if not silent:
        state.push("hardbreak", "br", 0)
    state.pos = found.end()
    return True
