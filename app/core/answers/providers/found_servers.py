"""The programs on this computer that run models: Ollama, LM Studio, and llama.cpp's own server.

Only 127.0.0.1 is asked, past the environment's proxies.
"""

import asyncio
import json
import time
from collections.abc import AsyncGenerator, AsyncIterator, Awaitable, Mapping
from contextlib import asynccontextmanager
from typing import Any

from app.core.answers.providers.wire import mapping, short_name
from app.domain.errors import LecternError
from app.domain.messages import Message
from app.domain.model_servers import PROGRAM_PORTS, FoundModel, FoundServer, Transferred

_LISTS = {"Ollama": "/api/tags", "LM Studio": "/api/v1/models", "llama.cpp": "/v1/models"}
_SECONDS = 0.3
_MOST_BYTES = 1 << 20
_MOST_MODELS = 100
_LARGEST = 1 << 50  # bytes of a model
_PROGRESS_EVERY = 0.2  # seconds
_SILENCE = 300.0  # seconds that checking a large download may take on a slow disk
_RUBBISH = (OSError, EOFError, ValueError, RecursionError, asyncio.LimitOverrunError)  # or no answer


async def find_servers(ports: Mapping[str, int] = PROGRAM_PORTS) -> tuple[FoundServer, ...]:
    """Ask all programs at once; takes 0.3 seconds at most."""
    models = await asyncio.gather(*(_list_models(name, port) for name, port in ports.items()))
    return tuple(
        FoundServer(name, port, found) for (name, port), found in zip(ports.items(), models, strict=True)
    )


async def pull(model: str, port: int) -> AsyncGenerator[Transferred, None]:
    """Have Ollama download a model. Closing ends it; the next time, Ollama resumes.

    Raises:
        LecternError: Ollama could not, and says why.
    """
    parts: dict[str, tuple[int, int]] = {}
    reason, told = "", 0.0
    try:
        async with _request("POST", port, "/api/pull", json.dumps({"model": model})) as (_, reader):
            while line := await _within(_SILENCE, reader.readline()):
                news = mapping(json.loads(line))
                if news.get("status") == "success":
                    return
                reason = short_name(news.get("error"))
                if total := _size(news.get("total")):
                    parts[short_name(news.get("digest"))] = (_size(news.get("completed")), total)
                    if (now := time.monotonic()) - told >= _PROGRESS_EVERY:
                        told = now
                        yield Transferred(*map(sum, zip(*parts.values(), strict=True)))
    except _RUBBISH as error:
        reason = short_name(str(error))
    raise LecternError(Message("answers.pull_failed", model=model, reason=reason or "-")) from None


async def _list_models(name: str, port: int) -> tuple[FoundModel, ...] | None:
    """Return the models of a program; None if it does not answer, or another one does."""
    try:
        async with asyncio.timeout(_SECONDS), _request("GET", port, _LISTS[name]) as (is_fine, reader):
            try:
                await reader.readexactly(_MOST_BYTES)
            except asyncio.IncompleteReadError as whole:
                found = mapping(json.loads(whole.partial)) if is_fine else {}
                return _models(found.get("data" if name == "llama.cpp" else "models"), name)
    except _RUBBISH:
        pass
    return None


def _models(entries: object, name: str) -> tuple[FoundModel, ...] | None:
    """Return the models that can write and run on this computer."""
    if not isinstance(entries, list):
        return None
    listed = [mapping(entry) for entry in entries[:_MOST_MODELS]]
    if name == "llama.cpp" and any(entry.get("owned_by") != "llamacpp" for entry in listed):
        return None  # other programs have a list at this address, too
    models = [
        FoundModel(
            short_name(entry.get("key") or entry.get("name") or entry.get("id")),
            _size(entry.get("size") or entry.get("size_bytes") or mapping(entry.get("meta")).get("size")),
        )
        for entry in listed
        if not (_only_embeds(entry) or entry.get("remote_host"))
    ]
    return tuple(model for model in models if model.id)


def _only_embeds(entry: dict[str, Any]) -> bool:
    kind = f"{entry.get('type')} {entry.get('name')} {mapping(entry.get('details')).get('family')}"
    return "embed" in kind or "bert" in kind


def _size(value: object) -> int:
    return min(max(value, 0), _LARGEST) if isinstance(value, int) else 0


@asynccontextmanager
async def _request(
    method: str, port: int, path: str, body: str = ""
) -> AsyncIterator[tuple[bool, asyncio.StreamReader]]:
    """Yield whether a request is taken, and its answer, which ends with the connection as in HTTP/1.0."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    try:
        head = f"{method} {path} HTTP/1.0\r\nHost: 127.0.0.1:{port}\r\nContent-Type: application/json\r\n"
        writer.write(f"{head}Content-Length: {len(body)}\r\n\r\n{body}".encode())
        answer = await _within(_SILENCE, reader.readuntil(b"\r\n\r\n"))
        yield answer.startswith(b"HTTP/1.") and answer[8:13] == b" 200 ", reader
    finally:
        writer.close()


async def _within(seconds: float, reading: Awaitable[bytes]) -> bytes:
    async with asyncio.timeout(seconds):  # ``wait_for`` of Python 3.11 may swallow a cancellation
        return await reading
