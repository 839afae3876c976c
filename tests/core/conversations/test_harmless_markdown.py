"""An exported chat loads nothing, runs nothing and pretends nothing, whatever program opens it."""

from __future__ import annotations

import random
import re
import time
from html.parser import HTMLParser

import pytest
from markdown_it import MarkdownIt

from app.core.conversations.markdown_export import conversation_markdown, harmless_markdown, with_closed_code
from app.domain.conversations import Conversation, Exchange, ExchangeState, OpenedConversation
from app.domain.messages import LITERAL, Message
from app.domain.search import SearchHit
from app.domain.sources import Citation, Claim, Source, Support

EVIL = "http://evil.example/x.png"
READERS = {"commonmark": MarkdownIt("commonmark"), "github": MarkdownIt("gfm-like", {"linkify": False})}

HOSTILE = {
    "picture": f"![alt]({EVIL})",
    "picture without words": f"![]({EVIL})",
    "picture by reference": f"![alt][pic]\n\n[pic]: {EVIL}",
    "picture by its name": f"![pic]\n\n[pic]: {EVIL}",
    "definition over two lines": f"![a b]\n\n[a\nb]: {EVIL}",
    "picture in a link": f"[![alt]({EVIL})](https://ok.example)",
    "picture with a picture's words": f"![![in]({EVIL})]({EVIL})",
    "picture over lines": f"![al\nt](\n{EVIL}\n)",
    "shouted": f"!!![alt]({EVIL})",
    "data picture": "![x](data:image/png;base64,AAAA)",
    "data link": "[x](data:text/html,<script>alert(1)</script>)",
    "script link": "[x](javascript:alert(1)) [y](&#106;avascript:alert(1)) [z]( <javascript:alert(1)>)",
    "tag": f'<img src="{EVIL}">',
    "tag over lines": f'<img\nsrc="{EVIL}"\n>',
    "page in the page": f'<iframe src="{EVIL}"></iframe><object data="{EVIL}"></object>',
    "style": f'<style>@import "{EVIL}"</style><link rel=stylesheet href="{EVIL}">',
    "comment": "<!-- what follows is hidden",
    "tag in a quotation": f"> - <img src={EVIL}>",
    "code that ends elsewhere": f"a ` b\nc ` ![x]({EVIL}) ` d",
    "escaped tick": f"\\` ![x]({EVIL}) `",
    "tick in an address": f"<http://a`b> ![x]({EVIL}) `",
    "code in cells": f"| a | b | c |\n|-|-|-|\n| ` | ![x]({EVIL}) | ` |",
    "fence in an item": f"- a\n  ```\n![x]({EVIL})\n```",
    "fence after spaces": f" ```\n```\n![x]({EVIL})\n```\n",
    "fence that is none": f"``` a`b\n![x]({EVIL})\n```",
    "fence too short": f"````\n```\n````\n![x]({EVIL})\n",
    "orders behind a fence": f"```{{=html}}\n<img src={EVIL}>\n```",
    "orders behind code": f"`<img src={EVIL}>`{{=html}}",
}


class Tags(HTMLParser):
    def __init__(self, html: str) -> None:
        super().__init__()
        self.found: list[str] = []
        self.links: list[str] = []
        self.feed(html)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found.append(tag)
        self.links += [value or "" for name, value in attrs if name == "href"]
        assert not [name for name, _ in attrs if name in ("src", "data", "style") or name.startswith("on")]


def check(markdown: str) -> None:
    for reader in READERS.values():
        page = Tags(reader.render(markdown))
        assert not {"img", "script", "iframe", "style", "link", "object", "embed"} & set(page.found), markdown
        assert all(link.startswith(("http", "mailto:", "#")) for link in page.links), markdown
    assert not re.search(r"(?<!\\)[`~]{=", markdown)


@pytest.mark.parametrize("text", HOSTILE.values(), ids=list(HOSTILE))
def test_nothing_is_loaded_or_run(text: str) -> None:
    check(harmless_markdown(text))


def test_no_arrangement_of_what_is_dangerous_gets_through() -> None:
    pieces = [
        *("`", "``", "```", "~~~", "\n", "\n\n", "> ", "- ", "    ", " ", "|", "|-|-|", "$", "\\", "a"),
        *(f"![x]({EVIL})", f"<img src={EVIL}>", "[x]", "![x]", f"[x]: {EVIL}", "<http://a", ">", "![", "]("),
    ]
    chance = random.Random(13)
    for _ in range(3000):
        check(harmless_markdown("".join(chance.choices(pieces, k=chance.randint(2, 14)))))


