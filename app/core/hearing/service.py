"""Which recordings of a library can be heard, by which models, and hearing them minute by minute."""

from __future__ import annotations

import os
import time
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from app.config.files import writing
from app.core import downloads
from app.core.documents.recordings import has_captions, is_recording
from app.core.documents.text.definitions import definitions_in
from app.core.documents.transcript_text import (
    beginning,
    corrected,
    paragraphs_of,
    text_of,
    with_headings,
    written,
)
from app.core.downloads import one_at_a_time
from app.core.hearing.engine import PIECE, hear
from app.core.hearing.headings import headings, slides_in
from app.core.hearing.sound import length
from app.core.ingest.run import sha256_of
from app.core.local_models.service import (
    CALIBRATION,
    fits,
    listed,
    multiplications,
    sizes,
    snapshot_of,
)
from app.core.sandbox import ChildFailed, ChildKilled, ChildOverspent, ChildTimedOut, Sandbox
from app.core.storage.transcripts import AGAIN, Heard
from app.domain.cancel import CancelToken
from app.domain.errors import FileNotOpened, ReaderStopped, UnreadableFile, UserError
from app.domain.events import FileDone, FileStatus, Hearing, IngestDone, IngestEvent
from app.domain.file_paths import root_of
from app.domain.messages import Message
from app.domain.plain_text import one_line, shown_name
from app.domain.recordings import SpeechModel, Unheard

if TYPE_CHECKING:
    from collections.abc import Callable, Generator, Iterator, Sequence

    from app.core.documents.transcript_text import HeardCue
    from app.core.ingest.service import IngestService
    from app.core.storage.catalog import Catalog
    from app.core.storage.database import Database

_QUICK = 2.0  # seconds of sound in a second; a model that is slower is not recommended
_MEASURED = 300.0  # seconds of sound whose hearing tells how quick a model is, besides loading it
_SECONDS = 900.0  # of processor time for a piece
_OPENING = 60.0  # of processor time to tell a length; a WAV file of zeros would be read for an hour
_CLOCK_SECONDS = 3600.0
_MEMORY = 4 * 2**30  # of address space
_GIVEN_UP = 3  # pieces in a row at which the engine ended
_HINT = 200  # characters


class HeardPiece(NamedTuple):
    """What was heard of a recording by one call; see :func:`app.core.hearing.engine.hear`."""

    cues: tuple[HeardCue, ...]
    end: float
    is_last: bool
    seconds: float
    language: str
    dropped: int


