"""What hinders a publication is said, and what was published by others is replaced only when asked."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from app.domain.shared import ServerState
from app.ui.widgets import show_dialogs as show
from tests.support.chroma_server import ChromaProxy, Fault
from tests.support.courses import ingest, library, write_courses
from tests.support.publishing import publish
from tests.support.shared_window import controller_of

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from app.domain.shared import ServerAddress
    from app.features.shared.ui.publish_dialog import PublishDialog
    from tests.support.courses import KeptEmbedder
    from tests.support.running_window import Opener, RunningWindow

pytestmark = pytest.mark.slow

INK = "A Short History of Ink"


@pytest.fixture
def proxy(chroma_database: ServerAddress) -> Iterator[ChromaProxy]:
    with ChromaProxy(chroma_database.url) as running:
        yield running


def publishing(running: RunningWindow) -> PublishDialog:
    dialog = controller_of(running).publishing
    assert dialog is not None
    return dialog


def test_courses_of_others_are_replaced_only_when_asked_and_failures_are_said(
    open_window: Opener,
    proxy: ChromaProxy,
    chroma_database: ServerAddress,
    tmp_path: Path,
    embedder: KeptEmbedder,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    with library(tmp_path / "colleague", embedder, index=False) as colleague:
        ingest(colleague, write_courses(tmp_path / "theirs"))
        publish(colleague, chroma_database, INK)
    running = open_window()
    controller_of(running).operations.subscribe(proxy.address_of(chroma_database), "").run(running.window)
    controller = controller_of(running)
    running.wait_for(lambda: bool(controller.libraries), "the subscription")
    controller.publish()
    dialog = publishing(running)
    controller.publish()
    assert publishing(running) is dialog, "one at a time"
    assert dialog.form.chosen() == proxy.address_of(chroma_database)
    item = dialog.list.topLevelItem(0)
    assert item is not None and item.text(0) == INK
    item.setCheckState(0, item.checkState(0).Checked)

    proxy.fault = Fault(status=401)
    dialog.publish.click()
    assert controller.is_busy
    running.wait_for(lambda: not dialog.is_publishing, "the failure")
    assert "token" in dialog.state.text() and dialog.publish.text() == "Resume"
    proxy.fault = None

    answers, asked = [False, True], []

    def confirm(*arguments: object) -> bool:
        asked.append(str(arguments[2]))
        return answers.pop(0)

    monkeypatch.setattr(show, "confirm", confirm)
    dialog.publish.click()
    running.wait_for(lambda: not dialog.is_publishing, "the refusal")
    assert len(asked) == 1 and asked[0].endswith(INK) and item.text(1) == "not published"
    dialog.publish.click()
    running.wait_for(lambda: dialog.state.text().startswith("Published."), "the course in its place")
    assert item.text(1) == "unchanged", "both have the same text"
    dialog.accept()
    assert controller.publishing is None and not controller.is_busy
    running.wait_for(lambda: controller.libraries[0].state is ServerState.READY, "the server asked again")
