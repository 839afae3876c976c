"""``lectern --selfcheck``: tries every part of the program once and prints a line for each.

Finds out whether an installation is complete. It touches none of the user's library, settings and keys,
and needs no display and no network: a server on the loopback address answers for the model.
"""

import importlib
import json
import os
import pkgutil
import sys
import tempfile
import threading
import time
import traceback
import wave
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import app
from app import __version__
from app.cli.arguments import EXIT_ERROR, EXIT_OK
from app.config.paths import resource_path, user_cache_dir
from app.config.redaction import KEY_VARIABLE
from app.config.secrets import KeyStore
from app.config.settings import Settings
from app.core.documents.reading import ReadingProcess
from app.core.embedding.embedder import Embedder
from app.core.rag_system import RAGSystem
from app.core.search.chroma import leave_out_exporter
from app.domain.cancel import CancelToken
from app.domain.conversations import ExchangeState
from app.features.feature import Feature
from app.startup.system_check import what_is_missing

KEY = "selfcheck"


@contextmanager
def scripted_model() -> Iterator[str]:
    """Serve inside a ``with`` block; give the address."""
    with ThreadingHTTPServer(("127.0.0.1", 0), _Handler) as server:
        thread = threading.Thread(target=server.serve_forever, args=(0.02,), name="model", daemon=True)
        thread.start()
        try:
            yield f"http://127.0.0.1:{server.server_address[1]}"
        finally:
            server.shutdown()
            thread.join()


class _Handler(BaseHTTPRequestHandler):
    def log_message(self, format: str, *args: object) -> None:
        """Keep standard error silent."""

    def do_GET(self) -> None:
        """List the model as one that cites, as Anthropic's server does: it is not tried out first."""
        abilities = {"citations": {"supported": True}, "thinking": {"supported": False}}
        entry = {"type": "model", "id": self.path.rpartition("/")[2], "capabilities": abilities}
        self._send("application/json", json.dumps(entry))

    def do_POST(self) -> None:
        key = self.headers.get("x-api-key") or self.headers.get("authorization", "").removeprefix("Bearer ")
        if key != KEY:
            self.send_error(401)
            return
        request = json.loads(self.rfile.read(int(self.headers["content-length"])))
        events = (f"event: {event['type']}\ndata: {json.dumps(event)}\n\n" for event in _answer(request))
        self._send("text/event-stream; charset=utf-8", "".join(events))

    def _send(self, kind: str, text: str) -> None:
        self.send_response(200)
        self.send_header("content-type", kind)
        self.end_headers()  # closing the connection ends the answer
        self.wfile.write(text.encode())


def _answer(request: dict[str, Any]) -> Iterator[dict[str, Any]]:
    blocks = [block for message in request["messages"] for block in message["content"]]
    found = next(block for block in blocks if block["type"] == "search_result")
    sentence = found["content"][0]["text"]
    citation = {
        "type": "search_result_location",
        "source": found["source"],
        "title": found["title"],
        "cited_text": sentence,
        "search_result_index": 0,
        "start_block_index": 0,
        "end_block_index": 1,
    }
    usage = {"input_tokens": 1, "output_tokens": 1}
    message = {"id": "msg_0", "type": "message", "role": "assistant", "model": request["model"]}
    yield {"type": "message_start", "message": {**message, "content": [], "usage": usage}}
    yield {"type": "content_block_start", "index": 0, "content_block": {"type": "text", "text": ""}}
    for delta in (
        {"type": "text_delta", "text": sentence},
        {"type": "citations_delta", "citation": citation},
    ):
        yield {"type": "content_block_delta", "index": 0, "delta": delta}
    yield {"type": "content_block_stop", "index": 0}
    yield {"type": "message_delta", "delta": {"stop_reason": "end_turn"}, "usage": usage}
    yield {"type": "message_stop"}


LATE_IMPORTS = (
    "PIL.Image",
    "PIL.ImageOps",
    "anthropic",
    "chardet",
    "chromadb.config",
    "chromadb.errors",
    "docx.opc.exceptions",
    "email.utils",
    "httpx2",
    "huggingface_hub.errors",
    "huggingface_hub.file_download",
    "huggingface_hub.utils",
    "keyring.errors",
    "lxml.etree",
    "lxml.html",
    "nh3",
    "openvino",
    "pptx.enum.shapes",
    "pptx.package",
    "pypdfium2.raw",
    "python_calamine",
    "resvg_py",
    "sentencepiece",
    "sqlite3",
    "tokenizers",
    "truststore",
    "urllib.request",
    "ziafont.fonttypes",
    "ziamath.config",
    "ziamath.drawable",
    "ziamath.nodes.mtable",
    "ziamath.tex",
)
"""Modules of others that the program imports only when it needs them."""

_PLAYS = "app.ui.reading.recording_engine"
"""Looked at in a step of its own: the system may lack a library for it."""

_RESOURCES = (
    "resources/icons/app.svg",
    "resources/styles/app.qss",
    "resources/styles/document.css",
    "resources/prompts/system.md",
    "resources/prices.json",
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


def _say(line: str) -> None:
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


class _Check:
    """The steps in order; later ones use the library that an earlier one created."""

    def __init__(self, folder: Path, features: Sequence[Feature]) -> None:
        self._folder, self._features = folder, features

    def modules(self) -> str:
        own = [item.name for item in pkgutil.walk_packages(app.__path__, "app.")]
        leave_out_exporter()
        for name in (*LATE_IMPORTS, *own):
            if name not in ("app.__main__", _PLAYS):
                importlib.import_module(name)
        return f"{len(own)} of Lectern, {len(LATE_IMPORTS)} of others"

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
        rag = self._library_of("")
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

        with scripted_model() as url:
            rag = self._library_of(url)
            keys = KeyStore({KEY_VARIABLE: KEY})
            exchange = ask_in_window(rag, keys, self._folder, _QUESTION, self._features)
        verified = [citation for citation in exchange.citations if citation.verified]
        if exchange.state is not ExchangeState.DONE or exchange.model is None or not verified:
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
        return load_recording(path)

    def _library_of(self, base_url: str) -> RAGSystem:
        settings = Settings(base_url=base_url, send_passages=True)
        services = [feature.add_services for feature in self._features]
        return RAGSystem(self._folder / "library", settings, Embedder(None, user_cache_dir()), services)
