"""Passages of Markdown on cards: typeset, with exactly the cited sentences marked."""

from __future__ import annotations

import time
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest
from PySide6.QtGui import QFont, QTextCursor
from PySide6.QtWidgets import QApplication, QVBoxLayout, QWidget

from app.core.documents.formats import FORMATS
from app.core.formulas import FormulaService
from app.domain.documents import becomes_markdown
from app.ui.markup.rich_text import FormulaPictures
from app.ui.reading.source_card import SourceCard
from app.ui.widgets.theme import Theme, apply_theme
from tests.support.hostile_markdown import UNITS
from tests.support.pace import slowness
from tests.support.running_formulas import running
from tests.support.side_data import citation, source
from tests.support.source_cards import marked

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pytestqt.qtbot import QtBot

    from app.core.sandbox import Sandbox
    from app.domain.sources import Source

TEXT = r"""## Retrieval *in short*

A system cuts **documents** into `chunks`. Each 🙂 chunk gets a vector $v \in \mathbb{R}^n$ of its own.

1. Cut the text.
2. Embed [each part] of it.
   - Keep the *order*.

```python
def embed(text: str) -> list[float]:
    return model(text)  # a vector
```

| Model | Size |
|-------|------|
| small | 23 MB |
| large | 2 GB |

$$
\int_0^1 x^2 \, dx = \frac{1}{3}
$$

The end &amp; nothing more."""


_HOLDERS: list[QWidget] = []  # a widget lives no longer than its Python object


@pytest.fixture(autouse=True)
def _themed(qapp: QApplication) -> Iterator[None]:
    apply_theme(qapp, Theme.light())
    yield
    _HOLDERS.clear()


@pytest.fixture
def pictures(qapp: QApplication, sandbox: Sandbox) -> Iterator[FormulaPictures]:
    with running(FormulaService(sandbox)) as operations:
        yield FormulaPictures(operations)


def markdown_source(text: str, path: str = "notes/lesson.md") -> Source:
    found = source(1, text)
    return replace(found, hit=replace(found.hit, path=path))


def shown_card(
    qtbot: QtBot, text: str, path: str = "notes/lesson.md", formulas: FormulaPictures | None = None
) -> SourceCard:
    holder = QWidget()
    qtbot.addWidget(holder)
    card = SourceCard(markdown_source(text, path), holder, formulas)
    layout = QVBoxLayout(holder)
    layout.addWidget(card)
    layout.addStretch()
    holder.resize(360, 900)
    holder.show()
    qtbot.waitExposed(holder)
    card.set_expanded(True)
    _HOLDERS.append(holder)
    return card


def plain(card: SourceCard) -> str:
    return card.passage.edit.toPlainText().removeprefix("\n")


def marks_of(card: SourceCard, quote: str) -> str:
    card.set_citations([citation(card.source, quote)])
    return " ".join(part.replace("\ufffc", "") for part in marked(card.passage.edit))


def test_markdown_is_typeset_and_other_text_stays(qtbot: QtBot) -> None:
    card = shown_card(qtbot, TEXT)
    for sign in ("##", "**", "```", "|", "&amp;", "1. Cut"):
        assert sign not in plain(card)
    cursor = QTextCursor(card.passage.edit.document())
    cursor.movePosition(QTextCursor.MoveOperation.Right, n=2)  # behind the empty paragraph at the top
    assert cursor.charFormat().fontWeight() >= QFont.Weight.DemiBold
    assert plain(shown_card(qtbot, TEXT, "notes/lesson.txt")) == TEXT


@pytest.mark.parametrize(
    ("quote", "seen"),
    [
        ("Retrieval *in short*", "Retrieval in short"),
        ("A system cuts **documents** into `chunks`.", "A system cuts documents into chunks."),
        ("**documents** into", "documents into"),
        (r"Each 🙂 chunk gets a vector $v \in \mathbb{R}^n$ of its own.", None),
        ("2. Embed [each part] of it.\n   - Keep the *order*.", "Embed [each part] of it. Keep the order."),
        ("    return model(text)  # a vector", "return model(text)  # a vector"),
        ("| large | 2 GB |", "large 2 GB"),
        ("\\int_0^1 x^2 \\, dx = \\frac{1}{3}\n", r"\int_0^1 x^2 \, dx = \frac{1}{3}"),
        ("The end &amp; nothing more.", "The end & nothing more."),
    ],
)
def test_exactly_the_cited_sentence_is_marked(qtbot: QtBot, quote: str, seen: str | None) -> None:
    assert marks_of(shown_card(qtbot, TEXT), quote) == (seen or quote)


def test_formulas_are_pictures_that_are_marked_and_copied_as_latex(
    qtbot: QtBot, pictures: FormulaPictures
) -> None:
    card = shown_card(qtbot, TEXT, formulas=pictures)
    qtbot.waitUntil(lambda: card.passage.edit.document().toRawText().count("\ufffc") == 2)
    quote = r"Each 🙂 chunk gets a vector $v \in \mathbb{R}^n$ of its own."
    assert marks_of(card, quote) == quote
    assert "\ufffc" in marked(card.passage.edit)[0]
    card.passage.edit.selectAll()
    copied = card.passage.edit.createMimeDataFromSelection().text()
    assert quote in copied
    assert "\ufffc" not in copied


def test_a_passage_may_begin_and_end_inside_tables_and_code(qtbot: QtBot) -> None:
    rows = shown_card(qtbot, "| small | 23 MB |\n| large | 2 GB |\n\nThat is all.")
    assert "|" not in plain(rows)
    assert marks_of(rows, "| large | 2 GB |") == "large 2 GB"
    code = shown_card(qtbot, "    return x * 2\n```\n\nIt **doubles**.\n")
    assert plain(code).split("\n")[-1] == "It doubles."
    assert "return x * 2" in plain(code)
    assert marks_of(shown_card(qtbot, "Here:\n\n```python\nx = 1\ny"), "x = 1") == "x = 1"


def test_a_theme_colours_anew(qtbot: QtBot) -> None:
    card = shown_card(qtbot, TEXT)
    card.set_citations([citation(card.source, "Keep the *order*.")])
    before = card.passage.edit.toHtml()
    card.passage.edit.set_theme(Theme.dark())
    assert card.passage.edit.toHtml() != before
    assert marked(card.passage.edit) == ("Keep the order.",)


@pytest.mark.slow
@pytest.mark.usefixtures("no_collections")
def test_hostile_text_loads_nothing_and_takes_no_time(qtbot: QtBot) -> None:
    holder = shown_card(qtbot, "Begin.").parentWidget()
    slowest = 0.0
    for unit in UNITS:
        text = unit * (2_000 // len(unit))
        begun = time.thread_time()
        card = SourceCard(markdown_source(text), holder)
        card.set_citations([citation(card.source, text.strip()[-50:])])
        slowest = max(slowest, time.thread_time() - begun)
        card.deleteLater()
    assert slowest < 0.3 * slowness()  # 0.06 on a machine that does nothing else
    pictures = shown_card(qtbot, "<img src='file:///etc/passwd'> ![x](file:///etc/passwd) [y](javascript:z)")
    assert "<img src='file" in plain(pictures)
    assert "href" not in pictures.passage.edit.toHtml()


def test_each_format_is_shown_as_its_reader_writes_it() -> None:
    plain_kinds = {one.kind for one in FORMATS for end in one.endings if not becomes_markdown(f"a{end}")}
    assert plain_kinds == {"text", "captions", "pdf", "picture"}
    assert all(
        becomes_markdown(f"b.x/a{end}") == (one.kind not in plain_kinds)
        for one in FORMATS
        for end in one.endings
    )
