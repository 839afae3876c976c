"""The ways to answers that a model writes: the state of each, and what a click does about it."""

from __future__ import annotations

import time
from functools import partial
from math import ceil
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from PySide6.QtCore import QLocale, QObject, Signal
from PySide6.QtWidgets import QWidget

from app.config.settings import DEFAULT_MODEL, Settings, overridden
from app.domain.messages import Message
from app.domain.model_servers import (
    PROGRAM_PORTS,
    FoundModel,
    FoundServer,
    FoundWays,
    LocalModel,
    Transferred,
)
from app.ui.settings.model_offers import model_name
from app.ui.widgets.building import Cell, hbox, push_button, vbox
from app.ui.widgets.desktop import open_link
from app.ui.widgets.messages import shown
from app.ui.widgets.text_labels import plain_label

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from app.workers.job import Job
    from app.workers.workers import Workers

CLAUDE, LOCAL, OLLAMA, OTHER = "Claude", "local", "Ollama", "other"
_HERE = (LOCAL, *PROGRAM_PORTS)
_WAYS = (CLAUDE, *_HERE, OTHER)
_SITES = {
    OLLAMA: "https://ollama.com/download",
    "LM Studio": "https://lmstudio.ai/download",
    "llama.cpp": "https://github.com/ggml-org/llama.cpp",
}
_LISTED = 2  # models
_MINUTES_FROM = 2  # else an answer's time is said in seconds


class Tile(NamedTuple):
    """A way, as it is shown."""

    way: str
    title: str
    line: str  # its state
    action: str = ""  # the text of its button; none where there is nothing to do
    run: Callable[[], object] = lambda: None
    is_ready: bool = False  # the button puts it to use, and nothing else is needed
    is_there: bool = True  # False for a program that can do nothing now

    @property
    def is_here(self) -> bool:
        """Whether it needs nothing but this computer."""
        return self.way in _HERE


