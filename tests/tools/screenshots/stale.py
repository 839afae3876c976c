"""Pictures of what is told and listed after a course file has changed."""

from __future__ import annotations

from typing import TYPE_CHECKING

from app.features.study.ui.stale_page import StalePage
from tests.support.quoting import Quoting, edit, write_lessons
from tests.support.study_window import study_pane

if TYPE_CHECKING:
    from tests.tools.screenshots.pictures import Pictures

_RANGE = "The range is the largest value minus the smallest."
_VARIANCE = "The variance is the mean of the squared deviations."
_LARGE = "One very large value pulls it upwards."


def stale_states(pictures: Pictures) -> None:
    """Take the bar, the list, the place of now, and the marks of an answer."""
    with pictures.window() as (running, folder):
        place = write_lessons(folder)
        running.read(place)
        quoting = Quoting(running.rag)
        quoting.quote_all((_RANGE, _VARIANCE, _LARGE))
        edit(place / "Lesson 3.md", "minus the", "less the")
        edit(
            place / "Lesson 3.md", _VARIANCE, "The variance is a mean. It is that of the squared deviations."
        )
        edit(place / "Lesson 1.md", f" {_LARGE}", "")
        running.read(place)
        window = running.window
        running.wait_for(window.notice_bar.isVisible, "the bar")
        pictures.take(running, "stale-told")
        window.notice_bar.action.click()
        page = study_pane(window).page("stale")
        assert isinstance(page, StalePage)
        running.wait_for(lambda: page.list.count() == 6, "the list")
        pictures.take(running, "stale-answer")
        page.list.setCurrentRow(4)
        pictures.take(running, "stale-card")
        page.open_source.click()
        running.wait_for(lambda: bool(window.sources.reading.text.toPlainText()), "the lesson")
        pictures.take_with_sources(running, "stale-source")
        window.chat_controller.open(quoting.conversation)
        window.centre.show_chat()
        running.wait_for(lambda: window.chat_controller.conversation_id == quoting.conversation, "the chat")
        pictures.take_with_sources(running, "stale-marked")
