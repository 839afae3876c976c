"""What every test may use."""

from __future__ import annotations

import gc
import os
import shutil
import signal
import sys
import tempfile
import threading
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from filelock import FileLock
from PySide6.QtCore import QCoreApplication, QEvent
from pytestqt.qtbot import QtBot

from app.core import rag_system
from app.core.documents import reading
from app.core.embedding.model_files import find_model, folder_to_export
from app.core.sandbox import Sandbox
from app.domain.cancel import CancelToken
from app.startup.imports import CoreImport, LateImport
from app.ui.widgets.messages import install_translations
from app.workers.chat_loop import ChatLoop
from app.workers.job import JobThread
from tests.support import pseudo_language
from tests.support.anthropic_server import AnthropicServer
from tests.support.chroma_server import ChromaServer
from tests.support.courses import KeptEmbedder, ingest, library, write_courses
from tests.support.kept_sandbox import KeptSandbox
from tests.support.other_model import make_other_model
from tests.support.running_window import Opener, RunningWindow

if TYPE_CHECKING:
    from collections.abc import Iterator

    from PySide6.QtCore import QThread
    from PySide6.QtWidgets import QApplication

    from app.core.rag_system import RAGSystem
    from app.domain.shared import ServerAddress

# Windows are real but drawn off screen, unless the caller wants to see them.
os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

# Libraries wait for their disk at each commit: in memory, where there is plenty, tests take half the time.
_MEMORY = Path("/dev/shm")
if (
    "TMPDIR" not in os.environ
    and _MEMORY.is_dir()
    and shutil.disk_usage(_MEMORY).free > 8 * 2**30
    and not os.statvfs(_MEMORY).f_flag & os.ST_NOEXEC
):
    os.environ["TMPDIR"] = tempfile.tempdir = str(_MEMORY)

_PATIENCE_MS = 90_000  # an idle computer needs less than a fiftieth

# Texts, numbers and dates as tests expect them, whatever language the system speaks.
os.environ["LC_ALL"] = "C.UTF-8"
os.environ.pop("LANGUAGE", None)

# Before keyring is first imported: no test may find, or leave, a key in a real keychain.
os.environ["PYTHON_KEYRING_BACKEND"] = "keyring.backends.fail.Keyring"


def pytest_configure() -> None:
    """Let tests wait on a busy computer, and interrupt processes wherever this one was started.

    A process started in the background of a shell (``make test &``) ignores ``SIGINT``, one started by
    ``nohup`` ignores ``SIGHUP``, and so do their children.
    """
    for wait in (QtBot.waitUntil, QtBot.waitActive, QtBot.waitExposed, QtBot.waitSignal):
        wait.__kwdefaults__ = {**(wait.__kwdefaults__ or {}), "timeout": _PATIENCE_MS}
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.default_int_handler)
    if hasattr(signal, "SIGHUP") and signal.getsignal(signal.SIGHUP) is signal.SIG_IGN:
        signal.signal(signal.SIGHUP, signal.SIG_DFL)
    if threading.gettrace() is not None:  # coverage follows Python's threads by itself, but not Qt's
        for kind in (JobThread, ChatLoop, CoreImport, LateImport):
            _trace(kind)


def pytest_collection_finish() -> None:
    """Let collections of garbage pass over what is imported by now: it stays, and is most of all."""
    gc.collect()
    gc.freeze()


def pytest_runtest_logfinish() -> None:
    """Delete the windows that the test has closed: each change of the application's style costs all of them.

    They would stay until an event loop runs, which is not the same as handling events.
    """
    if QCoreApplication.instance() is not None:
        QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)


def _trace(kind: type[QThread]) -> None:
    run = kind.run

    def traced(self: QThread) -> None:
        sys.settrace(threading.gettrace())
        run(self)

    kind.run = traced  # type: ignore[method-assign]


@pytest.fixture(scope="session")
def model_cache() -> Path:
    """The cache directory with the exported embedding model, kept from one run to the next.

    The first run exports the model into it, which takes some ten seconds.
    """
    chosen = os.environ.get("LECTERN_TEST_MODEL_CACHE")
    folder = Path(chosen) if chosen else Path(__file__).parent.parent / "build" / "test-model-cache"
    folder.mkdir(parents=True, exist_ok=True)
    if not find_model(None, folder.absolute()).graph.is_dir():
        first = KeptEmbedder(None, folder.absolute())
        first.prepare(CancelToken())
        first.release()
    os.environ["LECTERN_CACHE_DIR"] = str(folder.absolute())
    return folder.absolute()


@pytest.fixture(autouse=True)
def own_places(monkeypatch: pytest.MonkeyPatch, tmp_path: Path, model_cache: Path) -> None:
    """Keep the user's own settings, library and model server out of every test."""
    for name in list(os.environ):
        own = ("LECTERN_MODEL", "LECTERN_DATA_DIR", "LECTERN_CHROMA_TOKEN")
        if name.startswith("ANTHROPIC_") or name in own:
            monkeypatch.delenv(name)
    monkeypatch.setenv("LECTERN_CONFIG_DIR", str(tmp_path / "config"))
    monkeypatch.setenv("LECTERN_CACHE_DIR", str(model_cache))