class HearingService:
    """Only one thread may transcribe at a time; everything else is thread-safe.

    A model is named by its id on the list, or by the path of a folder that holds one.
    """

    def __init__(self, database: Database, catalog: Catalog, ingest: IngestService, cache_dir: Path) -> None:
        self._db = database
        self._catalog = catalog
        self._documents = catalog.documents
        self._transcripts = catalog.transcripts
        self._ingest = ingest
        self._folder = cache_dir / "models" / "whisper"

    # Models

    def models(self) -> tuple[SpeechModel, ...]:
        """Return the models that fit into the memory, the best first."""
        return tuple(self._model(entry) for entry in entries().values() if fits(entry["memory"]))

    def recommended(self) -> SpeechModel | None:
        """Return the best model that is quick enough here, or the smallest; None if the memory holds none."""
        models = self.models()
        return next((model for model in models if model.rate >= _QUICK), models[-1] if models else None)

    def download(self, model: str, token: CancelToken, progress: Callable[[Message], None]) -> None:
        """Download a model of the list; what has arrived is kept when this fails or is cancelled.

        Raises what :func:`app.core.downloads.download` raises.
        """
        with one_at_a_time(self._folder / model, token):
            downloads.download(snapshot_of(entries()[model]), self._folder / model, token, progress)

    def path(self, model: str) -> Path:
        """Return the folder of a model; raises UserError if there is none."""
        entry = entries().get(model)
        folder = self._folder / model if entry else Path(model).expanduser().absolute()
        names = [file[0] for file in entry["files"]] if entry else ["model.bin", "tokenizer.json"]
        if not all((folder / name).is_file() for name in names):
            missing = Message("local.not_downloaded", name=entry["name"]) if entry else None
            raise UserError(missing or Message("hearing.no_model", folder=folder))
        return folder

    def _model(self, entry: dict[str, Any]) -> SpeechModel:
        model = entry["id"]
        size, arrived = sizes(entry, self._folder / model)
        measured = self._db.meta(f"heard {model}")
        rate = float(measured) if measured else entry["rate"] * multiplications() / CALIBRATION[0]
        return SpeechModel(model, entry["name"], size, entry["licence"], rate, arrived)

    # Recordings

    def unheard(self, token: CancelToken) -> list[Unheard]:
        """Return recordings without text in watched folders; lists these, and looks into each recording."""
        there = [item.path for item in self._ingest.watched() if item.path.exists()]
        settled = {(record.path, record.size) for record in self._documents.files().values()}
        settled |= {(path, size) for path, size, _ in self._catalog.failures.known()}
        left_out = {path for path, one in self._catalog.places.corrections().items() if one.left_out}
        found = [
            str(item.path)
            for item in (self._ingest.discovered(there, token) if there else ())
            if is_recording(item.path)
            and str(item.path) not in left_out
            and (str(item.path), item.size) not in settled
        ]
        return self.measured(found, token)

    def measured(self, paths: Sequence[str], token: CancelToken) -> list[Unheard]:
        """Return how long recordings last, and how much of them was heard."""
        seconds = dict.fromkeys(paths, 0.0)
        with _child() as child:
            for path in paths:
                with suppress(UnreadableFile):
                    seconds[path] = _length(child, Path(path), token)
        begun = self._transcripts.begun()
        return [Unheard(path, seconds[path], begun.get(path, 0.0)) for path in paths]

    def transcribe(
        self, paths: Sequence[Path], model: str, language: str, token: CancelToken, *, again: bool = False
    ) -> Iterator[IngestEvent]:
        """Hear recordings and add their text to the library; each piece is kept as soon as it is heard.

        ``language`` is a code of ISO 639; empty to find it in each recording. ``again`` also replaces whole
        transcripts, with their corrections, that another model made or another language. While it is paused,
        nothing is heard; whoever pauses it asks for no event then.

        Raises:
            UserError: there is no such model, or it does not know the language.
            LibraryUnusable: the disk does not hold what was heard.
        """
        folder = self.path(model)
        if language and f'"<|{language}|>"'.encode() not in (folder / "tokenizer.json").read_bytes():
            raise UserError(Message("hearing.no_language", language=language))
        began, embedded = time.monotonic(), 0
        done: list[FileDone] = []
        for chosen in paths:
            path = Path(os.path.realpath(chosen))
            try:
                heard = yield from self._hear_whole(path, model, folder, language, token, again=again)
            except UnreadableFile as error:
                if not isinstance(error, FileNotOpened | ReaderStopped):
                    with suppress(FileNotOpened):
                        self._catalog.failures.add(str(path), *_version(path), error.message)
                failed = FileDone(str(path), FileStatus.FAILED, reason=error.message)
                done.append(failed)
                yield failed
                continue
            for event in self._store(path, heard, token):
                if isinstance(event, IngestDone):
                    done += event.files
                    embedded += event.passages_embedded
                else:
                    yield event
        counts = self._catalog.courses.counts()
        yield IngestDone(tuple(done), counts, time.monotonic() - began, embedded, 0, to_read=len(paths))

    def _hear_whole(
        self, path: Path, model: str, folder: Path, language: str, token: CancelToken, *, again: bool
    ) -> Generator[IngestEvent, None, Heard]:
        """Hear a recording from where it was left, unless all of it was heard; return what was heard."""
        if not is_recording(path):
            raise FileNotOpened(Message("hearing.no_recording", name=shown_name(path)))
        if has_captions(path, self._transcripts.saved()):
            raise FileNotOpened(Message("hearing.has_captions", name=shown_name(path)))
        version = _version(path)
        digest = sha256_of(path, token)
        name = entries()[model]["name"] if model in entries() else one_line(folder.name)
        before = self._transcripts.of(digest)
        key, replaced = digest, None
        if again and before is not None and before.is_whole and not before.is_by(name, language):
            key, replaced = digest + AGAIN, before
            before = self._transcripts.of(key)
            if before is not None and not before.is_by(name, language):
                before = None
        start = Heard(key, str(path), version[0], 0.0, 0.0, False, name, language, beginning(name))
        heard = before or start
        heard = heard._replace(path=str(path), model=name, language=language or heard.language)
        hint = self.hint(path)
        first, missed, rate = heard.heard, 0, 0.0
        began = time.monotonic() - token.seconds_rested
        with _child() as child:
            if not heard.seconds:
                heard = heard._replace(seconds=_length(child, path, token))
            while not heard.is_whole:
                yield Hearing(str(path), heard.heard, heard.seconds, rate)
                try:
                    piece = _heard_piece(child, path, heard, folder, hint, _UntilPaused(token))
                except _Paused:
                    continue
                missed = 0 if piece else missed + 1
                if missed == _GIVEN_UP:
                    raise ReaderStopped(Message("hearing.stopped", name=shown_name(path)))
                heard = _with_piece(heard, piece or _left_out(heard))
                if heard.is_whole:
                    heard = heard._replace(vtt=self._headed(path, heard.vtt))
                rate = (heard.heard - first) / (time.monotonic() - token.seconds_rested - began)
                if _version(path) != version:
                    self._transcripts.forget([key])
                    raise FileNotOpened(Message("documents.being_written", name=shown_name(path)))
                if not missed or heard.is_whole:  # what ended the engine is tried again by the next run
                    self._transcripts.keep(heard)
        if model in entries() and heard.heard - first > _MEASURED:
            self._db.set_meta(f"heard {model}", f"{rate:.2f}")
        if replaced is not None:
            if not text_of(heard.vtt).text:
                raise FileNotOpened(Message("hearing.nothing_said", name=shown_name(path)))
            saved = replaced.saved_size, replaced.saved_mtime_ns
            heard = heard._replace(sha256=digest, saved_size=saved[0], saved_mtime_ns=saved[1])
            self._transcripts.keep(heard)
            self._transcripts.forget([key])
        return heard

    def _headed(self, path: Path, vtt: str) -> str:
        """Return a transcript with the titles of the slides beside its recording."""
        records = self._documents.files().values()
        beside = [one for one in records if Path(one.path).with_suffix("") == path.with_suffix("")]
        slides = [slide for one in beside for slide in slides_in(self._documents.text(one.document_id))]
        paragraphs = paragraphs_of(text_of(vtt))
        found, seconds = headings(list(paragraphs.values()), slides), list(paragraphs)
        return with_headings(vtt, {seconds[index]: title for index, title in found.items()})

    def _store(self, path: Path, heard: Heard, token: CancelToken) -> Iterator[IngestEvent]:
        """Add what was heard to the library, or store its document again if it has another text."""
        text, record = text_of(heard.vtt), self._documents.files().get(str(path))
        if (
            record is None
            or record.sha256 != heard.sha256
            or self._documents.text(record.document_id).text == text.text
        ):
            yield from self._ingest.retry([path], token)
            return
        for event in self._ingest.store_text(str(path), text, token):
            yield event
            if isinstance(event, FileDone):
                yield IngestDone((event,), self._catalog.courses.counts(), 0.0, event.embedded, 0)

    def hint(self, path: Path) -> str:
        """Return names that may be said in a recording, at most 200 characters of them.

        They are the titles of the files around it and the terms that their authors marked, those of a file
        with the same name first.
        """
        records = self._documents.files().values()
        around = [one for one in records if root_of(one.path, [str(path.parent)])]
        if not around and root_of(str(path.parent.parent), self._catalog.places.folders()):
            around = [one for one in records if root_of(one.path, [str(path.parent.parent)])]
        around.sort(key=lambda one: Path(one.path).stem != path.stem)
        titles = [one.place.title for one in around if Path(one.path).stem == path.stem]
        names = dict.fromkeys([*titles, *(one.course_title for one in around)])
        for one in around:
            if sum(map(len, names)) > _HINT:
                break
            language, *_ = self._documents.sentences(one.document_id)
            text = self._documents.text(one.document_id).text
            names |= dict.fromkeys(definition.term for definition in definitions_in(text, language))
        hint = ""
        for name in filter(None, names):
            if len(hint) + len(name) < _HINT:
                hint += f", {name}" if hint else name
        return hint

    # Transcripts

    def correct(
        self, document_id: int, start: int, end: int, text: str, token: CancelToken
    ) -> Iterator[IngestEvent]:
        """Put other words in the place of a span of a document that was heard, which then is stored again.

        Raises:
            UserError: the document is gone, or would have no text.
        """
        heard = self._of(document_id)
        document, path = self._documents.text(document_id), self._documents.record(document_id).path
        vtt = corrected(heard.vtt, document, start, end, text)
        now = text_of(vtt)
        if not now.text:
            raise UserError(Message("hearing.nothing_left"))
        self._transcripts.keep(heard._replace(vtt=vtt, is_corrected=True))
        yield from self._ingest.store_text(path, now, token)

    def save_captions(self, document_id: int) -> Path:
        """Write a transcript beside its recording; return the path.

        Raises:
            UserError: the document is gone, there is such a file already, or it cannot be written.
        """
        heard = self._of(document_id)
        path = Path(self._documents.record(document_id).path).with_suffix(".vtt")
        with writing(path):
            is_own = path.exists() and _version(path) in self._transcripts.saved()
            with path.open("w" if is_own else "x", encoding="utf-8", newline="\n") as file:
                file.write(heard.vtt)
        size, mtime_ns = _version(path)
        self._transcripts.keep(heard._replace(saved_size=size, saved_mtime_ns=mtime_ns))
        return path

    def _of(self, document_id: int) -> Heard:
        if self._documents.is_searchable(document_id):
            heard = self._transcripts.of(self._documents.record(document_id).sha256)
            if heard is not None:
                return heard
        raise UserError(Message("hearing.no_transcript"))


