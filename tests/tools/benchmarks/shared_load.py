"""A library on a Chroma server, asked by many readers at once, and while it is published to.

``python -m tests.tools.benchmarks.shared_load [--size 200000] [--readers 50] [--seconds 60]`` prints one
JSON line. The server is a real ``chroma run`` on loopback, on the same machine as all
readers. A reader searches as the program does: it asks for the 300 passages nearest to a question, and for 80
of them with their metadata. Then it pauses, or searches again at
once. It is chromadb's own client, ten of them a process. A request of more than five seconds is an error. The
publisher writes new passages in batches of 300 through the program's connection, and deletes them at the end.

Passages are made up (:mod:`tests.tools.benchmarks.large_libraries`) and written as the program publishes
them. A server's files that were made are kept under ``build/benchmarks`` and used again.
"""

from __future__ import annotations

import os
import random
import shutil
import threading
import time
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, cast
from urllib.parse import urlsplit

import numpy as np

from app.core.storage.database import Database
from app.core.storage.documents import DocumentRepository
from app.domain.errors import SharedError
from app.domain.shared import ServerAddress
from app.features.shared.connection import BATCH, CATALOG, CONTENT, ServerConnection
from app.features.shared.records import DocumentRecords, collection_metadata
from tests.support.chroma_server import ChromaServer
from tests.tools.benchmarks.large_libraries import made_large
from tests.tools.benchmarks.libraries import KEPT
from tests.tools.benchmarks.measuring import Side, memory, parser_of, print_result, size

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from numpy.typing import NDArray

    from app.features.shared.connection import Record

_VERSION = 1
_REQUESTS = ("nearest", "read")  # that a search consists of
_RANKED = 80  # passages that a search reads with their metadata
_NOISE = 0.3  # length of what makes a question of a passage's vector
_A_PROCESS = 10  # readers; more keep the interpreter from each other
_PAUSE = 30.0  # seconds between two questions of somebody who reads the answers
_PATIENCE = 5.0  # seconds that a request may take, as in the program
_MODEL = "made-up"
_DIMENSION = 384
_PUBLISHED = "load"  # what the ids of the publisher's passages begin with
_DATABASE = "class"


class Readers:
    """Readers of one process. Each thread has a client of its own."""

    def __init__(self, url: str, seed: int) -> None:
        self._url, self._seed = urlsplit(url), seed

    def answer(self, request: dict[str, Any]) -> dict[str, Any]:
        """Search with so many readers for so many seconds; return the milliseconds of what succeeded."""
        until = time.monotonic() + request["seconds"]
        found: dict[str, list[float]] = {name: [] for name in (*_REQUESTS, "search", "failed")}
        threads = [
            threading.Thread(target=self._read, args=(self._seed + number, until, request, found))
            for number in range(request["readers"])
        ]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        return found

    def _read(self, seed: int, until: float, request: dict[str, Any], found: dict[str, list[float]]) -> None:
        from chromadb import HttpClient
        from chromadb.config import Settings

        host, port = self._url.hostname or "", self._url.port or 0
        settings = Settings(anonymized_telemetry=False)
        content = HttpClient(host, port, settings=settings, database=_DATABASE).get_collection(
            CONTENT, embedding_function=None
        )
        known = content.get(limit=200, offset=seed * 7, include=["embeddings"])
        vectors = np.asarray(known["embeddings"], np.float32)
        noise = np.random.default_rng(seed).standard_normal(vectors.shape, np.float32)
        vectors += _NOISE / np.sqrt(_DIMENSION) * noise
        number = 0
        time.sleep(random.uniform(0, request["pause"]))
        while True:
            began = time.monotonic()
            at = number % len(vectors)
            try:
                _search(content, vectors[at], found)
                found["search"].append((time.monotonic() - began) * 1e3)
            except Exception:  # whatever chromadb and its HTTP library raise
                found["failed"].append((time.monotonic() - began) * 1e3)
            number += 1
            time.sleep(max(min(request["pause"], until - time.monotonic()), 0))
            if time.monotonic() >= until:
                return


