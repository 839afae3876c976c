"""How fast a library is published to a Chroma server, and what publishing it again costs.

``python -m tests.tools.benchmarks.publishing [--size 10000]`` prints one JSON line. The server is a real
``chroma run`` on loopback, on the same machine. Passages are made up.
``all`` is the first publication, ``unchanged`` the next one, and ``renamed`` the one after a course of 500
passages has got another title, so that all of it is sent anew and the old one removed. ``work`` is processor
time of this process alone, ``bytes`` what the server takes on the disk.
"""

from __future__ import annotations

import shutil
import sys
import tempfile
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

from app.domain.cancel import CancelToken
from app.features.shared.model import LibraryPublished
from tests.support.chroma_server import ChromaServer
from tests.support.class_library import publishing_of
from tests.support.courses import library
from tests.tools.benchmarks.large_libraries import made_large
from tests.tools.benchmarks.libraries import MadeUpVectors, Maker
from tests.tools.benchmarks.measuring import machine, memory, parser_of, print_result, size

if TYPE_CHECKING:
    from app.core.rag_system import RAGSystem
    from app.domain.shared import ServerAddress

_TINY = 200


def measure(data: Path, server: ChromaServer) -> dict[str, Any]:
    """Publish a library, which is changed, three times to a server."""
    with library(data, MadeUpVectors(Maker(2)), index=False) as rag:
        address = server.new_database()
        result: dict[str, Any] = {"passages": rag.courses.counts().passages}
        result["all"] = _published(rag, address)
        result["unchanged"] = _published(rag, address)
        title = rag.courses.all()[-1].title
        for _ in rag.ingest.rename_course(title, f"{title} again", CancelToken()):
            pass
        result["renamed"] = _published(rag, address)
    return result | {"server_mb": memory(pid=server.pid), "memory_mb": memory("VmHWM")}


def _published(rag: RAGSystem, address: ServerAddress) -> dict[str, float]:
    began = time.process_time()
    *_, done = publishing_of(rag).publish(address)
    assert isinstance(done, LibraryPublished)
    rate = done.passages_sent / done.seconds
    return {
        "seconds": round(done.seconds, 2),
        "work": round(time.process_time() - began, 2),
        "sent": done.passages_sent,
        "passages_per_second": round(rate, 1),
    }


def main() -> int:
    """Measure, and print one JSON line."""
    parser = parser_of(__doc__)
    parser.add_argument("--size", type=size, default=10_000)
    options = parser.parse_args()
    passages = options.size or _TINY
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place).resolve()
        data = shutil.copytree(made_large(passages), folder / "data")
        with ChromaServer(folder / "server") as server:
            measured = measure(data, server)
        stored = sum(path.stat().st_size for path in (folder / "server").rglob("*") if path.is_file())
        print_result({"benchmark": "publishing", **measured, "bytes": stored, "machine": machine()})
    return 0


if __name__ == "__main__":
    sys.exit(main())
