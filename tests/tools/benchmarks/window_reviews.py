"""A session of reviews in the window, as fast as the keyboard, for ``tests.tools.benchmarks.stalls``."""

from __future__ import annotations

from itertools import cycle
from typing import TYPE_CHECKING, cast

from app.domain.scope import only_course
from app.features.study.model.items import NewItem
from app.features.study.model.names import ItemKind, ItemText
from app.features.study.model.reviews import Rating
from tests.support.study import study_of
from tests.support.study_window import study_controller, study_jobs, study_pane

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from app.features.study.ui.review_page import ReviewPage
    from tests.support.running_window import RunningWindow


def make_cards(running: RunningWindow, number: int) -> str:
    """Make cards with code and formulas; return the title of their course."""
    title = running.rag.courses.all()[0].title
    study = study_of(running.rag).repository
    study.add(study.deck_of(title), list(_cards(running, title, number)))
    study_jobs(running.window).list_decks().run(running.window)
    running.wait_for(lambda: bool(study_pane(running.window).decks), "the deck")
    return title


def review(running: RunningWindow, title: str, number: int, pause: Callable[[int], None]) -> None:
    """Review cards, take some reviews back, and look at the progress and at the list of cards."""
    study_controller(running.window).review(title)
    page = cast("ReviewPage", study_pane(running.window).page("review"))
    running.wait_for(lambda: page.session.card is not None, "a card")
    for at in range(number):
        pause(30)
        page.answer()
        pause(30)
        page.rate(Rating.EASY)
        if at % 10 == 5:
            page.session.undo()
        running.wait_for(lambda: page.session.card is not None or page.session.is_over, "what is next")
    for name in ("progress", "items"):
        study_controller(running.window).show_page(name)
        pause(800)  # meanwhile the decks are counted again


def _cards(running: RunningWindow, title: str, number: int) -> Iterator[NewItem]:
    search = running.rag.search
    for at, hit in zip(range(number), cycle(search.whole(only_course(title), 1_000_000)), strict=False):
        source = search.make_source(1, hit)
        start, end = source.sentences[0]
        asked = f"What is $x_{{{at}}}$ after this?\n\n```python\nx = [{at}]\n```"
        text = ItemText(asked, f"$$\\frac{{{at}}}{{n}}$$")
        yield NewItem(ItemKind.CARD, text, source, start, end, source.text(start, end))
