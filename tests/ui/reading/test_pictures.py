"""Pictures of lessons and passages: in their places, with room kept for them, and no part of the text."""

from __future__ import annotations

import hashlib
import io
from dataclasses import replace
from typing import TYPE_CHECKING

import pptx
import pytest
from PIL import Image
from pptx.util import Inches
from PySide6.QtGui import QColor, QGuiApplication, QTextCursor
from PySide6.QtWidgets import QApplication, QMainWindow

from app.core.documents.document_reader import read_document
from app.core.documents.page_process import PictureProcess
from app.domain.pages import PageStart
from app.domain.sources import LessonText, Source, SourceState
from app.ui.markup.pictures import PictureLoader
from app.ui.reading import lesson_view
from app.ui.reading.sources_pane import SourcesPane
from app.ui.widgets.theme import Theme, apply_theme
from tests.support.running_formulas import running_pictures
from tests.support.side_data import citation, exchange, source
from tests.support.source_cards import marked

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from PySide6.QtWidgets import QTextEdit
    from pytestqt.qtbot import QtBot

    from app.core.sandbox import Sandbox
    from app.ui.reading.lesson_view import LessonView

RED = (200, 20, 20)


@pytest.fixture
def process(sandbox: Sandbox) -> PictureProcess:
    return PictureProcess(sandbox, list)


@pytest.fixture
def panel(qtbot: QtBot, qapp: QApplication, process: PictureProcess) -> Iterator[SourcesPane]:
    apply_theme(qapp, Theme.light())
    window = QMainWindow()
    qtbot.addWidget(window)
    widget = SourcesPane()
    with running_pictures(process) as operations:
        widget.list.pictures = PictureLoader(operations, widget)
        window.setCentralWidget(widget)
        window.resize(420, 600)
        window.show()
        yield widget
        window.close()


def png(size: tuple[int, int]) -> bytes:
    data = io.BytesIO()
    Image.new("RGB", size, RED).save(data, "PNG")
    return data.getvalue()


def cite(panel: SourcesPane, path: Path, quote: str) -> tuple[Source, str]:
    """Show an answer that cites a sentence of a file."""
    text = read_document(path).text
    found = source(1, text, start=0)
    found = replace(
        found,
        hit=replace(found.hit, path=str(path)),
        document_sha256=hashlib.sha256(path.read_bytes()).hexdigest(),
    )
    panel.show_exchange(exchange((found,), (citation(found, quote),)))
    return found, text


def read(panel: SourcesPane, path: Path, quote: str) -> LessonView:
    """Open the lesson of a cited file."""
    found, text = cite(panel, path, quote)
    marks = read_document(path).marks
    slides = tuple(PageStart(one.start, int(one.anchor.value)) for one in marks if one.anchor.kind == "slide")
    panel.read(1)
    lesson = LessonText(found, SourceState.CURRENT, text, 0, True, str(path), True, slides=slides)
    panel.reading.show_lesson(lesson)
    assert panel.reading.text.is_markdown
    return panel.reading.text


def red_area(view: QTextEdit) -> tuple[int, int, int, int] | None:
    """Return left, top, right and bottom of what is red in a view."""
    image = view.viewport().grab().toImage()
    red = QColor(*RED).rgb()
    found = [
        (x, y) for y in range(0, image.height(), 2) for x in range(image.width()) if image.pixel(x, y) == red
    ]
    if not found:
        return None
    columns, rows = [x for x, _ in found], [y for _, y in found]
    return min(columns), min(rows), max(columns), max(rows)


