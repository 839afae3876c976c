"""Web pages to text: the main content, without menus, scripts and other surroundings."""

from __future__ import annotations

import re
from contextlib import suppress
from typing import TYPE_CHECKING

from app.core.documents.readers import ReaderError
from app.core.documents.readers.text.plain import decode, head
from app.core.documents.readers.text_builder import TextBuilder, collapsed
from app.core.documents.readers.web.html_blocks import HtmlBlocks

if TYPE_CHECKING:
    from lxml.html import HtmlElement

    from app.domain.documents import DocumentText

_CHARSET = re.compile(rb"""<meta[^>]{0,200}?charset\s*+=\s*+["']?+\s*+([\w.:-]{2,40})""", re.IGNORECASE)
_XML_CHARSET = re.compile(rb"""\A\s*<\?xml[^>]{0,200}?encoding\s*=\s*["']([\w.:-]{2,40})""")
# Possessive, and a comment ends with its first "-->": there is one way to read a row of comments.
_WEB_PAGE = re.compile(
    r"\s*+(?:<\?xml[^>]*+>\s*+)?(?:<!--(?:(?!-->).)*+-->\s*+)*+<(?:!doctype\s+html|html[\s>])",
    re.IGNORECASE | re.DOTALL,
)
_TAG = re.compile(rb"<[A-Za-z!/]")
_DECLARATION = re.compile(r"\A\s*<\?xml[^>]*\?>")
_HEAD = 4096
_ROLES = frozenset(
    (
        *("navigation", "banner", "contentinfo", "search", "complementary", "dialog", "alertdialog"),
        *("menu", "menubar", "toolbar"),
    )
)
_NAMES_AROUND = re.compile(
    r"(?:^|[\s_-])(?:nav|navbar|navigation|menu|breadcrumbs?|sidebar|pagination|pager|cookie|cookies|consent|"
    r"share|sharing|social|skip|skip-link|skiplink|toc|table-of-contents|tableofcontents|related|comments?|"
    r"advert|ads|promo|newsletter|subscribe|site-header|site-footer|page-footer|masthead|editsection|"
    r"headerlink|hash-link|hidden|visually-hidden|sr-only)(?:$|[\s_-])",
    re.IGNORECASE,
)
_LEFT_OUT = frozenset(
    (
        *("script", "style", "noscript", "template", "nav", "aside", "button", "select", "option", "input"),
        *("textarea", "svg", "canvas", "iframe", "object", "embed", "audio", "video", "dialog", "head"),
        *("meta", "link", "base", "rp", "rt", "map"),
    )
)
_MENU_LINKS = 5
_MENU_WORD = 30  # characters that entries of a menu have on average at most
_ENOUGH = 200  # characters that a part needs to count as the whole content


def is_html(data: bytes) -> bool:
    return _WEB_PAGE.match(head(data)) is not None


def has_tags(data: bytes) -> bool:
    return _TAG.search(data.replace(b"\x00", b"")) is not None


def decode_html(data: bytes) -> str:
    """Decode a page by its mark, as UTF-8, by what it declares, else by its content."""
    with suppress(UnicodeDecodeError):
        text = data.decode("utf-8-sig")
        if "\x00" not in text:
            return text
    if declared := _CHARSET.search(data, 0, _HEAD) or _XML_CHARSET.search(data, 0, _HEAD):
        with suppress(LookupError, UnicodeDecodeError):
            return data.decode(declared.group(1).decode("ascii"))
    return decode(data)


def parse_html(text: str) -> HtmlElement:
    """Return the root of a page, however broken it is."""
    from lxml import etree, html  # heavy, and needed for a few formats only

    text = _DECLARATION.sub("", text).replace("\x00", "")
    try:
        # As bytes of a known encoding, since the parser refuses strings that declare another one.
        data = text.encode("utf-8", "replace")
        root = html.document_fromstring(data, parser=html.HTMLParser(encoding="utf-8", huge_tree=True))
    except (etree.ParserError, etree.XMLSyntaxError, ValueError) as error:
        if getattr(error, "code", None) == etree.ErrorTypes.ERR_NO_MEMORY:
            raise MemoryError from error
        raise ReaderError from error
    if root is None:
        raise ReaderError
    return root


def read_html(data: bytes) -> DocumentText:
    """Read a page's main content; each heading with the path that leads to it is an anchor."""
    root = parse_html(decode_html(data))
    title = collapsed(" ".join(root.xpath("string(//head/title)").split()))
    content = main_content(root)
    builder = TextBuilder()
    first = content.xpath("string((.//h1 | .//h2 | .//h3)[normalize-space()][1])")
    is_said = content.xpath("boolean(.//h1[normalize-space()])") or (
        first and title.startswith(" ".join(first.split()).strip("¶#§ "))
    )
    if title and not is_said:
        builder.heading(1, title)
    HtmlBlocks(builder, _is_around_or_menu if content.tag == "body" else is_around).add(content)
    return builder.finish()


def main_content(root: HtmlElement) -> HtmlElement:
    """Return the element with the page's main content; the body if none stands out."""
    body = root.find("body")
    body = root if body is None else body
    for path in (".//main", ".//*[@role='main']", ".//article"):
        found = [element for element in body.xpath(path) if not is_around(element)]
        if path == ".//article" and len(found) > 1:
            found = []  # a list of articles: all of them are the content
        if found:
            best: HtmlElement = max(found, key=_text_length)
            if _text_length(best) >= min(_ENOUGH, _text_length(body) // 3):
                return best
    return body


def is_around(element: HtmlElement) -> bool:
    """Whether an element surrounds the content or is hidden: menus, footers, scripts, adverts."""
    tag = element.tag
    if tag in _LEFT_OUT:
        return not (tag == "script" and (element.get("type") or "").startswith("math/"))
    if tag in ("html", "body", "main", "article"):
        return False
    if element.get("role") in _ROLES or element.get("hidden") is not None:
        return True
    if element.get("aria-hidden") == "true" and tag != "math":
        return True
    style = (element.get("style") or "").replace(" ", "").lower()
    if "display:none" in style or "visibility:hidden" in style:
        return tag != "math" and not element.xpath("boolean(.//math)")
    if tag in ("header", "footer"):
        return not any(ancestor.tag in ("main", "article", "section") for ancestor in element.iterancestors())
    if not _NAMES_AROUND.search(f"{element.get('class') or ''} {element.get('id') or ''}"):
        return False
    length = _text_length(element)
    links = sum(_text_length(link) for link in element.iter("a", "button"))
    return length < _ENOUGH or links * 2 > length


def _is_around_or_menu(element: HtmlElement) -> bool:
    """Whether an element surrounds the content of a page that does not mark its content."""
    if element.tag in ("ul", "ol") and element.find(".//p") is None:
        links = [_text_length(link) for link in element.iter("a")]
        if len(links) >= _MENU_LINKS and sum(links) < _MENU_WORD * len(links):
            return sum(links) > 0.9 * _text_length(element)
    return is_around(element)


def _text_length(element: HtmlElement) -> int:
    return sum(len(text.strip()) for text in element.itertext())
