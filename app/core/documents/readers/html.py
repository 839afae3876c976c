"""Web pages to text: the main content, without menus, scripts and other surroundings."""

from __future__ import annotations

import re
from contextlib import suppress
from typing import TYPE_CHECKING

from app.core.documents.readers import ReaderError
from app.core.documents.readers.plain import decode, head
from app.core.documents.readers.text_builder import TextBuilder, collapsed, picture, signs_only, without_signs
from app.domain.words import word_set

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

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
_ROLES = word_set(
    "navigation banner contentinfo search complementary dialog alertdialog menu menubar toolbar"
)
_NAMES_AROUND = re.compile(
    r"(?:^|[\s_-])(?:nav|navbar|navigation|menu|breadcrumbs?|sidebar|pagination|pager|cookie|cookies|consent|"
    r"share|sharing|social|skip|skip-link|skiplink|toc|table-of-contents|tableofcontents|related|comments?|"
    r"advert|ads|promo|newsletter|subscribe|site-header|site-footer|page-footer|masthead|editsection|"
    r"headerlink|hash-link|hidden|visually-hidden|sr-only)(?:$|[\s_-])",
    re.IGNORECASE,
)
_LEFT_OUT = word_set(
    "script style noscript template nav aside button select option input textarea svg canvas iframe "
    "object embed audio video dialog head meta link base rp rt map"
)
_MENU_LINKS = 5
_MENU_WORD = 30  # characters that entries of a menu have on average at most
_ENOUGH = 200  # characters that a part needs to count as the whole content
_HEADINGS = {f"h{level}": level for level in range(1, 7)}
_BLOCKS = (
    word_set(
        "address article aside blockquote body center dd details dialog div dl dt fieldset figcaption figure "
        "footer form header hr legend li main menu nav ol p pre section summary table ul tbody thead tfoot "
        "tr td th caption"
    )
    | _HEADINGS.keys()
)
_NOT_IN_CELLS = frozenset(("table", "pre", *_HEADINGS, "article", "section"))
_LANGUAGE = re.compile(r"(?:^|\s)(?:language|lang|highlight-source|highlight|brush:)[-\s]?([\w+#]{1,20})")
_PERMALINKS = frozenset(("¶", "#", "§", "🔗", "\u200b"))
_LOGO = re.compile(r"\[Picture: [^\]]*\]")  # a picture that is only a link
_PIXELS = re.compile(r"\s*+(\d{1,5})(?:\.\d*+)?(?:px)?\s*+")
_TEX_PICTURE = re.compile(r"\b(?:math|tex|latex|mwe-math\S*|eqn?)\b", re.IGNORECASE)


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
    parser = html.HTMLParser(encoding="utf-8", huge_tree=True)
    try:
        # As bytes of a known encoding, since the parser refuses strings that declare another one.
        root = html.document_fromstring(text.encode("utf-8", "replace"), parser=parser)
    except (etree.ParserError, etree.XMLSyntaxError, ValueError) as error:
        if getattr(error, "code", None) == etree.ErrorTypes.ERR_NO_MEMORY:
            raise MemoryError from error
        raise ReaderError from error
    if root is None:
        raise ReaderError
    if any(entry.type == etree.ErrorTypes.ERR_RESOURCE_LIMIT for entry in parser.error_log):
        raise ReaderError("documents.nested_too_deep")  # the parser leaves out what follows
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
    name = "" if re.fullmatch("h[1-6]", tag) else element.get("id") or ""  # a heading's are its words
    if not _NAMES_AROUND.search(f"{element.get('class') or ''} {name}"):
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