class Ways(QObject):
    """What was found, and the models that are being downloaded."""

    changed = Signal()
    chosen = Signal(object)  # the settings that put a way to use, by their names
    downloaded = Signal(object)  # such settings, of a way that is ready now
    wanted = Signal(object)  # such settings, of a way that needs a key or an address

    def __init__(self, workers: Workers, parent: QObject) -> None:
        super().__init__(parent)
        self._workers = workers
        self._found: FoundWays | None = None
        own = {LOCAL: self.tr("On this computer"), OTHER: self.tr("Another service")}
        self._titles = {way: own.get(way, way) for way in _WAYS}
        self._downloads: dict[str, Job[None]] = {}  # by the ways they are for
        self._progress: dict[str, str] = {}  # of downloads, or why they failed

    def look(self) -> None:
        """Find out what there is now."""
        self._workers.answers.find_ways().run(self, success=self._take)

    def tiles(self, settings: Settings, saved: Settings) -> list[Tile]:
        """Return all ways; ``settings`` say which is in use, or will be once they are saved."""
        if self._found is None:
            return [
                Tile(way, title, self.tr("Looking…"), is_there=way not in PROGRAM_PORTS)
                for way, title in self._titles.items()
            ]
        found, used, in_use = self._found, self._used(settings), self._in_use(self._found, settings, saved)
        tiles = [
            self._claude(found, in_use if used == CLAUDE else ""),
            self._local(found, settings, saved, in_use),
            *self._programs(found, settings, used, in_use),
            self._other(in_use if used == OTHER else ""),
        ]
        if overridden():  # nothing can be chosen
            return [tile._replace(action="", is_ready=False) for tile in tiles]
        return tiles

    def is_here(self, settings: Settings) -> bool:
        """Return whether they use a model on this computer."""
        return self._used(settings) in _HERE

    def _used(self, settings: Settings) -> str:
        if settings.provider == "local":
            return LOCAL
        address = settings.base_url.replace("127.0.0.1", "localhost").removesuffix("/v1")
        if not address:
            return CLAUDE if settings.provider == "anthropic" else OTHER
        servers = self._found.servers if self._found else ()
        return next((server.name for server in servers if server.address == address), OTHER)

    def _in_use(self, found: FoundWays, settings: Settings, saved: Settings) -> str:
        if not settings.model:
            return self.tr("Choose a model.")
        parts = "provider", "base_url", "model"
        is_saved = all(getattr(settings, part) == getattr(saved, part) for part in parts)
        text = self.tr("In use: {0}") if is_saved else self.tr("In use once you save: {0}")
        local = found.local
        if isinstance(local, LocalModel) and local.id == settings.model:
            return text.format(local.name)
        return text.format(model_name(settings.model))

    def _claude(self, found: FoundWays, in_use: str) -> Tile:
        values = {"provider": "anthropic", "base_url": "", "model": DEFAULT_MODEL, "short_prompts": False}
        if not found.has_claude_key:
            line = self.tr("The best answers, with a paid API key.")
            return Tile(CLAUDE, CLAUDE, line, self.tr("Set up…"), partial(self.wanted.emit, values))
        if in_use:
            return Tile(CLAUDE, CLAUDE, in_use)
        line = self.tr("The best answers, with your API key.")
        return Tile(CLAUDE, CLAUDE, line, self.tr("Use"), partial(self.chosen.emit, values), is_ready=True)

    def _local(self, found: FoundWays, settings: Settings, saved: Settings, in_use: str) -> Tile:
        tile, model = partial(Tile, LOCAL, self._titles[LOCAL]), found.local
        values = {"provider": "local", "base_url": ""}
        if settings.provider == "local" and settings.model != found.missing:
            return tile(in_use)
        if saved.provider == "local" and saved.model != found.missing and Path(saved.model).is_absolute():
            line = self.tr("Free and private: {0}").format(model_name(saved.model))
            use = partial(self.chosen.emit, {**values, "model": saved.model})
            return tile(line, self.tr("Use"), use, is_ready=True)
        if isinstance(model, Message):
            return tile(shown(model))
        values["model"] = model.id
        about = f"{model.name} ({_size(model.bytes)}, {model.licence})"
        line = self.tr("Free, private, slower. {0}, about %Ln second(s) per answer.", None, model.seconds)
        if (minutes := round(model.seconds / 60)) >= _MINUTES_FROM:
            line = self.tr("Free, private, slower. {0}, about %Ln minute(s) per answer.", None, minutes)
        line = line.format(about)
        if model.is_installed:
            return tile(line, self.tr("Use"), partial(self.chosen.emit, values), is_ready=True)
        action = self.tr("Download")
        if model.arrived:
            line = self.tr("{0}: {1} of {2} downloaded.").format(
                model.name, _size(model.arrived), _size(model.bytes)
            )
            action = self.tr("Continue")
        return self._download(tile, line, action, partial(self._workers.answers.download, model.id), values)

    def _programs(self, found: FoundWays, settings: Settings, used: str, in_use: str) -> Iterator[Tile]:
        for server in found.servers:
            name, models = server.name, server.models
            tile = partial(Tile, name, name)
            if name == used and any(
                settings.model in (one.id, one.id.removesuffix(":latest")) for one in models or ()
            ):
                yield tile(in_use)
            elif name == used and models is None:
                yield tile(self.tr("In use, but it is not running. Start it for answers."))
            elif models is None and name not in self._downloads:
                line = self.tr("Not running, or not installed. Free and private.")
                yield tile(line, self.tr("Open website"), partial(open_link, _SITES[name]), is_there=False)
            elif models and name not in self._downloads:
                use = partial(self.chosen.emit, _values(server, models[0].id))
                yield tile(self._listed(models), self.tr("Use"), use, is_ready=True)
            elif name == OLLAMA and isinstance(found.local, LocalModel):
                model = FoundModel(found.local.ollama, found.local.bytes)
                line = self.tr("Running, without a model. Recommended: {0}.").format(_sized(model))
                pull = partial(self._workers.answers.pull, model.id, server.port)
                yield self._download(tile, line, self.tr("Download"), pull, _values(server, model.id))
            else:
                line = self.tr("Running, without a model. Load one in {0}.").format(name)
                yield tile(line, is_there=False)

    def _other(self, in_use: str) -> Tile:
        if in_use:
            line, action = in_use, self.tr("Change…")
        else:
            line, action = self.tr("Gemini, Groq, Mistral and others; some are free."), self.tr("Set up…")
        return Tile(OTHER, self._titles[OTHER], line, action, partial(self.wanted.emit, {}))

    def _listed(self, models: Sequence[FoundModel]) -> str:
        listed = ", ".join(map(_sized, models[:_LISTED]))
        more = len(models) - _LISTED
        return listed if more <= 0 else self.tr("{0} and %Ln more", None, more).format(listed)

    def _download(
        self,
        tile: partial[Tile],
        line: str,
        action: str,
        job: Callable[[], Job[None]],
        values: dict[str, Any],
    ) -> Tile:
        """Return a tile that starts a download, or shows and cancels the one that runs."""
        way: str = tile.args[0]
        line = self._progress.get(way, line)
        if way in self._downloads:
            return tile(line, self.tr("Cancel"), self._downloads[way].cancel)
        return tile(line, action, lambda: self._start(way, job(), values))

    def _start(self, way: str, job: Job[None], values: dict[str, Any]) -> None:
        self._downloads[way] = job
        self._progress[way] = self.tr("Starting the download…")
        first: list[tuple[float, int]] = []
        failures: list[Message] = []

        def show(progress: Transferred) -> None:
            first.append((time.monotonic(), progress.done))
            self._progress[way] = self._progress_text(*first[0], progress)
            self.changed.emit()

        def end() -> None:
            del self._downloads[way], self._progress[way]
            if failures:
                self._progress[way] = shown(failures[0])
            elif not job.token.cancelled:
                self.downloaded.emit(values)
            self.look()

        job.run(self, event=show, failure=failures.append, finished=end)
        self.changed.emit()

    def _progress_text(self, began: float, first: int, progress: Transferred) -> str:
        done, total = progress
        if done >= total:
            return self.tr("Checking the download…")
        rate = (done - first) / max(time.monotonic() - began, 0.001)
        if rate < 1:
            return self.tr("{0} of {1}").format(_size(done), _size(total))
        minutes = ceil((total - done) / rate / 60)
        text = self.tr("{done} of {total}, {rate}/s, %Ln minute(s) left", None, minutes)
        return text.format(done=_size(done), total=_size(total), rate=_size(round(rate)))

    def _take(self, found: FoundWays) -> None:
        self._found = found
        self.changed.emit()