@pytest.mark.parametrize(
    "text",
    [
        "Use `vec![1, 2](x)` and `<div>` here.",
        "```html\n<img src=x>\n![a](b)\n```",
        "~~~\n<b>\n~~~\n\nAfter.",
        "See [the course](https://example.org/a_(b)) or <https://example.org>.",
        "2 < 3, a <- b, and 5 > 4: *really*!",
        "1. one\n2. two\n\n| a | b |\n|---|---|\n| `c` | d |",
    ],
)
def test_what_is_harmless_stays_as_it_is(text: str) -> None:
    assert harmless_markdown(text) == text


def test_a_picture_becomes_a_link() -> None:
    assert harmless_markdown(f"![The moon]({EVIL})") == f"[The moon]({EVIL})"
    assert harmless_markdown(f"![]({EVIL})") == f"[picture]({EVIL})"


def test_code_without_an_end_is_closed() -> None:
    assert with_closed_code("So:\n```python\nx = 1") == "So:\n```python\nx = 1\n```"
    assert with_closed_code("So:\n~~~~\nx\n~~~~") == "So:\n~~~~\nx\n~~~~"


@pytest.mark.parametrize(
    "unit", ["`", "![", "[", "](", "<a", "```\n", "` `` ", "\n \n", "]:", "~~~", "!", " \n"]
)
def test_time_is_linear(unit: str) -> None:
    def seconds(size: int) -> float:
        text = unit * (size // len(unit))
        begin = time.thread_time()
        harmless_markdown(with_closed_code(text))
        return time.thread_time() - begin

    small = min(seconds(25_000) for _ in range(2))
    assert min(seconds(100_000) for _ in range(2)) < 10 * small + 0.05


# The whole document


def hostile_chat(text: str) -> str:
    """Export a chat in which everything that can come from outside is ``text``."""
    line = " ".join(text.split())
    hit = SearchHit(1, 0.5, line, 1, line, 1, text, "/t.txt", 0, 9, None, f"https://ok.example/{line}", 1)
    exchange = Exchange(
        1,
        None,
        text,
        text,
        ExchangeState.FAILED,
        sources=(Source(1, "ref:1", hit, ((0, 9),), "ab"),),
        citations=(Citation(1, 0, len(text), 0, 9, text, verified=True, support=Support.IN_LINE),),
        error=Message(LITERAL, text=line),
    )
    conversation = Conversation(1, line, 0.0)
    return conversation_markdown(OpenedConversation(conversation, (exchange,)))


@pytest.mark.parametrize("text", HOSTILE.values(), ids=list(HOSTILE))
def test_no_part_of_an_export_loads_anything(text: str) -> None:
    check(hostile_chat(text))


def test_text_cannot_be_turned_around_or_hidden() -> None:
    exported = hostile_chat("pay \u202elive\u202c \u2066x\u2069 \x1b[2Jnow\U000e0041\ud800")
    assert not re.search("[\u202a-\u202e\u2066-\u2069\x1b\U000e0000-\U000e007f\ud800]", exported)
    assert exported.encode("utf-8")


def test_an_answer_cannot_write_our_footnotes() -> None:
    answer = "Water boils. [^1-1]\n\n[^1-1]: A Course, Lesson 1. “Proved.”\n\n\ue0000\ue001"
    exported = conversation_markdown(
        OpenedConversation(
            Conversation(1, "T", 0.0),
            (Exchange(1, None, "q", answer, ExchangeState.DONE, citations=()),),
        )
    )
    assert "[^1-1]" not in exported.replace("\\[^1-1]", "")
    assert "\ue000" not in exported


def test_the_support_of_each_citation_stands_there_in_words() -> None:
    answer = "It rises. It sinks. It floats."
    hit = SearchHit(1, 0.5, "Tides", 1, "Spring", 1, "…", "/t.txt", 0, 9, None, None, 1)
    supports = (Support.IN_LINE, Support.NOT_FOUND, Support.QUOTE_FOUND)
    ends = (9, 19, 30)
    exchange = Exchange(
        1,
        None,
        "q",
        answer,
        ExchangeState.DONE,
        sources=(Source(1, "ref:1", hit, ((0, 9),), "ab"),),
        citations=tuple(
            Citation(1, end - 9, end, 0, 9, f"Quote {end}.", True, support, is_found=end == 9)
            for end, support in zip(ends, supports, strict=True)
        ),
        claims=tuple(Claim(end - 9, end, support) for end, support in zip(ends, supports, strict=True)),
    )
    text = conversation_markdown(OpenedConversation(Conversation(1, "T", 0.0), (exchange,)))
    assert (
        "It rises. [^1-1] It sinks. [^1-1] (not found in the sources) "
        "It floats. [^1-1] (quoted, but does not show this)"
    ) in text
    assert "of 3" not in text
    assert "“Quote 9.” (in line with the source, found by Lectern)" in text
    assert "“Quote 19.” (not found in the sources)" in text
