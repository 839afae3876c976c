"""Pictures of study material: made, looked over, given away, and after its files have changed."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtTest import QTest

from app.domain.model_servers import Spending
from app.domain.scope import only_course
from app.features.study.making import ItemMade, MakeEstimate, MakeStarted
from app.features.study.model.items import NewItem
from app.features.study.model.names import ItemKind, ItemText
from app.features.study.ui.exam_plan import ExamDialog, PlanPage, ask_for_exam
from app.features.study.ui.export_dialog import ExportDialog
from app.features.study.ui.items_list import EditDialog
from app.features.study.ui.items_page import ItemsPage
from app.features.study.ui.make_dialog import MakeDialog
from app.features.study.ui.making_page import MakingPage
from app.features.study.ui.stale_page import StalePage
from tests.support.quoting import Quoting, edit, write_lessons
from tests.support.study import study_of
from tests.support.study_window import study_controller, study_jobs, study_pane
from tests.tools.screenshots.pictures import settle

if TYPE_CHECKING:
    from tests.support.running_window import RunningWindow
    from tests.tools.screenshots.pictures import Pictures

_COURSE = "Statistics for Beginners"
_CHOICE = ("The mode", "The range", "The mean")


def study_states(pictures: Pictures) -> None:
    """Walk through what a student does before learning."""
    with pictures.window() as (running, _):
        _beginning(pictures, running)
        _decks(pictures, running)
        _making(pictures, running)


def exam_states(pictures: Pictures) -> None:
    """Walk through the plan to an exam."""
    with pictures.window() as (running, _):
        window = running.window
        pane, controller = study_pane(window), study_controller(window)
        controller.show_page("plan")
        pictures.take(running, "exam-none")
        repository = study_of(running.rag).repository
        repository.add(repository.deck_of(_COURSE), _items(running, _COURSE))
        study_jobs(window).list_decks().run(window)
        running.wait_for(lambda: len(pane.decks) == 1, "the deck")
        ask_for_exam(controller, _COURSE)
        running.wait_for(lambda: window.findChild(ExamDialog) is not None, "the dialog")
        dialog = window.findChild(ExamDialog)
        assert dialog is not None
        dialog.minutes.setValue(10)
        dialog.weekdays[6].setChecked(True)
        pictures.take(running, "exam-date")
        dialog.save.click()
        page = pane.page("plan")
        assert isinstance(page, PlanPage)
        running.wait_for(lambda: bool(page.list.texts), "the plan")
        QTest.qWait(800)  # the strip in the sidebar
        pictures.take(running, "exam-plan")
        page.done.click()
        running.wait_for(page.undo_bar.isVisible, "the undo")
        pictures.take(running, "exam-studied")


def _beginning(pictures: Pictures, running: RunningWindow) -> None:
    running.window.actions_["study_overview"].trigger()
    pictures.take(running, "study-first")
    study_controller(running.window).make(only_course(_COURSE))
    dialog = running.window.findChild(MakeDialog)
    assert dialog is not None
    pictures.take(running, "study-make-automatic")
    dialog.reject()
    QTest.qWait(100)
    dialog = MakeDialog(
        study_controller(running.window).origins(only_course(_COURSE)),
        study_jobs(running.window),
        Spending(1.6, budget=5),
        running.window,
        has_model=True,
    )
    for box in dialog.kinds.values():
        box.setChecked(True)
    dialog.open()
    QTest.qWait(600)  # the estimate, which fails without a key
    dialog.show_estimate(MakeEstimate(36, 30_000, 0.12))
    pictures.take(running, "study-make")
    dialog.reject()
    QTest.qWait(100)


def _decks(pictures: Pictures, running: RunningWindow) -> None:
    for title in (_COURSE, "The History of Writing"):
        repository = study_of(running.rag).repository
        repository.add(repository.deck_of(title), _items(running, title))
    study_jobs(running.window).list_decks().run(running.window)
    running.wait_for(lambda: len(study_pane(running.window).decks) == 2, "the decks")
    controller, pane = study_controller(running.window), study_pane(running.window)
    controller.show_page("overview")
    pictures.take(running, "study-decks")
    controller.show_page("items", _COURSE)
    page = pane.page("items")
    assert isinstance(page, ItemsPage)
    running.wait_for(lambda: bool(page.list.selected()), "the items")
    pictures.take(running, "study-items")
    page.open_source.trigger()
    running.wait_for(lambda: bool(running.window.sources.reading.text.toPlainText()), "the lesson")
    pictures.take_with_sources(running, "study-source")
    running.window.actions_["sources"].setChecked(False)
    page.edit.trigger()
    pictures.take(running, "study-edit")
    for dialog in page.findChildren(EditDialog):
        dialog.reject()
    page.delete.trigger()
    pictures.take(running, "study-deleted")
    for name in ("guide", "glossary"):
        controller.show_page(name)
        QTest.qWait(400)
        pictures.take(running, f"study-{name}")


def _making(pictures: Pictures, running: RunningWindow) -> None:
    controller = study_controller(running.window)
    controller.show_page("making")
    page = study_pane(running.window).page("making")
    assert isinstance(page, MakingPage)
    page.show_event(MakeStarted(20))
    for item in study_of(running.rag).items(study_of(running.rag).decks()[0].deck_id)[:9]:
        page.show_event(ItemMade(item))
    pictures.take(running, "study-making")


def _items(running: RunningWindow, title: str) -> list[NewItem]:
    found = []
    for n, hit in enumerate(running.rag.search.whole(only_course(title), 1_000_000)):
        source = running.rag.search.make_source(1, hit)
        for start, end in source.sentences[1:3]:
            kind, quote = list(ItemKind)[(n + start) % 6], source.text(start, end)
            first, _, rest = quote.rstrip(".").partition(" ")
            texts = {
                ItemKind.CARD: ItemText(f"What does the course say about “{first} {rest[:30]}…”?", quote),
                ItemKind.CLOZE: ItemText(f"{{{{c1::{first}}}}} {rest}."),
                ItemKind.CHOICE: ItemText("Which value is in the middle?", "The median", _CHOICE, quote),
                ItemKind.SHORT: ItemText("What is $\\bar{x}$ called?", "The mean", ("average",)),
                ItemKind.TERM: ItemText(rest.split(" ")[-1].capitalize() or first, quote),
                ItemKind.POINT: ItemText(hit.lesson_title, quote),
            }
            found.append(NewItem(kind, texts[kind], source, start, end, quote, automatic=n % 4 == 0))
    return found


def export_states(pictures: Pictures) -> None:
    """Take the dialog with its options for Anki and for paper."""
    with pictures.window() as (running, _):
        repository = study_of(running.rag).repository
        for title in running.rag.catalog.courses.titles():
            repository.deck_of(title)
        study_jobs(running.window).list_decks().run(running.window)
        running.wait_for(lambda: bool(study_pane(running.window).decks), "the decks")
        running.window.actions_["study_export"].trigger()
        settle()
        dialog = running.window.findChild(ExportDialog)
        assert dialog is not None
        for form in ("anki.apkg", "quiz.pdf"):
            dialog.form.setCurrentIndex(dialog.form.findData(form))
            settle()
            pictures.take(running, f"study-export-{form.partition('.')[0]}")
        dialog.reject()


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