def _search(
    content: Any,  # noqa: ANN401 - chromadb's collection
    vector: NDArray[np.float32],
    found: dict[str, list[float]],
) -> None:
    """Ask a server for what one search of the program asks for; raise if a request fails or takes long."""

    def timed(name: str, request: Callable[[], Any]) -> Any:  # noqa: ANN401 - chromadb's
        began = time.monotonic()
        answer = request()
        taken = time.monotonic() - began
        found[name].append(taken * 1e3)
        if taken > _PATIENCE or not answer["ids"]:
            raise TimeoutError
        return answer

    ask = {"query_embeddings": [vector], "n_results": BATCH, "include": ["documents", "distances"]}
    ids = timed("nearest", lambda: content.query(**ask))["ids"][0]
    timed("read", lambda: content.get(ids[:_RANKED], include=["documents", "metadatas"]))


def serve(_side: str, options: dict[str, Any]) -> Readers:
    """Start a process of readers."""
    import chromadb  # noqa: F401 - takes a second

    return Readers(options["url"], options["seed"])


class Phase(NamedTuple):
    """Some time of load."""

    readers: int
    pause: float = 0  # seconds between two searches of a reader
    publishes: bool = False


def compare(
    passages: int,
    phases: Sequence[Phase],
    seconds: float,
    *,
    kept: Path = KEPT,
) -> dict[str, Any]:
    """Return what is printed."""
    data = made_large(passages, kept=kept)
    folder = kept / f"chroma-{passages}-v{_VERSION}"
    filled = _fill(folder, data)
    result: dict[str, Any] = {"benchmark": "shared_load", "passages": passages, "filled": filled}
    with ChromaServer(folder / "chroma") as server:
        result["disk_mb"] = _disk(folder)
        result["memory_started_mb"] = memory(pid=server.pid)
        most = max(phase.readers for phase in phases)
        sides = [
            Side("shared_load", "readers", {"url": server.url, "seed": 100 * number})
            for number in range(-(-most // _A_PROCESS))
        ]
        first = sides[0].ask(readers=1, seconds=0, pause=0)["nearest"]  # reads the index
        result["first_ms"] = round(first[0]) if first else None
        result["phases"] = [_phase(server, sides, phase, seconds, data) for phase in phases]
        for side in sides:
            side.close()
        result["most_memory_mb"] = memory("VmHWM", server.pid)
    return result


def _phase(
    server: ChromaServer, sides: Sequence[Side], phase: Phase, seconds: float, data: Path
) -> dict[str, Any]:
    stop = threading.Event()
    written: list[int] = []
    publisher = threading.Thread(target=_publish, args=(server.url, data, stop, written))
    if phase.publishes:
        publisher.start()
    spent, began = _cpu(server.pid), time.monotonic()
    answers: list[dict[str, Any]] = []
    asking = []
    for number, side in enumerate(sides):
        readers = min(_A_PROCESS, phase.readers - number * _A_PROCESS)
        if readers > 0:
            ask = {"readers": readers, "seconds": seconds, "pause": phase.pause}
            asking.append(threading.Thread(target=lambda side=side, ask=ask: answers.append(side.ask(**ask))))
    for thread in asking:
        thread.start()
    for thread in asking:
        thread.join()
    took, spent = time.monotonic() - began, _cpu(server.pid) - spent
    taken = {name: sorted(chain.from_iterable(answer[name] for answer in answers)) for name in answers[0]}
    stop.set()
    if phase.publishes:
        publisher.join()
    return {
        **phase._asdict(),
        "searches": len(taken["search"]),
        "errors": len(taken["failed"]),
        "per_second": round(len(taken["search"]) / took, 1),
        **{f"p{share}_ms": round(_percentile(taken["search"], share)) for share in (50, 95, 99)},
        "requests_p50_ms": {name: round(_percentile(taken[name], 50), 1) for name in _REQUESTS},
        "server_cpu_share": round(spent / took, 2),  # 1 is one core
        "server_mb": memory(pid=server.pid),
        "written_per_second": round(sum(written) / took, 1),
        "load": round(os.getloadavg()[0], 1) if hasattr(os, "getloadavg") else None,
    }


def _publish(url: str, data: Path, stop: threading.Event, written: list[int]) -> None:
    connection = ServerConnection(ServerAddress(url, database=_DATABASE))
    ids: list[str] = []
    try:
        for batch in _batches(data):
            if stop.is_set():
                break
            new = [record._replace(id=f"{_PUBLISHED}{record.id}") for record in batch]
            connection.put(CONTENT, new)
            ids += [record.id for record in new]
            written.append(len(new))
    except SharedError:
        written.append(0)
    connection.delete(CONTENT, ids)
    connection.close()


def _fill(folder: Path, data: Path) -> dict[str, Any]:
    """Write the whole library to a server of its own unless that was done; return how long it took."""
    if (folder / "complete").exists():
        return {}
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    with ChromaServer(folder / "chroma") as server:
        filled = fill(server.url, data)
    (folder / "complete").touch()
    return filled


def fill(url: str, data: Path) -> dict[str, Any]:
    """Write the passages of a library to a server; return how long it took."""
    began, count = time.monotonic(), 0
    connection = ServerConnection(ServerAddress(url, database=_DATABASE))
    connection.create(cast("dict[str, str | int]", collection_metadata(_MODEL, _DIMENSION)))
    for batch in _batches(data):
        connection.put(CONTENT, batch)
        count += len(batch)
    seconds = time.monotonic() - began
    assert len(connection.get(CONTENT)) == count
    assert not len(connection.get(CATALOG))
    connection.close()
    return {"seconds": round(seconds, 1), "per_second": round(count / seconds, 1)}


def _batches(data: Path) -> Iterator[list[Record]]:
    """Yield the passages of a library as they are published."""
    database = Database(data, read_only=True)
    database.open()
    documents = DocumentRepository(database)
    batch: list[Record] = []
    try:
        for (path,) in database.connection.execute("SELECT path FROM documents ORDER BY id").fetchall():
            document = documents.whole(path)
            assert document is not None
            records = DocumentRecords(document, Path(path).name, _MODEL)
            count = records.shared.passages
            vectors = documents.vectors([records.key(n) for n in range(count)])
            for n in range(count):
                batch.append(records.record(n, vectors[records.key(n)]))
                if len(batch) == BATCH:
                    yield batch
                    batch = []
        yield batch
    finally:
        database.close()


def _percentile(ordered: Sequence[float], share: int) -> float:
    return ordered[min(len(ordered) * share // 100, len(ordered) - 1)] if ordered else 0.0


def _disk(folder: Path) -> int:
    return sum(path.stat().st_size for path in folder.rglob("*") if path.is_file()) >> 20


def _cpu(pid: int) -> float:
    """Return the seconds of processor time that a process has taken; 0 where the system does not tell."""
    try:
        fields = Path(f"/proc/{pid}/stat").read_text(encoding="ascii").rpartition(")")[2].split()
    except OSError:
        return 0.0
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def main() -> None:
    parser = parser_of(__doc__)
    parser.add_argument("--size", type=size, default=200_000)
    parser.add_argument("--readers", type=int, default=50)
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--kept", type=Path, default=KEPT)
    options = parser.parse_args()
    readers = options.readers
    phases = [
        Phase(1),
        Phase(readers, _PAUSE),
        Phase(readers, _PAUSE, publishes=True),
        Phase(readers),
        Phase(readers, publishes=True),
    ]
    result = compare(options.size, phases, options.seconds, kept=options.kept)
    print_result(result)


if __name__ == "__main__":
    main()
