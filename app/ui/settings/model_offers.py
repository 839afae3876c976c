"""Offers of models for answers and for searching, and the button that names the one in use."""

import re
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

from PySide6.QtCore import QObject, QSettings, Signal
from PySide6.QtGui import QAction, QActionGroup
from PySide6.QtWidgets import QMenu, QWidget

from app.config.settings import Settings
from app.domain.embedding_models import MULTILINGUAL, MULTILINGUAL_MEGABYTES
from app.ui.chat.composer import QuietButton
from app.ui.widgets.bars import OfferBar
from app.workers.job import Job, Lane
from app.workers.workers import Workers

_ASKED = 5  # questions looked at for their language
_OFFERED = "languages-offered"


class ModelOffers(QObject):
    """Looks at the library after it has changed, and shows its offers in ``bar``.

    ``memory`` keeps from run to run that the model for all languages was offered.
    """

    resume_requested = Signal()

    def __init__(
        self, bar: OfferBar, workers: Workers, settings: Callable[[], Settings], memory: QSettings
    ) -> None:
        super().__init__(bar)
        self._bar = bar
        self._workers = workers
        self._settings = settings
        self._memory = memory
        self._take: Callable[[], None] = self._choose_languages
        self._reason = ""
        self._was_offered = False  # to resume, since the last attempt
        self._put_off = False  # an offer was withdrawn that was neither taken nor dismissed
        self._looking: Job[tuple[bool, bool]] | None = None
        bar.accepted.connect(lambda: self._take())

    def look(self) -> None:
        """Ask the library what it needs, unless files are being read; then call ``withdraw``."""
        self._stop_looking()
        if self._workers.is_running:
            # What keeps it from looking is reported by what the user asks for.
            looking = self._workers.job(
                Lane.READ,
                "Looking at the library",
                lambda rag, _: (
                    rag.reindex.needed(),
                    rag.reindex.wants_all_languages(
                        [hit.snippet for hit in rag.conversations.recent_questions(_ASKED)]
                    ),
                ),
                key="library",
            )
            self._looking = looking.run(self, success=self._offer, failure=lambda _: None)

    def note_failure(self, reason: str) -> None:
        """Give the reason when an offer to resume is made."""
        self._reason = reason

    def withdraw(self) -> None:
        """Offer nothing: the settings have changed, or the library is being worked on."""
        self._stop_looking()
        self._reason = ""
        self._was_offered = False
        self._put_off |= not self._bar.isHidden()
        self._bar.hide()

    def _stop_looking(self) -> None:
        if self._looking is not None:
            self._looking.drop()
        self._looking = None

    def _offer(self, needs: tuple[bool, bool]) -> None:
        needs_reindex, needs_languages = needs
        again, self._put_off = self._put_off, False
        if needs_reindex:
            if self._was_offered:
                return  # and perhaps dismissed
            self._was_offered = True
            self._take = self.resume_requested.emit
            text = self.tr("The new search model isn't ready for all files yet. You can search meanwhile.")
            self._bar.offer(self._reason or text, self.tr("Resume"))
        elif needs_languages and (again or not self._memory.contains(_OFFERED)):
            self._memory.setValue(_OFFERED, "true")
            self._take = self._choose_languages
            text = self.tr(
                "Much of what you read or ask is not in English. The model for all languages finds more. "
                "It is downloaded once (about {0} MB)."
            )
            self._bar.offer(text.format(MULTILINGUAL_MEGABYTES), self.tr("Use it"))
        elif not needs_languages:
            self._bar.hide()

    def _choose_languages(self) -> None:
        before = self._settings()
        chosen = replace(before, embedding_model=MULTILINGUAL)
        self._workers.library.save_settings(chosen, before=before).run(self)


_CLAUDE = re.compile(r"claude-([a-z]{1,20})-(\d{1,2})(?:-(\d{1,2}))?(?:-\d{8})?")


def model_name(model_id: str) -> str:
    """Return what people call a model whose name the server has not told."""
    if (parts := _CLAUDE.fullmatch(model_id)) is None:
        path = Path(model_id)
        return path.stem if path.is_absolute() else model_id
    family, major, minor = parts.groups()
    return f"Claude {family.title()} {major}{f'.{minor}' if minor else ''}"


class ModelButton(QuietButton):
    """Its menu holds the server's known models, and other ways that are ready."""

    frame = 28  # with the arrow

    chosen = Signal(str)  # the id of a model
    opened = Signal()  # list the models, if they are not known
    settings_requested = Signal()

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self._models = QActionGroup(self)
        self._models.triggered.connect(self._choose)
        self._ways: list[QAction] = []
        menu = QMenu(self)
        menu.aboutToShow.connect(self.opened)
        self._settings = menu.addAction("")
        self._settings.triggered.connect(self.settings_requested)
        self.setMenu(menu)

    def show_model(self, name: str, *, can_answer: bool) -> None:
        """Show the model, or that there is none and answers are passages."""
        if can_answer:
            tip = self.tr("Answers are written by {0}.").format(name)
        else:
            name = self.tr("Search only")
            tip = self.tr("You get the sentences that fit best. A model writes answers.")
        self._settings.setText(self.tr("Settings…") if can_answer else self.tr("Set up…"))
        self.show_words(name, self.tr("Model: {0}").format(name), tip)

    def offer(self, models: tuple[tuple[str, str], ...], model_id: str) -> None:
        """Fill the menu with the ids and names of models, of which one is in use."""
        menu = self.menu()
        for old in self._models.actions():
            self._models.removeAction(old)
            menu.removeAction(old)
            old.deleteLater()
        for offered, name in models:
            action = QAction(
                name.replace("&", "&&"), self._models, checkable=True, checked=offered == model_id
            )
            action.setData(offered)
            menu.insertAction([*self._ways, self._settings][0], action)

    def offer_ways(self, ways: Sequence[tuple[str, Callable[[], object]]]) -> None:
        """Add what can be used at once instead: its name, and what puts it to use."""
        menu = self.menu()
        for old in self._ways:
            menu.removeAction(old)
            old.deleteLater()
        self._ways = [QAction(name, menu) for name, _ in ways]
        for action, (_, use) in zip(self._ways, ways, strict=True):
            action.triggered.connect(use)
        menu.insertActions(self._settings, self._ways)

    def _choose(self, action: QAction) -> None:
        self.chosen.emit(action.data())
