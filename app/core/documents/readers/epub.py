"""EPUB books to text: the chapters in the order of the spine."""

from __future__ import annotations

import posixpath
import zipfile
import zlib
from functools import partial
from typing import TYPE_CHECKING
from urllib.parse import unquote

from app.core.documents.readers import ReaderError
from app.core.documents.readers.html import HtmlBlocks, decode_html, is_around, parse_html
from app.core.documents.readers.safe_archive import Archive
from app.core.documents.readers.text_builder import PART, TextBuilder, collapsed, unread
from app.domain.plain_text import one_line

if TYPE_CHECKING:
    from lxml.etree import _Element

    from app.domain.documents import DocumentText


_CHAPTERS = ("application/xhtml+xml", "text/html", "application/x-dtbook+xml")
_KEPT = ("header", "footer", "aside", "section")  # parts of a book's text
_FONTS = ("http://www.idpf.org/2008/embedding", "http://ns.adobe.com/pdf/enc#RC")


def read_epub(data: bytes) -> DocumentText:
    """Read a book; an anchor is the path to a heading, or a chapter's name in the table of contents."""
    archive = Archive(data)
    if (part := "META-INF/encryption.xml") in archive.names:
        methods = archive.xml(part).xpath("//*[local-name()='EncryptionMethod']/@Algorithm")
        if any(method not in _FONTS for method in methods):
            raise ReaderError("documents.copy_protected")
    paths = archive.xml("META-INF/container.xml").xpath("//*[local-name()='rootfile']/@full-path")
    if not paths:
        raise ReaderError
    path = posixpath.normpath(unquote(paths[0]))
    package, folder = archive.xml(path), posixpath.dirname(path)
    title = one_line(package.xpath("string(//*[local-name()='metadata']/*[local-name()='title'])"))
    names = _contents(archive, package, folder)
    builder = TextBuilder()
    parts = _spine(archive, package, folder)
    damaged = 0
    for number, part in enumerate(parts):
        try:
            root = parse_html(decode_html(archive.read(part)))
        except (ReaderError, KeyError, zipfile.BadZipFile, zlib.error, EOFError) as error:
            damaged += 1
            if isinstance(error, ReaderError) and error.reason == "documents.nested_too_deep":
                raise
            if damaged == len(parts):
                raise ReaderError from error
            continue
        body = root.find("body")
        body = root if body is None else body
        headings = body.xpath(".//h1|.//h2|.//h3|.//h4|.//h5|.//h6")
        if not number and title and title not in [one_line(heading.text_content()) for heading in headings]:
            builder.heading(1, title)
        elif not headings and part in names:
            builder.enter(1, names[part])
        inside = partial(_part_of, posixpath.dirname(part))
        HtmlBlocks(builder, lambda one: one.tag not in _KEPT and is_around(one), inside).add(body)
    return builder.finish(unread("chapters", damaged, len(parts)))


def _inside(folder: str, reference: str | None) -> str:
    path = unquote((reference or "").partition("#")[0])
    return posixpath.normpath(posixpath.join(folder, path))


def _part_of(folder: str, address: str) -> str:
    return PART + _inside(folder, address) if address else ""


def _is_navigation(item: _Element) -> bool:
    return "nav" in (item.get("properties") or "").split()


def _spine(archive: Archive, package: _Element, folder: str) -> list[str]:
    items = {item.get("id"): item for item in package.xpath("//*[local-name()='manifest']/*")}
    references = package.xpath("//*[local-name()='spine']/*[local-name()='itemref']/@idref")
    chapters = [
        items[name] for name in references if name in items and items[name].get("media-type") in _CHAPTERS
    ]
    parts = dict.fromkeys(_inside(folder, item.get("href")) for item in chapters if not _is_navigation(item))
    if not parts:
        raise ReaderError
    return list(parts)


def _contents(archive: Archive, package: _Element, folder: str) -> dict[str, str]:
    """Return the names of the chapters by part, from the table of contents of EPUB 2 or 3."""
    names: dict[str, str] = {}
    for item in package.xpath("//*[local-name()='manifest']/*"):
        part = _inside(folder, item.get("href"))
        if part not in archive.names:
            continue
        inner = posixpath.dirname(part)
        if _is_navigation(item):
            for link in parse_html(decode_html(archive.read(part))).xpath("//nav//a[@href]"):
                names.setdefault(_inside(inner, link.get("href")), collapsed(link.text_content()))
        elif item.get("media-type") == "application/x-dtbncx+xml":
            for point in archive.xml(part).xpath("//*[local-name()='navPoint']"):
                label = point.xpath("string(*[local-name()='navLabel'])")
                target = point.xpath("string(*[local-name()='content']/@src)")
                names.setdefault(_inside(inner, target), collapsed(label))
    return {part: label for part, label in names.items() if label}
