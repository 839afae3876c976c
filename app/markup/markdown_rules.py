"""CommonMark with tables and without raw HTML, as models write it; nothing in it takes long."""

import re
from collections.abc import Callable, Iterable, Iterator

from markdown_it import MarkdownIt
from markdown_it.rules_block import StateBlock, blockquote, list_block
from markdown_it.rules_core import StateCore
from markdown_it.rules_inline import StateInline, image, link
from markdown_it.token import Token

from app.markup.markdown_blocks import FOOTNOTE

# What lies deeper is shown as text: Qt takes twice as long for each box in a box.
_DEEPEST_QUOTE, _DEEPEST_LIST = 3, 8
_MOST_LINKS = 300  # that a block may begin: each may be read to the end of the text
_BLOCKS_AROUND = ["paragraph", "reference", "blockquote"]  # that a quote or a list may end
_NO_ADDRESS = '\\s<>"()\ue000-\ue003'  # a sign of a token stands for something else
_IN_TEXT = re.compile(
    rf"(?P<br><br ?/?>)|{FOOTNOTE}"
    rf"|(?P<address>(?<![\w/])https?://(?:[^{_NO_ADDRESS}]|\([^{_NO_ADDRESS}]*\))++)"
)
_SIGNS_OF_TOKENS = re.compile("[\ue000-\ue003]")


def parser() -> MarkdownIt:
    made = MarkdownIt("commonmark", {"html": False, "xhtmlOut": False, "maxNesting": 100})
    made.enable(["table", "strikethrough"])
    made.disable("reference")  # definitions of links would swallow text
    made.validateLink = lambda url: True  # type: ignore[method-assign]  # of others the text stays
    quote = _limited(blockquote, "quotes", _DEEPEST_QUOTE)
    made.block.ruler.at("blockquote", quote, {"alt": [*_BLOCKS_AROUND, "list"]})
    made.block.ruler.at("list", _limited(list_block, "lists", _DEEPEST_LIST), {"alt": _BLOCKS_AROUND})
    made.inline.ruler.at("link", _rarely(link))
    made.inline.ruler.at("image", _rarely(image))
    made.core.ruler.before("text_join", "unforged", _without_forged)
    made.core.ruler.push("mended", _mend)
    return made


def _limited(
    rule: Callable[[StateBlock, int, int, bool], bool], name: str, deepest: int
) -> Callable[[StateBlock, int, int, bool], bool]:
    """Return a rule of blocks that applies to a limited depth."""

    def limited(state: StateBlock, first: int, last: int, silent: bool) -> bool:
        depth = state.env.get(name, 0)
        state.env[name] = depth + 1
        try:
            return depth < deepest and rule(state, first, last, silent)
        finally:
            state.env[name] = depth

    return limited


def _rarely(rule: Callable[[StateInline, bool], bool]) -> Callable[[StateInline, bool], bool]:
    """Return a rule of links that is tried only so often, and only where there may be one."""

    def rarely(state: StateInline, silent: bool) -> bool:
        if state.src[state.pos] not in "[!" or "](" not in state.src[state.pos :]:
            return False
        state.env["links"] = begun = state.env.get("links", 0) + 1
        return begun <= _MOST_LINKS and rule(state, silent)

    return rarely


def _without_forged(state: StateCore) -> None:
    """Replace what entities say that would be a sign of a token."""
    for token in _inline(state.tokens):
        if token.type == "text_special":
            token.content = _SIGNS_OF_TOKENS.sub("\ufffd", token.content)


def _mend(state: StateCore) -> None:
    """Make links of pictures and addresses; read footnotes, and breaks in cells."""
    for token in state.tokens:
        if "style" in token.attrs:  # of a cell
            token.attrs = {"align": str(token.attrs["style"]).removeprefix("text-align:")}
        if token.children is not None:
            token.children = list(_mended(token.children))


def _mended(tokens: Iterable[Token]) -> Iterator[Token]:
    links = 0
    for token in tokens:
        links += token.nesting * token.type.startswith("link_")
        token.tag = "del" if token.tag == "s" else token.tag
        if token.type == "image":
            address = str(token.attrs["src"])
            said = "".join(one.content for one in _inline([token])) or str(token.attrs.get("title", ""))
            yield from _link(address, said or address)
        elif token.type == "text":
            yield from _written(token.content, in_link=links > 0)
        else:
            token.attrs.pop("title", None)
            yield token


def _written(text: str, *, in_link: bool) -> Iterator[Token]:
    """Yield the tokens of a text."""
    done = 0
    for found in _IN_TEXT.finditer(text):
        address = (found["address"] or "").rstrip(".,:;!?'*_~]")
        if in_link and address:
            continue
        yield _text(text[done : found.start()])
        done = found.end()
        if found["br"]:
            yield Token("hardbreak", "br", 0)
        elif address:
            yield from _link(address, address)
            done = found.start() + len(address)
        else:
            yield from (Token("sup_open", "sup", 1), _text(found[2]), Token("sup_close", "sup", -1))
            done += not found.start() and text.startswith(":", done)  # before the note itself
    yield _text(text[done:])


def _link(address: str, text: str) -> tuple[Token, ...]:
    return Token("link_open", "a", 1, {"href": address}), _text(text), Token("link_close", "a", -1)


def _text(content: str) -> Token:
    return Token("text", "", 0, content=content)


def _inline(tokens: Iterable[Token]) -> Iterator[Token]:
    """Yield all tokens within tokens."""
    for token in tokens:
        for child in token.children or ():
            yield child
            yield from _inline([child])
