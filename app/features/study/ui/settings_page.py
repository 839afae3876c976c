"""The page of the settings on reviews."""

from app.ui.settings.page import Page


class ReviewsPage(Page):
    """How items are reviewed."""

    def build(self) -> None:
        tr = self.tr
        about = tr("New cards per deck per day.")
        self.number("new_cards_a_day", tr("New cards"), about, none=tr("None"))
        about = tr("Maximum reviews per deck per day. New cards don't count.")
        self.number("reviews_a_day", tr("Reviews"), about, step=10, none=tr("None"))
        about = tr("Share of cards you aim to recall. Higher means more reviews.")
        self.number("retention", tr("Retention"), about, unit=tr(" percent"))