class _Paused(Exception):
    """The user pauses what is being heard."""


class _UntilPaused(CancelToken):
    """Ends a call in a child also when another token is paused; the call is made again afterwards."""

    def __init__(self, token: CancelToken) -> None:
        super().__init__()
        self._token = token

    def check(self) -> None:
        self._token.check()
        if self._token.paused:
            raise _Paused


def _child() -> Sandbox:
    return Sandbox("hearing", seconds=_CLOCK_SECONDS, memory=_MEMORY, output=Path(os.devnull))


def _length(child: Sandbox, path: Path, token: CancelToken) -> float:
    """Return how many seconds a recording lasts, 0 if it does not say; raises UnreadableFile."""
    try:
        return child.call(float, length, path, seconds=_OPENING, token=token)
    except ChildOverspent as error:
        raise UnreadableFile(Message("hearing.no_sound", name=shown_name(path))) from error
    except ChildFailed:
        return 0.0


def _heard_piece(
    child: Sandbox, path: Path, heard: Heard, folder: Path, hint: str, token: CancelToken
) -> HeardPiece | None:
    """Return the next piece of a recording; None if the engine ended twice at it."""
    arguments = path, heard.heard, folder, heard.language, hint
    failure: ChildFailed | None = None
    for _ in range(2):
        try:
            return child.call(_piece, hear, *arguments, seconds=_SECONDS, token=token)
        except ChildFailed as error:
            child.close()
            failure = error
    if isinstance(failure, ChildKilled | ChildTimedOut):
        name = shown_name(path)
        raise ReaderStopped(Message("documents.reader_killed", name=name), undecided=True) from failure
    return None


