"""The page that the chat shows before the first question."""

from collections.abc import Callable, Sequence
from functools import partial
from itertools import pairwise

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QFrame, QPushButton, QScrollArea, QWidget

from app.domain.courses import LibraryCounts
from app.ui.widgets.building import Cell, FlowLayout, Stretch, hbox, link_button, push_button, vbox
from app.ui.widgets.numbers import courses_text
from app.ui.widgets.text_labels import IconLabel, WrappingButton, plain_label

_WIDTH = 560


class Welcome(QScrollArea):
    """Greets, sums up the library, and suggests questions; of a new library, offers ways to begin.

    As long as no model writes answers, it offers the ways to one, until that is skipped for good.
    """

    suggestion_clicked = Signal(str)
    samples_requested = Signal()
    folder_requested = Signal()
    ways_skipped = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.offers_ways = False
        self._buttons: list[WrappingButton] = []
        picture = IconLabel(48, "app")
        picture.setAccessibleName("Lectern")
        self._summary = plain_label("", "muted")
        self._try = plain_label(self.tr("Try asking"), "caption", wrap=False)
        self._try.hide()
        self._list = vbox(spacing=8)
        self.setWidgetResizable(True)
        self.setFrameShape(QScrollArea.Shape.NoFrame)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        middle = QWidget(maximumWidth=_WIDTH)
        self._title = plain_label("", "title")
        texts = picture, 8, self._title, self._summary, 16
        beginnings = self._beginnings(), self._try, self._list, 8, self._ways_card()
        items = (Stretch(2), *texts, *beginnings, Stretch(3))
        vbox(*items, margins=(0, 24, 0, 24), spacing=8, parent=middle)
        page = QWidget()
        hbox(Stretch(), Cell(middle, 100), Stretch(), margins=(24, 0, 24, 0), parent=page)
        self.setWidget(page)
        self._greet(self.tr("What would you like to understand?"), "")

    def set_library(
        self,
        counts: LibraryCounts,
        *,
        is_new: bool = False,
        adding_samples: bool = False,
    ) -> None:
        """Sum up the library; ``is_new`` if it has never held a course."""
        title = self.tr("What would you like to understand?")
        if counts.courses:
            summary = self.tr(
                "Ask about {courses} in your own words. "
                "Every claim in an answer is checked against your files."
            ).format(courses=courses_text(counts.courses))
        elif adding_samples:
            summary = self.tr("Adding the sample courses…")
        elif is_new:
            title = self.tr("Welcome to Lectern")
            summary = self.tr(
                "Ask about your course material in your own words. "
                "Each answer shows the passages it comes from, so that you can check it."
            )
        else:
            summary = self.tr(
                "Your library is empty. Add a folder of course material, or drop files on this window, "
                "then ask about it in your own words."
            )
        self._greet(title, summary)
        self._begin.setVisible(is_new and not counts.courses and not adding_samples)

    def set_suggestions(self, questions: Sequence[str]) -> None:
        wanted = list(questions)
        if wanted == [button.accessibleName() for button in self._buttons]:
            return
        for old in self._buttons:
            old.setParent(None)  # gone now, not at the end of this turn
            old.deleteLater()
        self._buttons = [WrappingButton(question) for question in wanted]
        for button, question in zip(self._buttons, wanted, strict=True):
            button.setProperty("kind", "suggestion")
            button.setCursor(Qt.CursorShape.PointingHandCursor)
            button.clicked.connect(partial(self.suggestion_clicked.emit, question))
            self._list.addWidget(button)
        self._try.setVisible(bool(wanted))

    def _greet(self, title: str, summary: str) -> None:
        self._title.setText(title)
        self._summary.setText(summary)

    def _beginnings(self) -> QWidget:
        """Return the ways to begin with a new library, hidden."""
        text = self.tr("Try it with the sample courses")
        self.samples = push_button(text, self.samples_requested.emit, "primary")
        self.folder = push_button(self.tr("Choose your folder…"), self.folder_requested.emit)
        self._begin = QWidget()
        self._begin.setLayout(FlowLayout(8, self.samples, self.folder))
        self._begin.hide()
        return self._begin

    def add_beginning(self, text: str, run: Callable[[], object]) -> None:
        """Offer another way to begin with a new library."""
        layout = self._begin.layout()
        assert layout is not None
        button = link_button(text, run)
        layout.addWidget(button)
        QWidget.setTabOrder(self.folder, button)

    def place_ways(self, ways: QWidget) -> None:
        """Take the list of the ways to a model."""
        self._ways.addWidget(ways)
        for before, after in pairwise((self.skip, *ways.findChildren(QPushButton))):
            QWidget.setTabOrder(before, after)

    def offer_ways(self, lacks_model: bool) -> None:
        """Offer the ways to a model where there is none."""
        self._card.setVisible(lacks_model and self.offers_ways)

    def _ways_card(self) -> QWidget:
        """Return the offer of the ways to a model, hidden."""
        title = plain_label(self.tr("Written answers (optional)"), "strong")
        text = plain_label(self.tr("Without a model, you get the sentences that fit best."), "muted")
        self.skip = link_button(self.tr("Not now"), self._skip_ways)
        self.skip.setAccessibleDescription(title.text())
        self._ways = vbox()
        self._card = QFrame()
        self._card.setProperty("panel", "card")
        head = hbox(Cell(title, 1), self.skip)
        vbox(head, text, 6, self._ways, parent=self._card, margins=(12, 10, 12, 12), spacing=4)
        self._card.hide()
        return self._card

    def _skip_ways(self) -> None:
        self.offers_ways = False
        self.ways_skipped.emit()
