"""A process that keeps changing a library until it is killed, and tells what it does.

``python -m tests.support.busy_library KIND DATA FOLDER ARCHIVE CACHE``. Lines on its output: ``phase NAME``;
``will COURSE STATE`` before and ``has COURSE STATE`` after a change, where STATE is the version of the
course's text or ``out``, when it cannot be searched; ``log SALT FRAMES`` after it, which is how much of the
write-ahead log is on the disk; ``begun WHAT N`` and ``done WHAT N`` for other work; ``child NAME PID`` for
each process it starts.
"""

from __future__ import annotations

import itertools
import multiprocessing
import random
import re
import shutil
import sys
import threading
import time
from dataclasses import replace as changed
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from app.config.settings import Settings, save_settings
from app.core.embedding.embedder import Embedder
from app.core.rag_system import RAGSystem
from app.core.storage.database import LIBRARY_FILE, Database
from app.domain.cancel import CancelToken
from app.domain.events import FileDone, FileStatus
from app.features.keeping.transfer import TransferService
from tests.support.courses import SERVICES, document_text

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

NAMES = ("ants", "bees", "cats", "dogs", "eels")
ATLAS = "atlas"
OUT = "out"
EXPORTED, SETTINGS, MIGRATED, MODEL = "exported.zip", "settings.json", "migrated", "model"
"""Beside the data directory, what the kinds export, settings, migrate and model write."""

SAVED = Path(__file__).parent.parent / "data" / "libraries"
_VERSION = re.compile(r"of version (\d+) are")


class MadeUpVectors(Embedder):
    """Gives passages made-up vectors, so that no model has to compute thousands of them."""

    def embed_passages(self, texts: Sequence[str], token: CancelToken) -> NDArray[np.float32]:
        """Return one normalized row a text."""
        vectors = np.random.default_rng(len(texts)).standard_normal((len(texts), 384), np.float32)
        return np.asarray(vectors / np.linalg.norm(vectors, axis=1, keepdims=True), np.float32)


def course(name: str, version: int) -> str:
    """Return a version of a small course."""
    words = random.Random(f"{name} {version}")
    lines = [f"Course Title: {name}", "", "Lesson 1: All", f"The {name} of version {version} are busy."]
    lines += [
        " ".join(words.choices(("sleep", "eat", "dig", "hide"), k=12)).capitalize() + "." for _ in range(30)
    ]
    return "\n".join(lines) + "\n"


def atlas(passages: int) -> str:
    """Return the course that is big enough for its removal, import and index to take a while."""
    chance = random.Random(1)
    lines = [f"Course Title: {ATLAS}", "", "Lesson 1: All", f"The {ATLAS} of version 0 are busy."]
    for _ in range(passages):
        words = ("".join(chance.choices("abcdefghijklmnop", k=6)) for _ in range(100))
        lines.append(" ".join(words).capitalize() + ".")
    return "\n".join(lines) + "\n"


def version_of(text: str) -> str:
    """Return which version of a course a text is of."""
    match = _VERSION.search(text)
    return match[1] if match else "?"


_telling = threading.Lock()


def tell(*words: object) -> None:
    """Say something to whoever is going to kill this."""
    with _telling:
        sys.stdout.write(" ".join(map(str, words)) + "\n")
        sys.stdout.flush()


def tell_children() -> None:
    """Name every process that this one starts."""
    told: set[int | None] = set()
    while True:
        for child in multiprocessing.active_children():
            if child.pid not in told:
                told.add(child.pid)
                tell("child", child.name, child.pid)
        time.sleep(0.02)


def has(rag: RAGSystem, name: str, state: object) -> None:
    """Acknowledge a change, and say how much of the log of the library holds it."""
    tell("has", name, state)
    with rag.database.data_dir.joinpath(f"{LIBRARY_FILE}-shm").open("rb") as file:
        header = file.read(48)  # see "WAL-Index Format" in SQLite's documentation
    tell("log", header[32:40].hex(), int.from_bytes(header[16:20], sys.byteorder))


def index(rag: RAGSystem) -> None:
    """Build Chroma, again and again."""
    while True:
        tell("phase", "building the index")
        for _ in rag.open_index(CancelToken()):
            pass
        rag.index.rebuild()


def read(rag: RAGSystem, folder: Path) -> None:
    """Change all files and read them, again and again."""
    version = max((int(path.stem) for path in folder.with_name("versions").iterdir()), default=0)
    while True:
        version += 1
        folder.with_name("versions").joinpath(str(version)).touch()
        for name in NAMES:
            tell("will", name, version)
            # Whole or not at all: it is the library that is tried here.
            draft = folder.with_name(f"{name}.draft")
            draft.write_text(course(name, version), encoding="utf-8", newline="\n")
            draft.replace(folder / f"{name}.txt")
        tell("phase", "reading")
        for event in rag.ingest.add_course_folder([folder], CancelToken()):
            if isinstance(event, FileDone) and event.status is not FileStatus.FAILED:
                has(rag, Path(event.path).stem, version)