def _values(server: FoundServer, model: str) -> dict[str, Any]:
    return {"provider": "anthropic", "base_url": server.address, "model": model, "short_prompts": True}


def _sized(model: FoundModel) -> str:
    return f"{model.id} ({_size(model.bytes)})" if model.bytes else model.id


def _size(number: int) -> str:
    return QLocale().formattedDataSize(number, int(number >= 10**9), QLocale.DataSizeFormat.DataSizeSIFormat)


class WayTile(QWidget):
    """A way's title, its state, and the button that does something about it."""

    def __init__(self) -> None:
        super().__init__()
        self._tile = Tile("", "", "")
        self.title = plain_label("", "strong")
        self.line = plain_label("", "caption")
        self.button = push_button("", lambda: self._tile.run(), compact=True)
        hbox(Cell(vbox(self.title, self.line, spacing=1), 1), self.button, spacing=12, parent=self)

    def show_tile(self, tile: Tile) -> None:
        self._tile = tile
        self.title.setText(tile.title)
        self.line.setText(tile.line)
        self.button.setText(tile.action)
        self.button.setAccessibleDescription(f"{tile.title}: {tile.line}")
        self.button.setVisible(bool(tile.action))


class TileList(QWidget):
    """The tiles below each other; with ``only_there``, without programs that can do nothing now."""

    def __init__(self, *, only_there: bool = False) -> None:
        super().__init__()
        self.tiles = {way: WayTile() for way in _WAYS}
        self._only_there = only_there
        vbox(*self.tiles.values(), spacing=10, parent=self)

    def show_tiles(self, tiles: Sequence[Tile]) -> None:
        for tile in tiles:
            self.tiles[tile.way].show_tile(tile)
            self.tiles[tile.way].setVisible(tile.is_there or not self._only_there)
