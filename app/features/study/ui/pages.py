"""Which pages the Study pane has. Their modules are imported when they are first shown."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QCoreApplication

from app.features.study.ui.pane import OVERVIEW

if TYPE_CHECKING:
    from PySide6.QtCore import QSettings

    from app.features.study.model.items import Deck
    from app.features.study.ui.pane import StudyPage, StudyPane
    from app.workers.workers import Workers

tr = partial(QCoreApplication.translate, "StudyPages")


def add_pages(pane: StudyPane, workers: Workers, memory: QSettings) -> None:
    """Offer all pages, in the order of their tabs; ``memory`` keeps how they are used."""

    def overview() -> StudyPage:
        from app.features.study.ui.overview import OverviewPage

        page = OverviewPage(pane)
        page.make_requested.connect(pane.make.click)
        page.review_requested.connect(lambda: review(pane, None))
        page.deck_opened.connect(lambda deck: _open_deck(pane, deck))
        return page

    def items() -> StudyPage:
        from app.features.study.ui.items_page import ItemsPage

        return ItemsPage(pane, workers)

    def guide() -> StudyPage:
        from app.features.study.ui.text_pages import GuidePage

        return GuidePage(workers)

    def glossary() -> StudyPage:
        from app.features.study.ui.text_pages import GlossaryPage

        return GlossaryPage(workers)

    def stale() -> StudyPage:
        from app.features.study.ui.stale_page import StalePage

        return StalePage(workers, lambda: pane.has_model)

    def making() -> StudyPage:
        from app.features.study.ui.making_page import MakingPage

        return MakingPage(workers)

    pane.add_page(OVERVIEW, overview, tr("Decks"))
    pane.add_page("items", items, tr("Cards and quiz"))
    pane.add_page("guide", guide, tr("Study guide"))
    pane.add_page("glossary", glossary, tr("Glossary"))
    pane.add_page("stale", stale)
    pane.add_page("making", making)
    _add_reviews(pane, workers, memory)


def review(pane: StudyPane, deck: Deck | None) -> None:
    """Review what is due in a deck, or in all."""
    from app.features.study.ui.review_page import ReviewPage

    pane.show_page("review")
    page = pane.page("review")
    if isinstance(page, ReviewPage):
        page.review(deck)


def _add_reviews(pane: StudyPane, workers: Workers, memory: QSettings) -> None:
    """Offer the pages that ask items, and that of the progress."""

    def reviews() -> StudyPage:
        from app.features.study.ui.review_page import ReviewPage

        return ReviewPage(pane, workers, memory)

    def quiz() -> StudyPage:
        from app.features.study.ui.quiz_page import QuizPage

        return QuizPage(pane, workers)

    def progress() -> StudyPage:
        from app.features.study.ui.progress_page import ProgressPage

        return ProgressPage(workers)

    pane.add_page("review", reviews)
    pane.add_page("quiz", quiz)
    pane.add_page("progress", progress, tr("Progress"))


def _open_deck(pane: StudyPane, deck: Deck) -> None:
    pane.choose_deck(deck.uid)
    pane.show_page("items")
    pane.focus_first()