def _left_out(heard: Heard) -> HeardPiece:
    end = heard.heard + PIECE
    return HeardPiece((), end, 0 < heard.seconds <= end, heard.seconds, "", 1)


def _with_piece(heard: Heard, piece: HeardPiece) -> Heard:
    return heard._replace(
        vtt=heard.vtt + written(piece.cues),
        heard=piece.end,
        seconds=piece.seconds,
        is_whole=piece.is_last,
        language=heard.language or piece.language,
        dropped=heard.dropped + piece.dropped,
    )


def _piece(found: dict[str, Any]) -> HeardPiece:
    cues = tuple(
        (float(start), float(end), [(str(word), bool(is_unsure)) for word, is_unsure in words])
        for start, end, words in found["cues"]
    )
    end, seconds, dropped = float(found["end"]), float(found["seconds"]), int(found["dropped"])
    return HeardPiece(cues, end, bool(found["is_last"]), seconds, str(found["language"]), dropped)


def _version(path: Path) -> tuple[int, int]:
    try:
        status = path.stat()
    except OSError as error:
        raise FileNotOpened(Message("documents.gone", name=shown_name(path))) from error
    return status.st_size, status.st_mtime_ns


def downloaded(cache_dir: Path) -> list[str]:
    """Return the names of the models of the list that are here."""
    folder = cache_dir / "models" / "whisper"
    return [entry["name"] for entry in entries().values() if (folder / entry["id"] / "model.bin").is_file()]


def entries() -> dict[str, dict[str, Any]]:
    return listed("resources/speech-models.json")
