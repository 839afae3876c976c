from __future__ import annotations

import re
from dataclasses import replace
from functools import partial
from html.parser import HTMLParser
from typing import TYPE_CHECKING

import pytest

from app.core.formulas import FormulaService
from app.domain.cancel import CancelToken
from app.domain.conversations import Conversation, Exchange, ExchangeState, OpenedConversation
from app.domain.figures import SetFormula
from app.domain.messages import LITERAL, Message
from app.domain.search import SearchHit
from app.domain.sources import Citation, Claim, Source, Support
from app.ui.chat.file_export import WRITERS, write_html, write_pdf

if TYPE_CHECKING:
    from pathlib import Path

    from pytestqt.qtbot import QtBot

    from app.core.sandbox import Sandbox

pytestmark = pytest.mark.usefixtures("qapp")  # quotation marks are of its language

HOSTILE = (
    "<script>alert(1)</script> ![p](https://evil.example/p.png) [bad](javascript:alert(1))\n\n"
    '<img src=x onerror=Message(LITERAL, text="alert(1)")> <iframe src="https://evil.example"></iframe>'
)


def source(n: int, link: str = "https://example.org/1") -> Source:
    hit = SearchHit(n, 0.5, "Tides <b>&", n, "Spring", n, "…", "/t.txt", 0, 9, None, link, 1)
    return Source(n, f"ref:{n}", hit, ((0, 9),), "ab")


def opened(*exchanges: Exchange, title: str = "Why <i>tides</i>?") -> OpenedConversation:
    return OpenedConversation(Conversation(1, title, 0.0), exchanges)


def tides(answer: str = "The moon pulls. The sun helps.", link: str = "https://example.org/1") -> Exchange:
    return Exchange(
        1,
        None,
        "Why <are> there\ntides?",
        answer,
        ExchangeState.DONE,
        sources=(source(1, link), source(2), source(3)),
        citations=(
            Citation(1, 0, 15, 0, 9, "The moon pulls.", verified=True),
            Citation(2, 16, 30, 0, 9, "Never written.", verified=False),
        ),
    )


class Tags(HTMLParser):
    def __init__(self, text: str) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.attributes: list[tuple[str, str | None]] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.attributes += attrs


def html_of(conversation: OpenedConversation, folder: Path) -> str:
    write_html(conversation, folder / "chat.html")
    return (folder / "chat.html").read_text(encoding="utf-8")


def test_the_page_needs_nothing_else_and_runs_nothing(tmp_path: Path) -> None:
    text = html_of(opened(tides(HOSTILE, "javascript:alert(1)"), title=f"T {HOSTILE}"), tmp_path)
    page = Tags(text)
    assert not {"script", "img", "iframe", "link", "object", "base", "form"} & set(page.tags)
    names = {name for name, _ in page.attributes}
    assert "src" not in names
    assert not any(name.startswith("on") for name in names)
    for name, value in page.attributes:
        if name == "href":
            assert re.match(r"https?://|#s\d+-\d+$", value or ""), value
    assert "default-src 'none'" in text
    assert "@import" not in text
    assert "url(" not in text


def test_formulas_are_drawn_on_the_line_and_named_by_their_source(tmp_path: Path, sandbox: Sandbox) -> None:
    formulas = FormulaService(sandbox)
    answer = r"So $\frac{a}{b}$ is less than $\ce{x}$ and" "\n\n$$\\int_0^1 x\\,dx < 1$$"
    path = tmp_path / "chat.html"
    write_html(opened(replace(tides(answer), citations=())), path, partial(formulas.set, token=CancelToken()))
    text = path.read_text(encoding="utf-8")
    page = Tags(text)
    assert page.tags.count("svg") == 2
    labels = [value for name, value in page.attributes if name == "aria-label"]
    assert labels == [r"$\frac{a}{b}$", r"$$\int_0^1 x\,dx < 1$$"]
    assert re.search(r"vertical-align:-0\.[3-9]\d*em", text)
    assert '<span class="formula">$\\ce{x}$</span>' in text, "what cannot be set stays as it is"
    assert "xlink" not in text
    assert "<p>So <span" in text