@pytest.fixture(scope="session", autouse=True)
def kept_children() -> Iterator[None]:
    """Let processes that read files, and those for what is looked at, stay for the next test."""
    with pytest.MonkeyPatch.context() as patch:
        for module in (rag_system, reading):
            patch.setattr(module, "Sandbox", KeptSandbox)
        yield
    KeptSandbox.end_idle()


@pytest.fixture
def own_children(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let processes that read files end with what started them, as they do in the program."""
    KeptSandbox.end_idle()
    monkeypatch.setattr(reading, "Sandbox", Sandbox)


@pytest.fixture(scope="session")
def sandbox() -> Iterator[Sandbox]:
    """A child process for pictures and formulas, for all tests."""
    with Sandbox("shared") as sandbox:
        yield sandbox


@pytest.fixture
def no_collections() -> Iterator[None]:
    """Put off collections of garbage, which take longer the more other tests have left behind."""
    gc.disable()
    yield
    gc.enable()


@pytest.fixture(scope="session")
def embedder(model_cache: Path) -> Iterator[KeptEmbedder]:
    """The real embedding model, loaded once."""
    embedder = KeptEmbedder(None, model_cache)
    embedder.prepare(CancelToken())
    yield embedder
    embedder.release()


@dataclass(frozen=True, slots=True)
class OtherModel:
    """Another embedding model, and a cache with the graph of the default one, to export it into."""

    folder: Path
    cache: Path


@pytest.fixture(scope="session")
def other_model(
    tmp_path_factory: pytest.TempPathFactory, model_cache: Path, embedder: KeptEmbedder
) -> OtherModel:
    """A small model of its own length of vectors; it is exported by whoever needs it first.

    Workers share its folder: PyTorch, which makes it, takes many seconds to be imported.
    """
    place = tmp_path_factory.mktemp("other")
    default = find_model(None, model_cache)
    graph = find_model(None, place / "cache").graph
    if not default.packaged:
        shutil.copytree(default.graph, graph)
    made = place.parent.parent / "other" if "PYTEST_XDIST_WORKER" in os.environ else place
    with FileLock(made.with_name("other.lock")):
        if not (made / "model").is_dir():
            make_other_model(made, folder_to_export(default))
    return OtherModel(made / "model", place / "cache")


@pytest.fixture(scope="session")
def stored_courses(tmp_path_factory: pytest.TempPathFactory, embedder: KeptEmbedder) -> tuple[Path, Path]:
    """A folder with the three tiny courses, and a closed library of them; neither may be changed."""
    place = tmp_path_factory.mktemp("stored")
    courses = write_courses(place / "courses")
    with library(place / "data", embedder) as rag:
        ingest(rag, courses)
    return courses, place / "data"


@pytest.fixture
def data_dir(stored_courses: tuple[Path, Path], tmp_path: Path) -> Path:
    """A closed library of the three tiny courses, the test's own."""
    return Path(shutil.copytree(stored_courses[1], tmp_path / "library"))


@pytest.fixture
def rag(data_dir: Path, embedder: KeptEmbedder) -> Iterator[RAGSystem]:
    """An open library of the three tiny courses, without Chroma, which takes longer than most tests."""
    with library(data_dir, embedder, index=False) as opened:
        yield opened


@pytest.fixture
def server(request: pytest.FixtureRequest) -> Iterator[AnthropicServer]:
    """A model server on loopback; its parameter is the provider that it is asked by."""
    with AnthropicServer(provider=getattr(request, "param", "anthropic")) as running:
        yield running


@pytest.fixture(scope="session")
def chroma_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ChromaServer]:
    """A real Chroma server on loopback, for all tests; one that kills it starts it again."""
    with ChromaServer(tmp_path_factory.mktemp("chroma")) as running:
        yield running


@pytest.fixture
def chroma_database(chroma_server: ChromaServer) -> ServerAddress:
    """An empty database on the server, of the test alone."""
    return chroma_server.new_database()


@pytest.fixture(scope="session")
def qapp(qapp: QApplication) -> QApplication:
    """The application, in English, whatever the system speaks."""
    install_translations(qapp, "en")
    return qapp


@pytest.fixture(scope="session")
def pseudo_package(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """What a packaged program holds, in a language of brackets instead of German."""
    return pseudo_language.make_package(tmp_path_factory.mktemp("package"))


@pytest.fixture
def open_window(
    qtbot: QtBot, tmp_path: Path, model_cache: Path, embedder: KeptEmbedder, data_dir: Path
) -> Iterator[Opener]:
    """Open windows on one library, one after the other."""
    opened: list[RunningWindow] = []

    def open_one(server: AnthropicServer | None = None) -> RunningWindow:
        for before in opened:
            before.window.close()
        running = RunningWindow(
            tmp_path,
            model_cache,
            base_url=server.url if server else "",
            key=server.key if server else "",
            embedder=embedder,
            data_dir=data_dir,
        )
        opened.append(running)
        running.open()
        running.wait_until_ready(samples=False)
        return running

    yield open_one
    for running in opened:
        running.close()


@pytest.fixture
def opened_links(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The addresses that the desktop was asked to open; it opens none."""
    from PySide6.QtCore import QUrl
    from PySide6.QtGui import QDesktopServices

    opened: list[str] = []

    def open_url(url: QUrl) -> bool:
        opened.append(url.toString())
        return True

    monkeypatch.setattr(QDesktopServices, "openUrl", open_url)
    return opened