def test_a_picture_stands_in_its_lesson_and_is_no_part_of_its_text(
    qtbot: QtBot, panel: SourcesPane, tmp_path: Path
) -> None:
    (tmp_path / "a.png").write_bytes(png((200, 100)))
    path = tmp_path / "a.md"
    path.write_text(
        "# Tides\n\nThe moon pulls.\n\n![moon](a.png)\n\n- one\n- two ![](a.png)\n- three\n\nThe end."
    )
    view = read(panel, path, "two")
    qtbot.waitUntil(lambda: red_area(view) is not None)
    area = red_area(view)
    assert area is not None
    assert area[2] - area[0] >= 199
    assert marked(view) == ("two",)
    assert [view.toPlainText().count(words) for words in ("moon pulls", "one", "three", "The end.")] == [
        1
    ] * 4
    view.selectAll()
    view.copy()
    copied = QGuiApplication.clipboard().text()
    assert copied.split() == ["Tides", "The", "moon", "pulls.", "one", "two", "three", "The", "end."]
    assert "  " not in copied
    cursor = view.textCursor()
    cursor.movePosition(QTextCursor.MoveOperation.End)
    assert view.cursorRect(cursor).top() > area[3]


def test_nothing_moves_when_a_picture_comes(
    qtbot: QtBot, panel: SourcesPane, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(lesson_view, "_PATIENCE_MS", 60_000)  # the machine may have more to do
    monkeypatch.setattr(lesson_view.LessonView, "turn", 60.0)
    (tmp_path / "a.png").write_bytes(png((300, 200)))
    path = tmp_path / "a.md"
    path.write_text("# Tides\n\nThe moon pulls.\n\n![](a.png)\n\nThe end.")
    view = read(panel, path, "The moon pulls.")
    tops: set[int] = set()

    def is_there() -> bool:
        end = view.document().find("The end.")
        if not end.isNull():
            tops.add(view.cursorRect(end).top() + view.verticalScrollBar().value())
        return red_area(view) is not None

    qtbot.waitUntil(is_there)
    assert is_there()
    assert len(tops) == 1


def test_a_wide_picture_fits_the_view_at_any_width(qtbot: QtBot, panel: SourcesPane, tmp_path: Path) -> None:
    (tmp_path / "a.png").write_bytes(png((2000, 200)))
    path = tmp_path / "a.md"
    path.write_text("The moon pulls.\n\n![](a.png)\n\nThe end.")
    view = read(panel, path, "The moon pulls.")
    for width in (420, 300):
        panel.window().resize(width, 600)
        qtbot.waitUntil(lambda: red_area(view) is not None)
        left, top, right, bottom = red_area(view) or (0, 0, 0, 0)
        assert view.viewport().width() - 60 < right - left < view.viewport().width()
        assert (right - left) / (bottom - top) == pytest.approx(10, rel=0.2)


def test_a_picture_parts_no_sign_from_its_heading_or_item(
    qtbot: QtBot, panel: SourcesPane, tmp_path: Path
) -> None:
    (tmp_path / "a.png").write_bytes(png((90, 30)))
    path = tmp_path / "a.md"
    path.write_text(
        "The moon pulls.\n\n## ![](a.png) Waves\n\n1. ![](a.png) one\n2. two\n\n- ![](a.png)\n- three"
    )
    view = read(panel, path, "The moon pulls.")
    qtbot.waitUntil(lambda: red_area(view) is not None)
    html = view.toHtml()
    assert (html.count("<ol "), html.count("<ul "), html.count("<li ")) == (1, 1, 4)
    assert "#" not in view.toPlainText()
    assert view.toPlainText().count("\ufffc") == 3


@pytest.mark.parametrize(
    "text",
    ["| a | b |\n|---|---|\n| ![](a.png) | ![](a.png) |\n", "- a\n  - b ![](a.png)\n\n    more\n"],
    ids=["columns", "list"],
)
def test_pictures_fit_into_columns_and_lists(
    qtbot: QtBot, panel: SourcesPane, tmp_path: Path, text: str
) -> None:
    (tmp_path / "a.png").write_bytes(png((900, 300)))
    path = tmp_path / "a.md"
    path.write_text(f"The moon pulls.\n\n{text}")
    view = read(panel, path, "The moon pulls.")
    qtbot.waitUntil(lambda: red_area(view) is not None)
    assert (red_area(view) or (0, 0, 0, 0))[2] < view.viewport().width() - 8
    assert view.document().idealWidth() <= view.viewport().width()


def test_a_damaged_picture_says_so(qtbot: QtBot, panel: SourcesPane, tmp_path: Path) -> None:
    data = io.BytesIO()
    Image.effect_noise((300, 100), 60).save(data, "JPEG")
    (tmp_path / "a.jpg").write_bytes(data.getvalue()[:-2000])
    path = tmp_path / "a.md"
    path.write_text("The moon pulls.\n\n![](a.jpg)\n")
    view = read(panel, path, "The moon pulls.")

    def colours_in_the_picture() -> set[int]:
        image = view.viewport().grab().toImage()
        middle = image.height() // 2
        rows = [y for y in range(middle) if image.pixelColor(30, y) == QColor(Theme.light().surface_alt)]
        return {image.pixel(x, y) for y in rows for x in range(30, 280)}

    qtbot.waitUntil(lambda: len(colours_in_the_picture()) > 1)  # letters


def test_slides_are_told_apart_and_show_their_pictures(
    qtbot: QtBot, panel: SourcesPane, tmp_path: Path
) -> None:
    deck = pptx.Presentation()
    for title in ("Waves", "", "Winds"):
        slide = deck.slides.add_slide(deck.slide_layouts[5])
        slide.shapes.title.text = title
        if not title:
            slide.shapes.add_picture(io.BytesIO(png((96, 48))), Inches(1), Inches(2))
    path = tmp_path / "a.pptx"
    deck.save(str(path))
    view = read(panel, path, "Winds")
    qtbot.waitUntil(lambda: red_area(view) is not None)
    shown = view.toPlainText().replace("\u2063", "")
    assert [line for line in shown.split("\n") if line.strip()] == [
        *("Slide 1", "Waves", "Slide 2", "\ufffcPicture", "Slide 3", "Winds")
    ]
    assert marked(view) == ("Winds",)


def test_a_picture_above_the_text_of_its_slide_stands_below_the_number(
    qtbot: QtBot, panel: SourcesPane, tmp_path: Path
) -> None:
    deck = pptx.Presentation()
    for words in ("The first slide.", "The second slide."):
        slide = deck.slides.add_slide(deck.slide_layouts[6])
        slide.shapes.add_picture(io.BytesIO(png((96, 48))), Inches(1), Inches(1))
        slide.shapes.add_textbox(Inches(1), Inches(4), Inches(4), Inches(1)).text_frame.text = words
    path = tmp_path / "a.pptx"
    deck.save(str(path))
    view = read(panel, path, "The first slide.")
    qtbot.waitUntil(lambda: red_area(view) is not None)
    lines = [line for line in view.toPlainText().replace("\u2063", "").split("\n") if line.strip()]
    assert lines == [
        *("Slide 1", "\ufffcPicture", "The first slide."),
        *("Slide 2", "\ufffcPicture", "The second slide."),
    ]
    assert marked(view) == ("The first slide.",)


def test_a_source_card_shows_the_pictures_of_its_passage(
    qtbot: QtBot, panel: SourcesPane, tmp_path: Path
) -> None:
    (tmp_path / "a.png").write_bytes(png((800, 400)))
    path = tmp_path / "a.md"
    path.write_text("The moon pulls.\n\n![](a.png)\n\nThe end.")
    cite(panel, path, "The moon pulls.")
    (card,) = panel.list._cards.values()  # noqa: SLF001
    edit = card.passage.edit
    qtbot.waitUntil(lambda: red_area(edit) is not None)
    left, top, right, bottom = red_area(edit) or (0, 0, 0, 0)
    assert 150 <= bottom - top <= 160
    assert right - left == pytest.approx(320, abs=40)
    assert card.passage.height() >= bottom
    assert marked(edit) == ("The moon pulls.",)
