"""``lectern --selfcheck``: tries every part of the program once and prints a line for each.

Finds out whether an installation is complete. It touches none of the user's library, settings and keys,
and needs no display, no network and no model.
"""

import dis
import importlib
import os
import pkgutil
import sys
import tempfile
import time
import traceback
import wave
from collections.abc import Iterator, Sequence
from itertools import pairwise
from pathlib import Path
from types import CodeType
from typing import TYPE_CHECKING, cast

import app
from app import __version__
from app.cli.arguments import EXIT_ERROR, EXIT_OK
from app.config.paths import resource_path, user_cache_dir
from app.config.settings import Settings
from app.core.documents.reading import ReadingProcess
from app.core.embedding.embedder import Embedder
from app.core.hearing.engine import hear, leave_out_decoder
from app.core.rag_system import RAGSystem
from app.core.sandbox import Sandbox
from app.core.search.chroma import leave_out_exporter
from app.domain.cancel import CancelToken
from app.domain.conversations import ExchangeState
from app.features.feature import Feature
from app.startup.system_check import what_is_missing

if TYPE_CHECKING:
    from importlib.abc import InspectLoader

_NOT_HERE = frozenset(
    ("PySide6", "fcntl", "resource", "safetensors", "sentence_transformers", "torch", "transformers")
)
"""Imported late, but tried by a step of its own, on some systems only, or left out of packages."""

_RESOURCES = (
    "resources/icons/app.svg",
    "resources/styles/app.qss",
    "resources/styles/document.css",
    "resources/prompts/system.md",
    "resources/prices.json",
    "resources/speech-models.json",
    "resources/samples.npz",
    "docs/user-guide.md",
)
_QUESTION = "What can I do when I doubt an answer?"


def run(features: Sequence[Feature]) -> int:
    """Run every step and return the exit code."""
    for name in list(os.environ):  # the user's keys and proxies
        if name.startswith("ANTHROPIC_") or name.lower() in ("http_proxy", "https_proxy", "all_proxy"):
            del os.environ[name]
    os.environ["QT_QPA_PLATFORM"] = "offscreen"
    os.environ["PYTHON_KEYRING_BACKEND"] = "keyring.backends.null.Keyring"
    _say(f"Lectern {__version__}, {sys.platform}, Python {sys.version.partition(' ')[0]}, {sys.executable}")
    try:
        with tempfile.TemporaryDirectory(prefix="lectern-selfcheck-", ignore_cleanup_errors=True) as folder:
            failed = _run_steps(_Check(Path(folder), features))
    except OSError as error:
        _say(f"FAILED  a temporary folder cannot be created: {error}")
        return EXIT_ERROR
    _say(f"{len(failed)} failed: {', '.join(failed)}" if failed else "Everything works.")
    return EXIT_ERROR if failed else EXIT_OK


def _run_steps(check: "_Check") -> list[str]:
    failed = []
    first = (check.modules, check.resources, check.keychain, check.reader)
    last = (check.window, check.languages, check.recording)
    for step in (*first, check.library, *last):
        name = step.__name__
        began = time.monotonic()
        try:
            seen = step()
        except Exception as error:  # a step may fail in any way
            failed.append(name)
            _say(f"FAILED  {name}: {error or type(error).__name__}")
            sys.stderr.write(traceback.format_exc())
        else:
            _say(f"ok      {name}: {seen} ({time.monotonic() - began:.1f} s)")
    return failed


def _late_imports(code: CodeType | None) -> Iterator[tuple[str, tuple[str, ...]]]:
    """Yield the modules that functions import when they are called, each with the names taken from it."""
    for inner in code.co_consts if code else ():
        if isinstance(inner, CodeType):
            for names, step in pairwise(dis.get_instructions(inner)):
                if step.opname == "IMPORT_NAME":
                    yield step.argval, names.argval or ()
            yield from _late_imports(inner)


def _say(line: str) -> None:
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


class _Check:
    """The steps in order; later ones use the library that an earlier one created."""

    def __init__(self, folder: Path, features: Sequence[Feature]) -> None:
        self._folder, self._features = folder, features

    def modules(self) -> str:
        own = [item.name for item in pkgutil.walk_packages(app.__path__, "app.")]
        others: set[str] = set()
        leave_out_exporter()
        leave_out_decoder()
        for name in set(own) - {"app.__main__"}:
            loader = cast("InspectLoader", importlib.import_module(name).__loader__)
            for late, names in _late_imports(loader.get_code(name)):
                if late.partition(".")[0] not in {"app", *_NOT_HERE}:
                    __import__(late, fromlist=names)
                    others.add(late)
        return f"{len(own)} of Lectern, {len(others)} of others"

    def resources(self) -> str:
        for name in _RESOURCES:
            resource_path(name).read_bytes()
        return f"found in {resource_path('resources')}"

    def keychain(self) -> str:
        import keyring.backend  # slow; only lists the keychains and opens none

        names = {type(one).__module__.rpartition(".")[2] for one in keyring.backend.get_all_keyring()}
        return ", ".join(sorted(names - {"chainer", "fail", "null"})) or "none here"

    def reader(self) -> str:
        sample = next(resource_path("docs/courses").iterdir())
        with ReadingProcess() as reading:
            document = reading.read(sample, CancelToken())
        return f"{len(document.text)} characters of {sample.name}"

    def library(self) -> str:
        rag = self._library()
        try:
            rag.open()
            rag.prepare_model(CancelToken())
            for _ in rag.open_index(CancelToken()):
                pass
            for _ in rag.ingest.add_samples(CancelToken()):
                pass
            counts, indexed = rag.courses.counts(), rag.index.chroma.count()
        finally:
            rag.close()
        found = f"{counts.courses} courses, {counts.passages} passages"
        if not counts.courses or counts.passages != indexed:
            raise RuntimeError(f"{found}, {indexed} of them in the index")
        return f"{found} in words, meaning and index"

    def window(self) -> str:
        missing = what_is_missing()
        if missing:
            raise RuntimeError(missing)
        # Here: the other steps work without Qt.
        from app.selfcheck.window import ask_in_window

        exchange = ask_in_window(self._library(), self._folder, _QUESTION, self._features)
        verified = [citation for citation in exchange.citations if citation.verified]
        if exchange.state is not ExchangeState.DONE or not verified:
            raise RuntimeError(
                str(exchange.error or f"answer {exchange.state}, {len(verified)} verified citations")
            )
        return f"answered with {len(exchange.sources)} sources and a citation that stands in one of them"

    def languages(self) -> str:
        # Here: the other steps work without Qt.
        from app.selfcheck.window import speak_languages

        return speak_languages()

    def recording(self) -> str:
        # Here: the other steps work without Qt.
        from app.selfcheck.window import load_recording

        path = self._folder / "silence.wav"
        with wave.open(str(path), "wb") as file:
            file.setparams((1, 2, 8_000, 0, "NONE", ""))
            file.writeframes(bytes(16_000))
        with Sandbox("hearing", output=self._folder / "heard.log") as child:
            heard = child.call(
                dict, hear, path, 0.0, self._folder, "", ""
            )  # nobody speaks: no model is needed
        return f"{load_recording(path)}, of which {heard['end']} s were heard"

    def _library(self) -> RAGSystem:
        services = [feature.add_services for feature in self._features]
        return RAGSystem(self._folder / "library", Settings(), Embedder(None, user_cache_dir()), services)
