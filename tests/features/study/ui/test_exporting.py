"""Decks are given away from the window: what, in which form, and where to."""

from __future__ import annotations

import csv
import re
import zipfile
from typing import TYPE_CHECKING

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from app.features.study.model.items import Sheet
from app.features.study.model.names import ItemKind
from app.features.study.ui.controller import write_sheet
from app.features.study.ui.export_dialog import OFFERS, ExportDialog
from tests.support.file_dialogs import choose_files
from tests.support.study import BREAD_TITLE, MOON, SCALE, STARTER, TIDES_TITLE, item_on, study_of
from tests.support.study_window import study_controller, study_jobs, study_pane

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from tests.support.running_window import Opener, RunningWindow


@pytest.fixture
def running(open_window: Opener) -> Iterator[RunningWindow]:
    """A window with a card and a quiz question on bread, and a card on tides."""
    running = open_window()
    repository, rag = study_of(running.rag).repository, running.rag
    quiz = item_on(rag, BREAD_TITLE, SCALE, ItemKind.CHOICE, "What matters most?", "A scale", ("An oven",))
    repository.add(repository.deck_of(BREAD_TITLE), [item_on(rag, BREAD_TITLE, STARTER), quiz])
    repository.add(repository.deck_of(TIDES_TITLE), [item_on(rag, TIDES_TITLE, MOON, front="What pulls?")])
    study_jobs(running.window).list_decks().run(running.window)
    running.wait_for(lambda: len(study_pane(running.window).decks) == 2, "the decks")
    yield running


def export(
    running: RunningWindow, monkeypatch: pytest.MonkeyPatch, key: str, path: Path, *, only_bread: bool = True
) -> list[str]:
    """Choose a form in the dialog, and a path; return what the status bar said, once it is done."""
    asked = choose_files(monkeypatch, path)
    study_controller(running.window).show_page("items", BREAD_TITLE)
    running.window.actions_["study_export"].trigger()
    dialog = running.window.findChild(ExportDialog)
    assert dialog is not None
    rows = {dialog.decks.item(row).text(): dialog.decks.item(row) for row in range(dialog.decks.count())}
    assert [rows[title].checkState() for title in (BREAD_TITLE, TIDES_TITLE)] == [
        Qt.CheckState.Checked,
        Qt.CheckState.Unchecked,
    ]
    if not only_bread:
        rows[TIDES_TITLE].setCheckState(Qt.CheckState.Checked)
    dialog.form.setCurrentIndex(dialog.form.findData(key))
    assert dialog.schedule.isVisibleTo(dialog) is (key == "anki.apkg")
    assert dialog.answers.isVisibleTo(dialog) is key.startswith("quiz")
    bar = running.window.statusBar()
    QTest.keyClick(dialog, Qt.Key.Key_Return)
    running.wait_for(lambda: path.name in bar.currentMessage(), "the file to be saved")
    return [*asked, bar.currentMessage()]


def test_a_deck_is_saved_in_the_form_that_is_chosen_and_kept_for_the_next_time(
    running: RunningWindow, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    place, said = export(running, monkeypatch, "anki.apkg", tmp_path / "bread.apkg")
    assert place.endswith(f"{BREAD_TITLE}.apkg")
    assert said == f"The decks were saved as {tmp_path / 'bread.apkg'}."
    assert "collection.anki2" in zipfile.ZipFile(tmp_path / "bread.apkg").namelist()

    export(running, monkeypatch, "csv.csv", tmp_path / "both.csv", only_bread=False)
    with (tmp_path / "both.csv").open(encoding="utf-8-sig", newline="") as file:
        assert [row["course"] for row in csv.DictReader(file)] == [BREAD_TITLE, BREAD_TITLE, TIDES_TITLE]

    running.window.actions_["study_export"].trigger()
    dialog = running.window.findChild(ExportDialog)
    assert dialog is not None
    assert dialog.form.currentData() == "csv.csv"
    for row in range(dialog.decks.count()):
        dialog.decks.item(row).setCheckState(Qt.CheckState.Unchecked)
    assert not dialog.save.isEnabled()
    assert {dialog.form.itemData(row) for row in range(dialog.form.count())} == set(OFFERS)
    dialog.reject()


def test_a_quiz_is_printed_with_its_answers_on_the_next_page(
    running: RunningWindow, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    export(running, monkeypatch, "quiz.pdf", tmp_path / "quiz.pdf")

    content = (tmp_path / "quiz.pdf").read_bytes()
    assert content.startswith(b"%PDF-")
    assert len(re.findall(rb"/Type\s*/Page\b", content)) == 2


def test_each_part_of_a_sheet_begins_a_page(qapp: object, tmp_path: Path) -> None:
    parts = ("# Tides\n\n" + "It *rises*.\n\n" * 3, "## Answers\n\n- one [^1]\n\n[^1]: a", "plain")
    write_sheet(Sheet("Tides", parts), tmp_path / "sheet.pdf")

    pages = re.findall(rb"/Type\s*/Page\b", (tmp_path / "sheet.pdf").read_bytes())
    assert len(pages) == 3
