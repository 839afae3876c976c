"""The pages of the settings dialog, but for that of answers."""

from functools import partial

from PySide6.QtCore import QSignalBlocker
from PySide6.QtWidgets import QPushButton, QSpinBox, QWidget

from app.config.settings import LIMITS
from app.ui.settings.embedding_model_field import EmbeddingModelField
from app.ui.settings.page import Page
from app.ui.widgets.messages import offered_languages
from app.ui.widgets.theme import TEXT_SIZES


class LibraryPage(Page):
    """How files are kept."""

    def build(self) -> None:
        tr = self.tr
        about = tr("Files you add, edit or delete there are updated in Lectern automatically.")
        self.check("sync_folders", tr("Folders"), tr("Watch my folders"), about)
        about = tr("Once everything else is read, on this computer; a page takes a few seconds.")
        self.check("recognize_text", tr("Scans"), tr("Recognize text in scanned pages"), about)
        about = tr("Disk space for backups: 7 daily, 4 weekly, 3 monthly.")
        self.number("backup_gigabytes", tr("Backups"), about, unit=tr(" GB"), none=tr("No backups"))
        for link in self.live.links:
            button = QPushButton(link.action, autoDefault=False)
            button.clicked.connect(partial(self.live.link_chosen.emit, link))
            self._section.add(link.title, button, link.about)


class AppearancePage(Page):
    """What the window looks like."""

    def build(self) -> None:
        tr = self.tr
        themes = {"system": tr("Match system"), "light": tr("Light"), "dark": tr("Dark")}
        self.choice("theme", tr("Theme"), themes, tr("Light or dark colours."))
        wanted = sorted({*TEXT_SIZES, self.live.wanted.text_size})
        sizes = {size: tr("{0}%").format(size) for size in wanted}
        self.choice("text_size", tr("Text size"), sizes, tr("In the window, answers and lessons."))
        still = tr(
            "Progress bars stay still while you wait. "
            "On Windows and macOS, the system's setting does this, too."
        )
        self.check("reduce_motion", tr("Motion"), tr("Reduce motion"), still)
        about = tr("Only while you work in another window.")
        self.check("notify", tr("Notifications"), tr("Tell me when reading or an answer ends"), about)


class LanguagesPage(Page):
    def build(self) -> None:
        languages = {"": self.tr("Match system"), **offered_languages()}
        about = self.tr("Takes effect when you restart Lectern.")
        self.choice("language", self.tr("Language"), languages, about)
        self.model = EmbeddingModelField(self.live.in_effect.embedding_model)
        self._section.add_tall(self.model.row)
        self.settings.append("embedding_model")
        self.model.changed.connect(self._change_model)
        self.model.chosen.connect(self.live.model_check_requested)

    def show_settings(self) -> None:
        super().show_settings()
        self.model.show_value(self.live.wanted.embedding_model, self.live.in_effect.embedding_model)

    def unfinished(self) -> QWidget | None:
        self.model.finish()
        return self.model if self.model.row.failed else None

    def put_back(self) -> bool:
        if self.model.value == self.live.wanted.embedding_model and not self.model.row.failed:
            return False
        self.live.change(embedding_model=self.live.in_effect.embedding_model)
        self.show_settings()
        return True

    def _change_model(self) -> None:
        self.live.change(embedding_model=self.model.value)


class AdvancedPage(Page):
    """What few people need to change."""

    def build(self) -> None:
        tr = self.tr
        about = tr("Lectern searches before it asks the model, so most answers take one request, not two.")
        self.check("send_passages", tr("Faster answers"), tr("Send passages along"), about)
        about = tr(
            "What Lectern cannot confirm by itself is put to the cheapest model, in one small request."
        )
        self.check("second_look", tr("Second look"), tr("Check doubtful claims with a model"), about)
        about = tr(
            "If you restrict a question to courses or lessons up to this length, the model gets all of their "
            "text. The price is shown before you ask."
        )
        tokens = tr(" tokens")
        self.number(
            "whole_scope_tokens", tr("Whole lessons"), about, unit=tokens, step=1000, none=tr("Never")
        )
        about = tr("Earlier questions and answers sent with each question.")
        self.number("exchanges_remembered", tr("Memory"), about)
        about = tr("More passages give the model more to work with, but cost more and take longer.")
        self.number("passages_per_search", tr("Passages per search"), about)
        about = tr("Texts are split into passages of about this length, at sentence ends.")
        self._size = self.number("chunk_size", tr("Passage length"), about, unit=tr(" characters"), step=100)
        about = tr("How much a passage repeats of the one before; at most half its length.")
        self._overlap = self.number("chunk_overlap", tr("Overlap"), about, unit=tr(" characters"), step=10)

    def update_rows(self) -> None:
        wanted, in_effect, overlap = self.live.wanted, self.live.in_effect, self._overlap.field
        assert isinstance(overlap, QSpinBox)
        with QSignalBlocker(overlap):
            overlap.setMaximum(min(LIMITS["chunk_overlap"][1], wanted.chunk_size // 2))
        for row, changed in (
            (self._size, wanted.chunk_size != in_effect.chunk_size),
            (self._overlap, wanted.chunk_overlap != in_effect.chunk_overlap),
        ):
            if changed:
                row.warn(
                    self.tr("When you close the settings, all files are read again. That may take a while.")
                )
            else:
                row.help()
