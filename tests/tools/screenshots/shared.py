"""Pictures of libraries on servers, on a real one, for ``tests.tools.screenshots``."""

from __future__ import annotations

import tempfile
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt

from app.core.embedding.embedder import Embedder
from app.domain.shared import ServerState
from app.features.shared.model import PublishProgress
from tests.support.chroma_server import ChromaProxy, ChromaServer, Fault
from tests.support.courses import ingest, library, write_courses
from tests.support.publishing import publish, write_harbour
from tests.support.shared_window import controller_of
from tests.tools.screenshots.pictures import MODEL_CACHE, settle

if TYPE_CHECKING:
    from collections.abc import Iterator

    from app.domain.shared import ServerAddress
    from tests.support.running_window import RunningWindow
    from tests.tools.screenshots.pictures import Pictures

_TIDES, _HARBOUR = "Tides and Currents", "Harbour Pilots"


def shared_states(pictures: Pictures) -> None:
    """Subscribe to a teacher's library, lose its server, get it back, publish."""
    with (
        tempfile.TemporaryDirectory() as folder,
        _teacher(Path(folder)) as (server, proxy),
        pictures.window() as (running, own),
    ):
        _subscribe(pictures, running, server)
        _states(pictures, running, proxy)
        running.window.ingest_controller.read([write_harbour(own)])
        running.wait_for(
            lambda: running.window.sidebar.tree.courses.find(_HARBOUR).isValid(), "an own course"
        )
        _publish(pictures, running)


@contextmanager
def _teacher(folder: Path) -> Iterator[tuple[ServerAddress, ChromaProxy]]:
    """Run a server that holds three courses, behind a proxy that can fail."""
    (folder / "chroma").mkdir()
    with ChromaServer(folder / "chroma") as chroma:
        address = chroma.new_database()
        with library(folder / "teacher", Embedder(None, MODEL_CACHE)) as rag:
            ingest(rag, write_courses(folder / "courses"))
            publish(rag, address)
        with ChromaProxy(chroma.url) as proxy:
            yield proxy.address_of(address), proxy


def _subscribe(pictures: Pictures, running: RunningWindow, address: ServerAddress) -> None:
    controller = controller_of(running)
    controller.open()
    pictures.take(running, "shared-none")
    controller.subscribe()
    dialog = controller.dialog
    assert dialog is not None
    pictures.take(running, "shared-subscribe")
    form = dialog.form
    form.address.setText("http://chroma.example.lan:8000")
    form.token.setText("not-a-real-one")
    form.more.click()
    pictures.take(running, "shared-subscribe-more")
    form.address.setText(replace(address, url="http://127.0.0.1:9").url)
    dialog.subscribe.click()
    running.wait_for(lambda: "9" in dialog.about.text() and dialog.subscribe.isEnabled(), "the refusal")
    pictures.take(running, "shared-subscribe-refused")
    form.address.setText(address.url)
    form.database.setText(address.database)
    dialog.subscribe.click()
    running.wait_for(dialog.list.isVisible, "the subscription")
    pictures.take(running, "shared-ready")
    dialog.accept()
    settle()


def _states(pictures: Pictures, running: RunningWindow, proxy: ChromaProxy) -> None:
    window, controller = running.window, controller_of(running)
    window.side.show_course(_TIDES)
    pictures.take(running, "shared-sidebar")
    window.sidebar.lesson_requested.emit(_TIDES, 2, "Spring tides and neap tides")
    running.wait_for(lambda: bool(window.sources.reading.text.toPlainText()), "the lesson")
    pictures.take_with_sources(running, "shared-lesson")
    window.actions_["sources"].setChecked(False)
    for name, fault in (
        ("away", Fault(status=503)),
        ("refused", Fault(status=403)),
    ):
        proxy.fault = fault
        controller.open()
        assert controller.dialog is not None
        controller.check(controller.libraries[0].address)
        wanted = ServerState(name)
        running.wait_for(lambda wanted=wanted: controller.libraries[0].state is wanted, name)  # type: ignore[misc]
        pictures.take(running, f"shared-{name}")
        controller.dialog.accept()
        settle()
    pictures.take(running, "shared-sidebar-refused")
    proxy.fault = None
    controller.check(controller.libraries[0].address)
    running.wait_for(lambda: controller.libraries[0].state is ServerState.READY, "the server")


def _publish(pictures: Pictures, running: RunningWindow) -> None:
    controller = controller_of(running)
    controller.publish()
    dialog = controller.publishing
    assert dialog is not None
    pictures.take(running, "shared-publish")
    for at in range(dialog.list.topLevelItemCount()):
        item = dialog.list.topLevelItem(at)
        assert item is not None
        item.setCheckState(0, Qt.CheckState.Checked)
    dialog.publish.click()
    title = dialog.chosen[0] if dialog.chosen else _TIDES
    dialog.show_event(PublishProgress(title, 120, 400))
    pictures.take(running, "shared-publishing")
    running.wait_for(lambda: not dialog.is_publishing, "the end")
    pictures.take(running, "shared-published")
    dialog.accept()
