"""The pages of a PDF in the reading view: drawn, marked, selected, searched."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QColor, QGuiApplication, QImage
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLabel, QLineEdit, QToolButton, QTreeWidget

from app.ui.widgets.theme import Theme
from tests.support.scans import picture_of, stored_as
from tests.support.set_pages import Setting, link, made_sentences, set_document

if TYPE_CHECKING:
    from pytestqt.qtbot import QtBot

    from app.ui.reading.page_view import PageView
    from app.ui.reading.sources_pane import SourcesPane
    from tests.support.set_pages import SetDocument
    from tests.ui.reading.pages.conftest import Opener

_ONCE = QColor(Theme.light().highlight)
_TWICE = QColor(*(round(part * part / 255) for part in (_ONCE.red(), _ONCE.green(), _ONCE.blue())))
MARKED = _ONCE.rgb(), _TWICE.rgb()  # the current one of several is darker
FOUND_NOW = (QColor("#ffb86b").rgb(),)
CTRL, ALT = Qt.KeyboardModifier.ControlModifier, Qt.KeyboardModifier.AltModifier


def shown(view: PageView) -> QImage:
    return view.viewport().grab().toImage()


def has_colour(view: PageView, colours: tuple[int, ...]) -> bool:
    image = shown(view).convertToFormat(QImage.Format.Format_ARGB32)
    pixels = np.frombuffer(image.constBits(), np.uint32)  # asked for one by one, they take seconds
    return bool(np.isin(pixels, np.array(colours, np.uint32)).any())


def page_of(made: SetDocument, sentence: int) -> int:
    return next(letter.page for letter in made.letters if letter.sentence == sentence)


def opened(qtbot: QtBot, open_pdf: Opener, made: SetDocument, *cited: int) -> SourcesPane:
    """Open a document at a cited sentence, and wait until it is marked and all in sight is drawn."""
    pane = open_pdf(made.data, *(made.sentences[number] for number in cited))
    view = pane.reading.pages.view
    assert pane.reading.shows_pages
    qtbot.waitUntil(lambda: view.page == page_of(made, cited[0]))
    qtbot.waitUntil(lambda: has_colour(view, MARKED))
    qtbot.waitUntil(lambda: view.picture_bytes > 0 and view.next_wanted() is None)
    return pane


def test_a_citation_opens_its_page_with_the_sentence_marked(qtbot: QtBot, open_pdf: Opener) -> None:
    made = set_document(made_sentences(60), Setting(lines=12))
    pane = opened(qtbot, open_pdf, made, 40, 3)
    view = pane.reading.pages.view
    assert view.hasFocus()
    image = shown(view)
    assert min(QColor(image.pixel(x, y)).lightness() for x in range(60, 300) for y in range(300)) < 120
    QTest.mouseClick(pane.reading.next, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: view.page == page_of(made, 3))
    qtbot.waitUntil(lambda: has_colour(view, MARKED))
    QTest.keyClick(view, Qt.Key.Key_Left, ALT)
    assert view.page == page_of(made, 40)
    QTest.keyClick(view, Qt.Key.Key_Right, ALT)
    assert view.page == page_of(made, 3)
    QTest.keyClick(view, Qt.Key.Key_Left, ALT)
    QTest.keyClick(view, Qt.Key.Key_Left, ALT)
    assert not pane.is_reading


def test_a_picture_is_shown_with_the_cited_sentence_marked_and_found(qtbot: QtBot, open_pdf: Opener) -> None:
    lines = ["The lighthouse warns every ship.", "A pilot boards the large ones."]
    picture = picture_of([(72, 700, lines[0]), (72, 640, lines[1])]).crop((0, 100, 1000, 600))
    pane = open_pdf(stored_as(picture, "PNG"), lines[1])
    view = pane.reading.pages.view
    assert pane.reading.shows_pages
    qtbot.waitUntil(lambda: has_colour(view, MARKED))
    qtbot.waitUntil(lambda: view.picture_bytes > 0 and view.next_wanted() is None)
    image = shown(view)
    rows = [
        y for y in range(image.height()) if any(image.pixel(x, y) in MARKED for x in range(image.width()))
    ]
    scale = view.zoom_shown * 96 / 150  # from the picture's pixels to those of the window
    assert abs((rows[0] + rows[-1]) / 2 - 212 * scale) < 25 * scale  # the second line; the first is at 87
    pane.reading.pages.open_find()
    QTest.keyClicks(pane.reading.pages.find_bar.field, "lighthouse")
    qtbot.waitUntil(lambda: has_colour(view, FOUND_NOW))


def test_the_text_stays_within_reach(qtbot: QtBot, open_pdf: Opener) -> None:
    made = set_document(made_sentences(20), Setting(lines=12))
    pane = opened(qtbot, open_pdf, made, 4)
    assert pane.reading.switch.text() == "Show text"
    QTest.mouseClick(pane.reading.switch, Qt.MouseButton.LeftButton)
    assert not pane.reading.shows_pages
    qtbot.waitUntil(lambda: made.sentences[4] in pane.reading.text.toPlainText())
    assert pane.reading.text.hasFocus()
    QTest.mouseClick(pane.reading.switch, Qt.MouseButton.LeftButton)
    assert pane.reading.shows_pages


def test_of_a_file_that_has_changed_the_text_is_shown_and_one_sentence(
    qtbot: QtBot, open_pdf: Opener
) -> None:
    made = set_document(made_sentences(20), Setting(lines=12))
    pane = open_pdf(made.data, made.sentences[4], is_changed=True)
    qtbot.waitUntil(lambda: not pane.reading.shows_pages)
    assert pane.reading.notice.isVisible()
    assert pane.reading.notice.text() == (
        "tides.pdf has changed since it was read, so its text is shown instead of its pages."
    )
    assert not pane.reading.switch.isVisible()
    qtbot.waitUntil(lambda: made.sentences[4] in pane.reading.text.toPlainText())


def test_a_sentence_is_selected_with_the_mouse_and_copied_as_text(qtbot: QtBot, open_pdf: Opener) -> None:
    made = set_document(made_sentences(20, 5), Setting(lines=30, divides=True, size=16))
    pane = opened(qtbot, open_pdf, made, 1)
    view = pane.reading.pages.view
    view.set_zoom(0.67)
    qtbot.waitUntil(lambda: view.next_wanted() is None)
    view.horizontalScrollBar().setValue(0)
    letters = [letter for letter in made.letters if letter.sentence == 0]
    points = [view.spot(letter.page, letter.x, letter.y) for letter in (letters[0], letters[-1])]
    assert points[1].y() > points[0].y()
    QTest.mousePress(view.viewport(), Qt.MouseButton.LeftButton, pos=points[0] - QPoint(3, 0))
    QTest.mouseMove(view.viewport(), points[1] + QPoint(1, 0))
    QTest.mouseRelease(view.viewport(), Qt.MouseButton.LeftButton, pos=points[1] + QPoint(1, 0))
    QTest.keyClick(view, Qt.Key.Key_C, CTRL)
    copied = " ".join(QGuiApplication.clipboard().text().split())
    assert copied.rstrip(".") == made.sentences[0].rstrip(".")


def test_words_are_found_counted_and_stepped_through(qtbot: QtBot, open_pdf: Opener) -> None:
    made = set_document(made_sentences(60), Setting(lines=12))
    pane = opened(qtbot, open_pdf, made, 40)
    pages, word = pane.reading.pages, "plankton"
    count = sum(sentence.lower().count(word) for sentence in made.sentences)
    QTest.keyClick(pages.view, Qt.Key.Key_F, CTRL)
    assert pages.find_bar.field.hasFocus()
    QTest.keyClicks(pages.find_bar.field, word.upper())
    qtbot.waitUntil(lambda: pages.find_bar.count.text().endswith(f"of {count}"))
    before = pages.find_bar.count.text()
    QTest.keyClick(pages.find_bar.field, Qt.Key.Key_Return)
    assert pages.find_bar.count.text() != before
    assert has_colour(pages.view, FOUND_NOW)
    QTest.keyClicks(pages.find_bar.field, "xyz")
    qtbot.waitUntil(lambda: pages.find_bar.count.text() == "Nothing found")
    QTest.keyClick(pages.find_bar.field, Qt.Key.Key_Escape)
    assert not pages.find_bar.isVisible()
    assert pane.is_reading
    QTest.keyClick(pages.view, Qt.Key.Key_Escape)
    assert not pane.is_reading


def test_the_outline_leads_to_its_pages(qtbot: QtBot, open_pdf: Opener) -> None:
    setting = Setting(lines=12, outline=(("Currents", 2), ("Tides", 4)))
    made = set_document(made_sentences(60), setting)
    pane = opened(qtbot, open_pdf, made, 0)
    contents = next(one for one in pane.findChildren(QToolButton) if one.accessibleName() == "Contents")
    QTest.mouseClick(contents, Qt.MouseButton.LeftButton)
    (tree,) = pane.findChildren(QTreeWidget)
    qtbot.waitUntil(tree.hasFocus)
    assert [tree.topLevelItem(at).text(0) for at in range(2)] == ["Currents", "Tides"]  # type: ignore[union-attr]
    QTest.keyClick(tree, Qt.Key.Key_Down)
    QTest.keyClick(tree, Qt.Key.Key_Down)
    QTest.keyClick(tree, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: pane.reading.pages.view.page == 4)
    assert pane.reading.pages.view.hasFocus()


def test_zoom_keeps_the_place_and_fits_the_width_again(qtbot: QtBot, open_pdf: Opener) -> None:
    made = set_document(made_sentences(60), Setting(lines=12))
    view = opened(qtbot, open_pdf, made, 40).reading.pages.view
    position, fitting = view.position, view.zoom_shown
    for key, grows in ((Qt.Key.Key_Plus, True), (Qt.Key.Key_Plus, True), (Qt.Key.Key_Minus, False)):
        before = view.zoom_shown
        QTest.keyClick(view, key, CTRL)
        assert (view.zoom_shown > before) == grows
        assert view.position.page == position.page
        assert abs(view.position.y - position.y) < 5
    QTest.keyClick(view, Qt.Key.Key_0, CTRL)
    assert view.zoom_shown == fitting
    qtbot.waitUntil(lambda: view.next_wanted() is None)


def test_in_a_narrow_pane_nothing_overlaps(qtbot: QtBot, open_pdf: Opener) -> None:
    made = set_document(made_sentences(60), Setting(lines=12, outline=(("Tides", 4),)))
    pane = opened(qtbot, open_pdf, made, 40, 3)
    QTest.keyClick(pane.reading.pages.view, Qt.Key.Key_F, CTRL)
    pages = pane.reading.pages
    assert pages.minimumWidth() <= 260
    QTest.mouseClick(pane.reading.next, Qt.MouseButton.LeftButton)
    for width in (pane.window().minimumSizeHint().width(), 420):
        pane.window().resize(width, 700)
        pane.window().layout().activate()  # type: ignore[union-attr]
        assert pages.width() == width
        kinds = (QToolButton, QLineEdit, QLabel)
        parts = [one for kind in kinds for one in pages.findChildren(kind) if one.isVisible()]
        bars = {one.parentWidget() for one in parts}
        for bar in bars - {pages.find_bar.field}:
            row = sorted((one for one in parts if one.parentWidget() is bar), key=lambda one: one.x())
            assert all(a.geometry().right() < b.x() for a, b in pairwise(row))
            assert row[-1].geometry().right() < width


def test_a_link_to_a_place_of_the_file_is_followed_and_led_back_from(qtbot: QtBot, open_pdf: Opener) -> None:
    made = set_document(made_sentences(60), Setting(lines=12, links=(link("/Dest [PAGE4 /Fit]"),)))
    pane = opened(qtbot, open_pdf, made, 0)
    pages, view = pane.reading.pages, pane.reading.pages.view
    over, beside = view.spot(1, 90, 742), view.spot(1, 300, 742)
    view.verticalScrollBar().setValue(view.verticalScrollBar().value() + over.y() - 200)
    over.setY(200)
    beside.setY(200)
    for at, shape in ((beside, Qt.CursorShape.ArrowCursor), (over, Qt.CursorShape.PointingHandCursor)):
        QTest.mouseMove(view.viewport(), at)
        qtbot.waitUntil(lambda shape=shape: view.viewport().cursor().shape() == shape)  # type: ignore[misc]
    with qtbot.assertNotEmitted(pages.link_activated):
        QTest.mouseClick(view.viewport(), Qt.MouseButton.LeftButton, pos=beside)
        assert view.page == 1
        QTest.mouseClick(view.viewport(), Qt.MouseButton.LeftButton, pos=over)
    assert view.page == 4
    QTest.keyClick(view, Qt.Key.Key_Left, ALT)
    assert view.page == 1


def test_a_web_address_is_asked_for_on_a_click_only(qtbot: QtBot, open_pdf: Opener) -> None:
    address = "https://tides.example/a?b=c"
    leads = link(f"/A << /S /URI /URI ({address}) >>")
    made = set_document(made_sentences(60), Setting(lines=12, links=(leads,)))
    pane = opened(qtbot, open_pdf, made, 0)
    pages, view = pane.reading.pages, pane.reading.pages.view
    view.verticalScrollBar().setValue(view.verticalScrollBar().value() + view.spot(1, 90, 742).y() - 200)
    over = view.spot(1, 90, 742)
    with qtbot.assertNotEmitted(pages.link_activated):
        QTest.mousePress(view.viewport(), Qt.MouseButton.LeftButton, pos=over)
        QTest.mouseMove(view.viewport(), over + QPoint(0, -150))
        QTest.mouseRelease(view.viewport(), Qt.MouseButton.LeftButton, pos=over + QPoint(0, -150))
    with qtbot.waitSignal(pages.link_activated) as asked:
        QTest.mouseClick(view.viewport(), Qt.MouseButton.LeftButton, pos=over)
    assert asked.args == [address]


def test_words_searched_for_again_at_once_are_found_once(qtbot: QtBot, open_pdf: Opener) -> None:
    made = set_document(made_sentences(60), Setting(lines=12))
    pages, word = opened(qtbot, open_pdf, made, 40).reading.pages, "plankton"
    count = sum(sentence.lower().count(word) for sentence in made.sentences)
    for _ in range(2):
        pages.find_bar.searched.emit(word)
    qtbot.waitUntil(lambda: " of " in pages.find_bar.count.text())
    qtbot.waitUntil(lambda: not pages.find_bar.count.text().endswith("…"))
    assert pages.find_bar.count.text().endswith(f"of {count}")