def test_a_picture_holds_nothing_but_shapes(tmp_path: Path) -> None:
    link = '<a href="http://x.example"><path d="M 0 0"/></a>'
    svg = f'<svg viewBox="0 0 1 1" onload="x()"><script>x()</script>{link}</svg>'
    path = tmp_path / "chat.html"
    write_html(opened(replace(tides("$x$"), citations=())), path, lambda _: SetFormula(svg, 1.0, 0.5, 0.1))
    text = path.read_text(encoding="utf-8")
    assert '<svg viewBox="0 0 1 1"><path d="M 0 0"></path></svg>' in text
    assert "x()" not in text
    assert "x.example" not in text


def test_marks_lead_to_the_sources_and_doubtful_ones_say_so(tmp_path: Path) -> None:
    text = html_of(opened(tides()), tmp_path)
    assert '<sup><a href="#s1-1">[1]</a></sup>' in text
    assert re.search(r'<sup class="doubtful"><a href="#s1-2">\[2\]</a> could not be verified</sup>', text)
    assert 'id="s1-1"' in text
    assert "“The moon pulls.”" in text
    assert "Never written." not in text
    assert 'id="s1-3"' not in text, "what is not cited is no footnote"
    assert "Why &lt;are&gt; there<br>tides?" in text


def test_the_support_of_each_citation_is_said(tmp_path: Path) -> None:
    answered = replace(
        tides(),
        citations=(
            Citation(1, 0, 15, 0, 9, "The moon pulls.", True, Support.IN_LINE, is_found=True),
            Citation(2, 16, 30, 0, 9, "It helps.", True, Support.QUOTE_FOUND),
        ),
        claims=(Claim(0, 15, Support.IN_LINE), Claim(16, 30, Support.QUOTE_FOUND)),
    )
    text = html_of(opened(answered), tmp_path)
    assert "of 2" not in text
    assert "“The moon pulls.” (in line with the source, found by Lectern)" in text
    assert "“It helps.” (quoted, but does not show this)" in text


def test_nothing_in_it_turns_writing_around(tmp_path: Path) -> None:
    turned = "a\u202egnp.exe \u2066b\x1b[31m\U000e0041"
    answered = replace(tides(f"It is {turned}."), question=turned)
    text = html_of(opened(answered, title=turned), tmp_path)
    assert "gnp.exe" in text
    assert not re.search("[\u202a-\u202e\u2066-\u2069\x1b\U000e0041]", text)


def test_how_answers_ended_is_said(tmp_path: Path) -> None:
    text = html_of(
        opened(
            Exchange(1, None, "q", "a", ExchangeState.STOPPED, stop_reason="stopped"),
            Exchange(
                2, 1, "q", "", ExchangeState.FAILED, error=Message(LITERAL, text="The server <is> busy.")
            ),
        ),
        tmp_path,
    )
    assert "The answer was stopped here." in text
    assert "The server &lt;is&gt; busy." in text


def test_pages_are_written_for_long_chats(qtbot: QtBot, tmp_path: Path) -> None:
    pdf = tmp_path / "chat.pdf"
    write_pdf(opened(*(tides("The moon pulls. " + "Much is to be said. " * 100) for _ in range(12))), pdf)
    content = pdf.read_bytes()
    assert content.startswith(b"%PDF-")
    assert content.rstrip().endswith(b"%%EOF")
    assert len(re.findall(rb"/Type\s*/Page\b", content)) > 3


def test_a_page_that_cannot_be_written_is_an_error(qtbot: QtBot, tmp_path: Path) -> None:
    with pytest.raises(OSError, match="chat.pdf"):
        write_pdf(opened(tides()), tmp_path / "none" / "chat.pdf")


def test_markdown_needs_no_window() -> None:
    assert WRITERS[".md"] is None
    assert {".html", ".pdf"} <= set(WRITERS)
