from __future__ import annotations

import io
import zipfile

import pytest

from app.core.documents.readers import ReaderError
from app.core.documents.readers.epub import read_epub

CONTAINER = '<container><rootfiles><rootfile full-path="a/book.opf"/></rootfiles></container>'
XHTML = "application/xhtml+xml"


def item(name: str, media: str = XHTML, properties: str = "") -> str:
    return f'<item id="{name}" href="{name}" media-type="{media}" properties="{properties}"/>'


def book(items: str, *spine: str, **parts: str) -> bytes:
    references = "".join(f'<itemref idref="{name}"/>' for name in spine)
    package = f"<package><metadata/><manifest>{items}</manifest><spine>{references}</spine></package>"
    data = io.BytesIO()
    with zipfile.ZipFile(data, "w") as archive:
        archive.writestr("META-INF/container.xml", parts.pop("container", CONTAINER))
        archive.writestr("a/book.opf", package)
        for name, content in parts.items():
            archive.writestr(f"a/{name}", content)
    return data.getvalue()


def test_chapters_without_headings_have_the_names_of_the_old_contents() -> None:
    contents = (
        "<ncx><navMap><navPoint><navLabel><text>Dawn</text></navLabel><content src='one#top'/></navPoint>"
        "</navMap></ncx>"
    )
    items = item("one") + item("two") + item("toc", "application/x-dtbncx+xml")
    document = read_epub(book(items, "one", "two", one="<p>First.", two="<p>Second.", toc=contents))
    assert document.text == "First.\n\nSecond."
    assert [(mark.start, mark.anchor.value) for mark in document.marks] == [(0, "Dawn")]


def test_what_is_no_chapter_is_passed_over() -> None:
    items = item("one") + item("picture", "image/png") + item("nav", properties="nav") + item("gone")
    data = book(items, "one", "picture", "nav", "gone", "nobody", "one", one="<p>First.", nav="<nav>x</nav>")
    document = read_epub(data)
    assert document.text == "First."
    assert str(document.unread) == "1 of 2 chapters could not be read."


def test_a_damaged_chapter_costs_only_itself() -> None:
    document = read_epub(book(item("one") + item("two"), "one", "two", one="\x00" * 100, two="<p>Second."))
    assert document.text == "Second."
    assert str(document.unread) == "1 of 2 chapters could not be read."


@pytest.mark.parametrize(
    ("spine", "parts"),
    [
        (["one"], {"container": "<container/>", "one": "<p>x"}),
        (["gone"], {"one": "<p>x"}),
        (["one"], {"one": "\x00" * 100}),
    ],
)
def test_damaged(spine: list[str], parts: dict[str, str]) -> None:
    with pytest.raises(ReaderError):
        read_epub(book(item("one"), *spine, **parts))


def test_fonts_may_be_scrambled_and_text_not_encrypted() -> None:
    data = io.BytesIO(book(item("one"), "one", one="<p>x"))
    with zipfile.ZipFile(data, "a") as archive:
        archive.writestr(
            "META-INF/encryption.xml",
            '<encryption><EncryptionMethod Algorithm="http://www.idpf.org/2008/embedding"/></encryption>',
        )
    assert read_epub(data.getvalue()).text == "x"
