"""A feature can be struck from the list: all that belongs to it is gone, and the rest works."""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING

import pytest

from app.cli.arguments import build_parser
from app.main import FEATURES
from tests.support.courses import ingest, library, write_courses
from tests.support.running_window import RunningWindow

if TYPE_CHECKING:
    from pathlib import Path

    from pytestqt.qtbot import QtBot

    from app.features.feature import Feature
    from tests.support.courses import KeptEmbedder

LISTS = [(), *((feature,) for feature in FEATURES)]
NAMES = ["none", *(feature.name for feature in FEATURES)]

MARKS = {  # a menu command and a section of the guide of each
    "study": ("study_make", "Learning"),
    "teaching": ("map_questions", "What was taught"),
    "shared": ("shared_libraries", "A library for a class"),
    "keeping": ("trash", "Backing up and moving"),
}

some_features = pytest.mark.parametrize("features", LISTS, ids=NAMES)


@pytest.mark.qt_log_ignore("does not support raise")
@some_features
def test_the_window_answers(
    features: tuple[Feature, ...],
    qtbot: QtBot,
    tmp_path: Path,
    model_cache: Path,
    embedder: KeptEmbedder,
) -> None:
    with library(tmp_path / "data", embedder) as rag:
        ingest(rag, write_courses(tmp_path))
    running = RunningWindow(tmp_path, model_cache, embedder=embedder, features=features)
    running.open()
    try:
        running.wait_until_ready(samples=False)
        running.ask("What lives in a sourdough starter?")
        assert "wild yeast" in running.window.chat.transcript.toPlainText()
        running.window.help_controller.show_guide()
        guide = running.window.help_controller.guide
        assert guide is not None
        running.wait_for(lambda: guide.sections.count() > 5, "the guide")
        sections = {guide.sections.item(row).text() for row in range(guide.sections.count())}
        shown = {action.objectName() for _, _, action in running.window.actions_.commands()}
        running.window.open_settings()
        dialog = running.window.settings_controller.dialog
        assert dialog is not None
        links = [link.title for link in dialog.draft.links]
        dialog.close()
    finally:
        running.close()
    names = {feature.name for feature in features}
    assert ("study" in running.window.settings_controller.pages) == ("study" in names)
    for name, (command, section) in MARKS.items():
        assert (command in shown) == (name in names), name
        assert (section in sections) == (name in names), name
    kept = ["Export", "Import", "Restore"] if "keeping" in names else []
    assert sorted(links) == sorted([*kept, *(["Servers"] if "shared" in names else []), "Remove"])


@some_features
def test_the_command_line_has_the_commands_of_its_features_alone(
    features: tuple[Feature, ...], capsys: pytest.CaptureFixture[str]
) -> None:
    parser = build_parser([command for feature in features for command in feature.commands])
    for feature in FEATURES:
        for command in feature.commands:
            with pytest.raises(SystemExit) as left:
                parser.parse_args([*command.name.split(), "--help"])
            assert left.value.code == (0 if feature in features else 2), command.name
    capsys.readouterr()


def test_each_command_of_a_feature_names_a_function() -> None:
    for feature in FEATURES:
        for command in feature.commands:
            module, _, name = command.run.partition(":")
            assert callable(getattr(importlib.import_module(module), name)), command.run
