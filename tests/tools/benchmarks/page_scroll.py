"""How scrolling through the pages of a long PDF holds up the window, and what its pictures take.

``python -m tests.tools.benchmarks.page_scroll [--pages 1500] [--ratio 1] [--seconds 20]`` prints one JSON
line.

The pages fly by for ``seconds``, faster than they can be drawn, with pauses in which they are; then the zoom
changes a few times. ``busy_ms`` is the processor time of the main thread between two turns of its event
loop, ``stall_ms`` the time by the clock, which other programs on the machine lengthen.
"""

from __future__ import annotations

import hashlib
import os
import tempfile
import time
from array import array
from pathlib import Path
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QTimer
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from app.config.settings import Settings
from app.core.embedding.embedder import Embedder
from app.core.rag_system import RAGSystem
from app.domain.documents import DocumentText
from app.ui.reading.pages_pane import PagesPane
from app.ui.reading.sources_controller import PagesController
from app.ui.widgets.theme import Theme, apply_theme
from app.workers.workers import Workers
from tests.support.set_pages import Setting, lesson_of, made_sentences, set_document
from tests.tools.benchmarks.measuring import memory, parser_of, print_result

if TYPE_CHECKING:
    from collections.abc import Sequence

    from app.domain.messages import Message
    from app.domain.pages import PagedFile

_LINES = 40  # of a page, of some 32 sentences


def main() -> None:
    parser = parser_of(__doc__)
    parser.add_argument("--pages", type=int, default=1500)
    parser.add_argument("--ratio", type=int, default=1, choices=(1, 2))
    parser.add_argument("--seconds", type=float, default=20.0)
    options = parser.parse_args()
    os.environ["QT_SCALE_FACTOR"] = str(options.ratio)
    print_result(measure(options.pages, options.seconds))


def measure(
    pages: int, seconds: float, zooms: Sequence[float | None] = (1.5, 3.0, 0.5, None)
) -> dict[str, Any]:
    os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
    application = QApplication.instance() or QApplication([])
    assert isinstance(application, QApplication)
    apply_theme(application, Theme.light())
    data = set_document(made_sentences(32 * pages), Setting(lines=_LINES)).data
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "long.pdf")
        path.write_bytes(data)
        return {"benchmark": "page_scroll", **_scrolled(path, seconds, zooms)}


def _scrolled(path: Path, seconds: float, zooms: Sequence[float | None]) -> dict[str, Any]:
    workers = Workers()
    workers.rag = RAGSystem(path.parent / "data", Settings(), Embedder(None, path.parent))
    workers.is_running = True
    workers.reading.start()
    pane = PagesPane()
    controller = PagesController(pane, workers)
    pane.resize(900, 900)
    pane.show()
    document = DocumentText("", sha256=hashlib.sha256(path.read_bytes()).hexdigest())
    lesson = lesson_of(document, str(path))
    opened: list[PagedFile] = []
    controller.open(lesson, opened.append, _fail)
    while not opened:
        QTest.qWait(50)
    pane.show_file(opened[0])
    before, most = memory() or 0, 0
    watch = _Watch()
    ends = time.monotonic() + seconds
    bar, step = pane.view.verticalScrollBar(), 0
    while time.monotonic() < ends:
        step += 1
        bar.setValue((bar.value() + 1500) % bar.maximum())
        QTest.qWait(400 if step % 40 == 0 else 10)
        most = max(most, pane.view.picture_bytes)
    for zoom in zooms:
        pane.view.set_zoom(zoom)
        QTest.qWait(1000)
        most = max(most, pane.view.picture_bytes)
    found = watch.end()
    pages = len(opened[0].sizes)
    after = memory() or 0
    workers.reading.close()
    workers.reading.wait()
    workers.rag.close()
    pane.close()
    return {"pages": pages, **found, "pictures_mb": round(most / 2**20, 1), "grown_mb": after - before}


def _fail(message: Message) -> None:
    raise AssertionError(str(message))


class _Watch:
    """Looks at the clock in every turn of the event loop."""

    def __init__(self) -> None:
        self._timer = QTimer(interval=0)
        self._timer.timeout.connect(self._tick)
        # Millions of turns, in few bytes: the memory of this process is measured as well.
        self._busy, self._stall = array("f"), array("f")
        self._last = time.thread_time(), time.perf_counter()
        self._timer.start()

    def end(self) -> dict[str, Any]:
        self._timer.stop()
        return {"busy_ms": _summary(self._busy), "stall_ms": _summary(self._stall)}

    def _tick(self) -> None:
        now = time.thread_time(), time.perf_counter()
        self._busy.append(1000 * (now[0] - self._last[0]))
        self._stall.append(1000 * (now[1] - self._last[1]))
        self._last = now


def _summary(values: array[float]) -> dict[str, float]:
    ordered = sorted(values)
    return {"p999": round(ordered[int(0.999 * (len(ordered) - 1))], 1), "most": round(ordered[-1], 1)}


if __name__ == "__main__":
    main()
