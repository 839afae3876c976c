"""A text that changes while it is read: what is read stays where it is."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

import pytest
from PySide6.QtGui import QTextCursor

from app.core.formulas import FormulaService
from app.features.study.ui.text_pages import Piece, PiecesView
from app.ui.markup.rich_text import FormulaPictures
from app.ui.widgets.theme import Theme
from tests.support.running_formulas import running

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from pytestqt.qtbot import QtBot

    from app.core.sandbox import Sandbox

START = [f"part {n}" for n in range(0, 80, 2)]
_KEEP = QTextCursor.MoveMode.KeepAnchor


class _Text:
    """A view, and the pieces that were drawn, in order."""

    def __init__(self, view: PiecesView, qtbot: QtBot) -> None:
        self.view, self._qtbot = view, qtbot
        self.drawn: list[str] = []

    def show(self, names: Iterable[str], look: str = "") -> None:
        """Let these be the text, and wait until they are."""
        wanted = list(names)
        self.view.show_pieces([Piece((name, look), partial(self.html, name)) for name in wanted])
        self._qtbot.waitUntil(lambda: self.names() == wanted)

    def names(self) -> list[str]:
        lines = self.view.toPlainText().split("\n")[1:]
        return [line.removeprefix("Here is ").partition(",")[0] for line in lines]

    def scroll_to(self, name: str) -> None:
        self._find(name)
        self.view.verticalScrollBar().setValue(self.view.verticalScrollBar().value() + self.height_of(name))

    def height_of(self, name: str) -> int:
        """Return where the line of a piece is in the view, in pixels."""
        return self.view.cursorRect(self._find(name)).top()

    def select(self, name: str) -> None:
        cursor = self._find(name)
        cursor.movePosition(QTextCursor.MoveOperation.EndOfBlock, _KEEP)
        self.view.setTextCursor(cursor)

    def _find(self, name: str) -> QTextCursor:
        cursor = self.view.document().find(f"{name},")
        cursor.movePosition(QTextCursor.MoveOperation.StartOfBlock)
        return cursor

    def html(self, name: str) -> str:
        self.drawn.append(name)
        return f"<p>Here is {name}, in words enough for more than one line of the view.</p>"


@pytest.fixture
def text(qtbot: QtBot, sandbox: Sandbox) -> Iterator[_Text]:
    with running(FormulaService(sandbox)) as operations:
        view = PiecesView(FormulaPictures(operations))
        qtbot.addWidget(view)
        view.set_theme(Theme.light())
        view.resize(300, 300)
        view.show()
        yield _Text(view, qtbot)


def test_what_comes_below_is_drawn_alone_and_what_is_read_stays(text: _Text) -> None:
    text.show(START)
    text.scroll_to("part 40")
    text.select("part 42")
    before = text.height_of("part 42")
    text.drawn.clear()
    text.show([*START, "the last"])
    assert text.drawn == ["the last"]
    assert text.height_of("part 42") == before
    assert text.view.textCursor().selectedText().startswith("Here is part 42")


def test_what_comes_between_draws_all_again_at_the_same_place(text: _Text, qtbot: QtBot) -> None:
    text.show(START)
    text.scroll_to("part 20")
    place = text.view.verticalScrollBar().value()
    text.show([*START[:30], "between", *START[30:]])
    qtbot.waitUntil(lambda: text.view.verticalScrollBar().value() == place)


def test_another_theme_draws_all_again_at_the_same_place(text: _Text, qtbot: QtBot) -> None:
    text.show(START)
    text.scroll_to("part 40")
    before = text.height_of("part 42")
    text.drawn.clear()
    text.view.set_theme(Theme.dark())
    qtbot.waitUntil(lambda: text.names() == START and text.height_of("part 42") == before)
    assert text.drawn == START


def test_what_has_formulas_is_drawn_again_once_they_are_set(text: _Text, qtbot: QtBot) -> None:
    view, drawn = text.view, text.drawn

    def html(name: str) -> str:
        drawn.append(name)
        return view.html_of(f"The {name} is $x^2$." if name == "square" else f"The {name} is here.")

    names = [*START, "square", "rest"]
    view.show_pieces([Piece(name, partial(html, name)) for name in names])
    qtbot.waitUntil(lambda: "\ufffc" in view.toPlainText(), timeout=20_000)
    qtbot.waitUntil(lambda: view.toPlainText().endswith("The rest is here."))
    assert set(drawn) == set(names)