def remove(rag: RAGSystem) -> None:
    """Remove courses and bring them back, again and again."""
    while True:
        for name in NAMES:
            _remove(rag, name, "removing")
            entries = rag.trash.find(name)
            keys = [key for entry in entries for key in entry.documents]
            state = version_of(document_text(rag, keys[0]))
            tell("will", name, state)
            tell("phase", "restoring")
            list(rag.trash.restore(keys[:1], CancelToken()))
            has(rag, name, state)


def turn_over(rag: RAGSystem, archive: Path) -> None:
    """Empty the trash of a big course and import it again, again and again."""
    while True:
        if rag.catalog.documents.of_course(ATLAS):
            _remove(rag, ATLAS, "removing")
        tell("phase", "emptying the trash")
        list(rag.trash.empty(CancelToken()))
        missing = [name for name in (*NAMES, ATLAS) if not rag.catalog.documents.of_course(name)]
        for name in missing:
            tell("will", name, 0)
        tell("phase", "importing")
        list(rag.service(TransferService).import_library(archive, CancelToken()))
        for name in missing:
            has(rag, name, 0)


def replace(rag: RAGSystem, archive: Path) -> None:
    """Import in the place of everything, again and again."""
    while True:
        tell("phase", "replacing everything")
        for name in NAMES:
            tell("will", name, 0)
        tell("will", ATLAS, 0)
        list(rag.service(TransferService).import_library(archive, CancelToken(), replace=True))
        for name in (*NAMES, ATLAS):
            has(rag, name, 0)


def _remove(rag: RAGSystem, name: str, phase: str) -> None:
    tell("will", name, OUT)
    tell("phase", phase)
    rag.courses.remove_courses([name], CancelToken())
    has(rag, name, OUT)


def reindex(rag: RAGSystem) -> None:
    """Cut all documents into passages of another size, again and again."""
    for size in itertools.cycle((400, 1200, 800)):
        tell("phase", "reindexing")
        rag.settings = changed(rag.settings, chunk_size=size)
        list(rag.reindex.run(CancelToken()))


def export(rag: RAGSystem, target: Path) -> None:
    """Export the library, again and again to the same file."""
    for number in itertools.count(1):
        tell("begun", EXPORTED, number)
        tell("phase", "exporting")
        list(rag.service(TransferService).export_library(target, CancelToken()))
        tell("done", EXPORTED, number)


def save(path: Path) -> None:
    """Save settings, each time with a higher budget."""
    for number in itertools.count(1):
        tell("phase", "saving settings")
        tell("begun", SETTINGS, number)
        save_settings(Settings(monthly_budget=number % 10_000), path)
        tell("done", SETTINGS, number)


def migrate(place: Path) -> None:
    """Open libraries of every earlier version, one after the other."""
    for number, saved in enumerate(itertools.cycle(sorted(SAVED.iterdir())), 1):
        shutil.copytree(saved, place / str(number))
        tell("begun", MIGRATED, number)
        tell("phase", "migrating")
        database = Database(place / str(number))
        database.open()
        database.close()
        tell("done", MIGRATED, number)


def export_model(place: Path) -> None:
    """Export the embedding model into one empty cache after the other."""
    for number in itertools.count(1):
        tell("begun", MODEL, number)
        tell("phase", "exporting the model")
        Embedder(None, place / str(number)).prepare(CancelToken())
        tell("done", MODEL, number)


def change_library(kind: str, data: Path, folder: Path, archive: Path, cache: Path) -> None:
    """Open the library and change it."""
    embedder = MadeUpVectors if kind == "reindex" else Embedder
    rag = RAGSystem(data, Settings(), embedder(None, cache), SERVICES)
    if kind == "index":
        tell("ready")
        tell("phase", "opening")
        rag.open()
        index(rag)
    rag.open()
    for _ in rag.open_index(CancelToken()):
        pass
    if kind == "read":
        rag.prepare_model(CancelToken())
    if kind in ("empty", "import") and rag.catalog.documents.of_course(ATLAS):
        _remove(rag, ATLAS, "removing")
    if kind == "import":
        list(rag.trash.empty(CancelToken()))
    tell("ready")
    tell("phase", "beginning")
    if kind == "read":
        read(rag, folder)
    elif kind == "remove":
        remove(rag)
    elif kind in ("empty", "import"):
        turn_over(rag, archive)
    elif kind == "reindex":
        reindex(rag)
    elif kind == "export":
        export(rag, data.with_name(EXPORTED))
    else:
        replace(rag, archive)


def main(kind: str, *arguments: str) -> None:
    """Do one kind of work until killed."""
    data, folder, archive, cache = map(Path, arguments)
    threading.Thread(target=tell_children, daemon=True).start()
    if kind in ("settings", "migrate", "model"):
        tell("ready")
        if kind == "settings":
            save(data.with_name(SETTINGS))
        elif kind == "migrate":
            migrate(data.with_name(MIGRATED))
        else:
            export_model(data.with_name(MODEL))
    change_library(kind, data, folder, archive, cache)


if __name__ == "__main__":
    main(*sys.argv[1:])