class HtmlBlocks:
    """Walks elements, except those to leave out, and adds their blocks to a builder."""

    def __init__(
        self,
        builder: TextBuilder,
        leave_out: Callable[[HtmlElement], bool],
        source: Callable[[str], str] = lambda address: address,
    ) -> None:
        """``source`` returns where a picture is to be found of whose address the page speaks."""
        self._builder = builder
        self._leave_out = leave_out
        self._source = source
        self._with_blocks: set[HtmlElement] = set()
        self._marker = ""  # of the list item that is about to begin
        self._indent = ""

    def add(self, element: HtmlElement) -> None:
        self._with_blocks = _holding_blocks(element)
        self._walk(element)

    def _walk(self, element: HtmlElement) -> None:
        line: list[str] = [element.text or ""]
        for child in element:
            if isinstance(child.tag, str) and not self._leave_out(child):
                if child.tag in _BLOCKS or child in self._with_blocks:
                    self._flush(line)
                    self._block(child)
                else:
                    line.append(self._inline(child))
            line.append(child.tail or "")
        self._flush(line)

    def _flush(self, line: list[str]) -> None:
        text = _flowed("".join(line))
        line.clear()
        if text and not without_signs(text).strip():
            self._builder.block(text)
        elif text:
            lead = self._marker or self._indent
            self._builder.block(lead + text.replace("\n", "\n" + " " * len(lead)), tight=bool(lead))
            self._marker = ""

    def _block(self, element: HtmlElement) -> None:
        tag = element.tag
        if tag in _HEADINGS:
            self._builder.heading(_HEADINGS[tag], _flowed(self._inside(element)).strip("¶#§ "))
            self._marker = ""
        elif tag == "pre":
            self._code(element)
        elif tag in ("ul", "ol", "menu"):
            self._list(element)
        elif tag == "table":
            self._table(element)
        elif tag == "dd":
            self._item(element, "  ")
        else:
            self._walk(element)

    def _list(self, element: HtmlElement) -> None:
        try:
            number = int(element.get("start") or 1)
        except ValueError:
            number = 1
        for child in element:
            if not isinstance(child.tag, str) or self._leave_out(child):
                continue
            if child.tag == "li":
                self._item(child, f"{number}. " if element.tag == "ol" else "- ")
                number += 1
            else:
                self._block(child)

    def _item(self, element: HtmlElement, marker: str) -> None:
        outer = self._indent
        self._marker = outer + marker
        self._indent = outer + " " * len(marker)
        self._walk(element)
        self._marker, self._indent = "", outer

    def _code(self, element: HtmlElement) -> None:
        names = " ".join(part.get("class") or "" for part in [element, *element.iter("code")])
        language = _LANGUAGE.search(names)
        self._builder.code("".join(_code_text(element)), language.group(1) if language else "")
        self._marker = ""

    def _table(self, element: HtmlElement) -> None:
        rows = [
            [cell for cell in row if cell.tag in ("td", "th")]
            for row in element.iter("tr")
            if next((up for up in row.iterancestors("table")), element) is element
        ]
        cells = [cell for row in rows for cell in row]
        has_blocks = any(next(cell.iter(*_NOT_IN_CELLS), None) is not None for cell in cells)
        for caption in element.iter("caption"):
            self._builder.block(_flowed(self._inside(caption)))
        if has_blocks or max(map(len, rows), default=0) < 2:  # a page laid out as a table
            for cell in cells:
                self._walk(cell)
        else:
            self._builder.table(
                [_flowed(self._inside(cell)) for cell in row if not self._leave_out(cell)] for row in rows
            )

    def _inside(self, element: HtmlElement) -> str:
        r"""Return an element's text on one line, with ``\\v`` for line breaks."""
        parts = [element.text or ""]
        for child in element:
            if isinstance(child.tag, str) and not self._leave_out(child):
                text = self._inline(child)
                parts.append(f" {text} " if child.tag in _BLOCKS else text)
            parts.append(child.tail or "")
        return "".join(parts)

    def _inline(self, element: HtmlElement) -> str:
        tag = element.tag
        if tag == "br":
            return "\v"
        if tag == "math" or (tag == "script" and (element.get("type") or "").startswith("math/")):
            return _formula(element)
        if tag == "img":
            words = " ".join((element.get("alt") or "").split())
            if words and _TEX_PICTURE.search(element.get("class") or ""):
                return f" ${words}$ "
            return picture(words, self._source(element.get("src") or ""), pixels(element.get("width")))
        text = self._inside(element)
        if tag in ("code", "kbd", "samp", "tt") and text.strip() and "`" not in text and "\v" not in text:
            return f"`{text.strip()}`"
        if tag == "a" and (text.strip() in _PERMALINKS or _LOGO.fullmatch(without_signs(text).strip())):
            return signs_only(text)
        if tag == "sup" and text.strip().isdigit() and element.tail is not None:
            return f"^{text.strip()}"
        return text


def pixels(width: str | None) -> float:
    """Return the width that a page gives a picture; 0 for other units than pixels."""
    match = _PIXELS.fullmatch(width or "")
    return float(match.group(1)) if match else 0


def _holding_blocks(root: HtmlElement) -> set[HtmlElement]:
    """Return all elements with a block inside: they are not part of a line."""
    found: set[HtmlElement] = set()
    for block in root.iter(*_BLOCKS):
        for ancestor in block.iterancestors():
            if ancestor in found:
                break
            found.add(ancestor)
    return found


def _flowed(text: str) -> str:
    r"""Return text as a browser flows it: white space collapsed, line breaks only at ``\\v``."""
    lines = (" ".join(collapsed(line).split()) for line in text.split("\v"))
    return "\n".join(line for line in lines if line)


def _code_text(element: HtmlElement) -> Iterator[str]:
    """Yield the text of a code block, with a newline for each ``<br>`` and each boxed line."""
    if element.text:
        yield element.text
    for child in element:
        if not isinstance(child.tag, str) or child.tag in ("button", "script", "style"):
            pass
        elif child.tag == "br":
            yield "\n"
        else:
            last = ""
            for last in _code_text(child):
                yield last
            is_line = child.tag in ("div", "p", "li") or (child.tag == "code" and child.getnext() is not None)
            if is_line and not last.endswith("\n"):
                yield "\n"
        if child.tail:
            yield child.tail


def _formula(element: HtmlElement) -> str:
    tex: str = element.text_content() if element.tag == "script" else (element.get("alttext") or "")
    for note in element.iter("annotation"):
        if "tex" in (note.get("encoding") or "").lower():
            tex = note.text_content()
    plain = " ".join("".join(element.itertext()).split())
    return f" ${' '.join(tex.split())}$ " if tex.strip() else f" {plain} "
