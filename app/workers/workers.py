"""Everything the window can ask for: the operations by subject, and the threads that do them."""

from __future__ import annotations

import logging
import time
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

from app.config.files import replace_file, writing
from app.config.redaction import hide
from app.config.secrets import KeyOrigin
from app.config.settings import Settings, rebased, save_settings, with_environment
from app.domain.conversations import Exchange, OpenedConversation
from app.domain.errors import LecternError, UserError
from app.domain.events import (
    AnswerEvent,
    CourseRenamed,
    FileDone,
    FileStarted,
    Hearing,
    IndexProgress,
    IngestDone,
    IngestEvent,
    IngestProgress,
    RecognizingPages,
)
from app.domain.keeping import Backup, LibraryExported, LibraryImported
from app.domain.messages import Message
from app.domain.model_servers import (
    PROGRAM_PORTS,
    ConnectionCheck,
    FoundWays,
    ModelInfo,
    Transferred,
    WholeScope,
)
from app.domain.recordings import TranscriptionOffer
from app.domain.scope import Scope, scope_parts
from app.workers.job import Job, Lane, Work
from app.workers.library import LibraryWorkers
from app.workers.power import is_on_battery

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, Callable, Generator, Iterator, Mapping, Sequence

    from app.core.conversations.session_manager import SessionManager
    from app.core.rag_system import RAGSystem
    from app.domain.cancel import CancelToken
    from app.domain.sources import Source, SourceState

    Event = TypeVar("Event")
    Events = Generator[Event, None, None] | AsyncGenerator[Event, None]
    Writer = Callable[[OpenedConversation, Path], None]

R = TypeVar("R")

_log = logging.getLogger(__name__)

_MEGABYTE = 10**6


class Operations:
    """Operations on one subject, which run one after another."""

    def __init__(self, workers: LibraryWorkers, key: str, lane: Lane = Lane.READ) -> None:
        self._workers = workers
        self._key = key
        self._lane = lane

    @property
    def _rag(self) -> RAGSystem:
        return self._workers.rag

    def _job(self, what: str, work: Work[R], *, is_kept: bool = False) -> Job[R]:
        return self._workers.job(self._lane, what, lambda _, job: work(job), key=self._key, is_kept=is_kept)


class LibraryOperations(Operations):
    """Run in the thread that also opens the library."""

    def __init__(self, workers: LibraryWorkers) -> None:
        super().__init__(workers, "library")

    def change(self, what: str, work: Callable[[RAGSystem, CancelToken], R]) -> Job[R]:
        """Make a change, then show the library as it is now."""

        def change(job: Job[R]) -> R:
            result = work(self._rag, job.token)
            self._workers.send_snapshot()
            return result

        return self._job(what, change)

    def recordings(self, paths: Sequence[str] | None) -> Job[TranscriptionOffer]:
        """Measure recordings, or those in the library's folders that have no text."""

        def look(rag: RAGSystem, job: Job[TranscriptionOffer]) -> TranscriptionOffer:
            hearing = rag.hearing
            found = hearing.unheard(job.token) if paths is None else hearing.measured(paths, job.token)
            return TranscriptionOffer(tuple(found), hearing.models(), hearing.recommended())

        return self._workers.job(Lane.READ, "Measuring recordings", look, key="plans")

    def save_captions(self, document_id: int) -> Job[Path]:
        return self._workers.job(
            Lane.READ, "Saving captions", lambda rag, _: rag.hearing.save_captions(document_id), key="long"
        )

    def open_lesson(self, work: Callable[[RAGSystem, CancelToken], R], *, is_shared: bool = False) -> Job[R]:
        """Read a lesson in a thread that does not wait for the start, which loads the model for seconds.

        One on a server keeps no other waiting, and what it has told of the server is shown.
        """

        def open_shared(rag: RAGSystem, job: Job[R]) -> R:
            try:
                return work(rag, job.token)
            finally:
                self._workers.remote.send_changed()

        what = "Opening a lesson"
        if is_shared:
            return self._workers.job(Lane.NETWORK, what, open_shared, key="shared reading")
        return self._workers.job(Lane.READ, what, lambda rag, job: work(rag, job.token), key="conversations")

    def check_sources(self, exchange_id: int, sources: Sequence[Source]) -> Job[dict[int, SourceState]]:
        """Check whether an answer's sources have changed or are gone; gives the states by source number."""

        def check(_: Job[Any]) -> dict[int, SourceState]:
            states = {source.n: self._rag.search.source_state(source) for source in sources}
            for correct in self._rag.hooks.sources_checked:
                correct(exchange_id, states)
            return states

        return self._job("Comparing sources with the library", check)

    def watch(self, wanted: bool) -> Job[None]:
        """Watch the folders of the current library, or none."""

        def watch(_: Job[None]) -> None:
            try:
                paths = self._rag.ingest.watched()
            except LecternError as error:
                _log.warning("The watched folders cannot be listed: %s", error)
            else:
                self._workers.folders.watch(paths, wanted=wanted)

        return self._job("Watching folders", watch)

    def save_settings(
        self,
        wanted: Settings,
        new_key: str | None = None,
        remove_key: bool = False,
        *,
        before: Settings | None = None,
    ) -> Job[None]:
        """Save and apply settings and key; emits ``key_status`` and ``settings_saved``.

        What ``before`` has as well stays as the file has it.
        """

        def save(_: Job[None]) -> None:
            rag, keys, file = self._rag, self._workers.keys, self._workers.settings_file
            settings = rebased(wanted, before, file) if before else wanted
            changes_model = settings.embedding_model != rag.settings.embedding_model
            with writing(file, "config.settings_not_saved"):
                if changes_model:
                    rag.reindex.check_model(settings.embedding_model)  # first: it may refuse
                if remove_key:
                    keys.remove(with_environment(wanted).base_url)  # of the server shown in the dialog
                if new_key:
                    keys.save(new_key, with_environment(wanted).base_url)
                save_settings(settings, file)
            if changes_model:
                rag.reindex.choose_model(settings.embedding_model)
            rag.settings = with_environment(settings)
            self._workers.send_key_status()
            is_open = rag.database.is_open  # not if it could not be opened
            needs_work = is_open and rag.reindex.needed()
            self._workers.send(self._workers.settings_saved.emit, settings, needs_work)

        return self._job("Saving the settings", save)


class ConversationOperations(Operations):
    def __init__(self, workers: LibraryWorkers) -> None:
        super().__init__(workers, "conversations")

    def change(self, what: str, work: Callable[[SessionManager], object]) -> Job[None]:
        """Make a change; emits ``workers.conversations_listed``, even when it fails."""

        def change(_: Job[None]) -> None:
            sessions = self._rag.conversations
            try:
                work(sessions)
            finally:
                self._workers.send(self._workers.conversations_listed.emit, sessions.all())

        return self._job(what, change)

    def list(self) -> Job[None]:
        return self.change("Listing the chats", lambda _: None)

    def open(self, conversation_id: int, through: int = 0) -> Job[OpenedConversation | None]:
        """Read a conversation's branch with the exchange ``through``, 0 for the newest; None if deleted."""
        return self._job("Opening a chat", lambda _: self._opened(conversation_id, through))

    def export(self, conversation_id: int, through: int, path: Path, write: Writer | None) -> Job[Path]:
        """Write a conversation's branch, as of :meth:`open`, to a file; gives its path.

        An existing file is replaced once the new one is complete. ``write`` writes to the path it receives;
        None writes Markdown.
        """

        def export(_: RAGSystem, __: Job[Path]) -> Path:
            opened = self._opened(conversation_id, through)
            if opened is None:
                raise UserError(Message("workers.chat_deleted"))
            with writing(path):
                replace_file(path, partial(write or _write_markdown, opened))
            return path

        return self._workers.job(Lane.READ, "Exporting a chat", export, key="long")

    def _opened(self, conversation_id: int, through: int) -> OpenedConversation | None:
        sessions = self._rag.conversations
        conversation = sessions.conversation(conversation_id)
        if conversation is None:
            return None
        return OpenedConversation(conversation, sessions.exchanges(conversation_id, through or None))


class AnswerOperations(Operations):
    """Run side by side in the loop; a cancelled answer still reports what has arrived.

    ``ports`` are those at which programs on this computer are looked for.
    """

    def __init__(self, workers: LibraryWorkers) -> None:
        super().__init__(workers, "", Lane.NETWORK)
        self.ports: Mapping[str, int] = PROGRAM_PORTS

    def ask(
        self,
        question: str,
        conversation_id: int | None,
        scope: Scope,
        parent_id: int | None = None,
        kind: str = "",
    ) -> Job[None]:
        """Answer a question; the events are AnswerEvents.

        Args:
            question: as typed.
            conversation_id: None begins a new conversation; AnswerStarted carries its id.
            scope: of the question.
            parent_id: the exchange it follows; None for the newest, ``BEFORE_ALL`` for none.
            kind: of what is written instead of an answer; empty for an answer.
        """

        def answer(_: Job[None]) -> AsyncGenerator[AnswerEvent, None]:
            rag = self._rag
            return rag.answers.query(
                question,
                rag.answers.connection(self._workers.stored_key()),
                conversation_id=conversation_id or rag.conversations.create_session(scope),
                parent_id=parent_id,
                scope=scope,
                kind=kind,
            )

        return self._job("Answering a question", answer)

    def look_again(self, exchange: Exchange) -> Job[None]:
        """Put what was not found of an answer to a model; the event is the Exchange with its verdicts."""

        def look(_: Job[None]) -> AsyncGenerator[Exchange, None]:
            return self._rag.answers.look_again(
                exchange, self._rag.answers.connection(self._workers.stored_key())
            )

        return self._job("Looking at an answer again", look)

    def test_connection(self, settings: Settings, new_key: str | None, use_stored: bool) -> Job[None]:
        """Check what a model server can do; the events are ConnectionChecks and a tuple of ModelInfo.

        Args:
            settings: of the server and model; need not be saved.
            new_key: as typed; None for the existing key.
            use_stored: whether a stored key may be used; one in the environment always is.
        """

        def check(_: Job[None]) -> Events[ConnectionCheck | tuple[ModelInfo, ...]]:
            hide(new_key or "")
            key, origin = self._workers.keys.read(settings.base_url, settings.provider)
            if origin is not KeyOrigin.ENVIRONMENT:
                key = new_key or (key if use_stored else None)
            connection = self._rag.answers.connection(key, settings)
            if connection is None:
                no_key = ConnectionCheck("key", False, Message("answers.check_no_key"))
                return (check for check in (no_key,))
            return self._rag.answers.check_connection(connection)

        return self._job("Trying the connection", check)

    def tell_spending(self) -> Job[None]:
        """Emit ``workers.spent`` with the cost of this month's answers."""

        def add_up(rag: RAGSystem, _: Job[None]) -> None:
            try:
                self._workers.send(self._workers.spent.emit, rag.answers.spending())
            except LecternError as error:
                _log.warning("The spending cannot be read: %s", error)

        return self._workers.job(Lane.READ, "Adding up what was spent", add_up, key="conversations")

    def price_scope(self, scope: Scope) -> Job[WholeScope | None]:
        """Give what will be sent along with each question of a scope, and its price; None if nothing."""

        def price(rag: RAGSystem, _: Job[Any]) -> WholeScope | None:
            if scope.is_everything or not rag.settings.whole_scope_tokens:
                return None
            connection = rag.answers.connection(self._workers.stored_key())
            return None if connection is None else rag.answers.whole_scope(scope, connection)

        titles, what = self._workers.remote.titles, "Pricing what is sent along"
        is_shared = any(part.title in titles for part in scope_parts(scope))  # its server is asked
        lane, key = (Lane.NETWORK, "shared reading") if is_shared else (Lane.READ, "library")
        return self._workers.job(lane, what, price, key=key)

    def list_models(self) -> Job[tuple[ModelInfo, ...]]:
        """Ask the model server for its models; gives none if it does not list them."""
        return self._workers.job(
            Lane.NETWORK, "Listing the models", lambda *_: self._models(self._workers.stored_key(), None)
        )

    def look_at_server(self, settings: Settings, new_key: str | None) -> Job[None]:
        """Find out what is known of another server; the events are a KeyStatus and a tuple of ModelInfo."""

        def look(job: Job[None]) -> None:
            hide(new_key or "")
            server = settings.base_url, settings.provider
            job.tell(self._workers.keys.status(*server))
            key, origin = self._workers.keys.read(*server)
            key = key if origin is KeyOrigin.ENVIRONMENT else new_key or key
            job.tell(self._models(key, settings))

        return self._job("Looking at a server", look)

    def _models(self, key: str | None, settings: Settings | None) -> tuple[ModelInfo, ...]:
        try:
            return self._rag.answers.list_models(key, settings)
        except LecternError as error:
            _log.info("The server's models could not be listed: %s", error)
            return ()

    def find_ways(self) -> Job[FoundWays]:
        """Find out what can write answers here; takes half a second the first time."""

        def find(_: Job[FoundWays]) -> FoundWays:
            # Here: the window is painted before asyncio and the core are imported.
            import asyncio

            from app.core.answers.providers.found_servers import find_servers
            from app.core.local_models.service import LEAST_MEMORY

            models, settings = self._rag.local_models, self._rag.settings
            offers = sorted(models.offers(), key=lambda one: one.id != settings.model)
            here = next((model for model in offers if model.is_installed), None)
            local = here or models.recommended() or Message("local.too_little_memory", least=LEAST_MEMORY)
            servers = asyncio.run(find_servers(self.ports))
            has_key, missing = self._workers.keys.read()[0] is not None, ""
            if settings.provider == "local":
                try:
                    models.path(settings.model)
                except UserError:
                    missing = settings.model
            return FoundWays(has_key, local, servers, missing)

        return self._job("Looking for models", find)

    def download(self, model: str) -> Job[None]:
        """Download a model that Lectern runs itself; the events are Transferred."""

        def download(job: Job[None]) -> None:
            def tell(step: Message) -> None:
                done, total = (int(str(step.arguments[name])) for name in ("done", "total"))
                job.tell(Transferred(done * _MEGABYTE, total * _MEGABYTE))

            self._rag.local_models.download(model, job.token, tell)

        return self._job("Downloading a model", download)

    def pull(self, model: str, port: int) -> Job[None]:
        """Have Ollama download a model; the events are Transferred."""

        def begin(_: Job[None]) -> AsyncGenerator[Transferred, None]:
            from app.core.answers.providers.found_servers import pull

            return pull(model, port)

        return self._job("Downloading a model", begin)


def _write_markdown(opened: OpenedConversation, path: Path) -> None:
    # Here: the window imports this module before its first frame, and the core after it.
    from app.core.conversations.markdown_export import conversation_markdown

    path.write_text(conversation_markdown(opened), encoding="utf-8", newline="\n")


_EVENT_EVERY = 0.05  # seconds; otherwise thousands of small files would flood the window
_SNAPSHOT_EVERY = 1.5

# A pause takes effect after these: nothing is locked, and no document is half done.
_RESTS = (FileStarted, Hearing, IngestProgress, RecognizingPages)
_NEVER_LEFT_OUT = (CourseRenamed, IndexProgress, LibraryExported, LibraryImported)


class Rested(NamedTuple):
    resting: bool


class Preparing(NamedTuple):
    """Another embedding model is being prepared before the first file is read."""

    step: Message


class IngestOperations(Operations):
    """Their events are IngestEvents, :class:`Rested` and :class:`Preparing`."""

    def __init__(self, workers: LibraryWorkers) -> None:
        super().__init__(workers, "", Lane.WRITE)

    def rename_course(self, old: str, new: str) -> Job[None]:
        """Give a course another title; the library is shown as soon as it has it."""

        def rename(rag: RAGSystem, job: Job[None]) -> Iterator[IngestEvent]:
            for event in rag.ingest.rename_course(old, new, job.token):
                yield event
                if isinstance(event, CourseRenamed):
                    self._workers.send_snapshot()

        return self.run(rename)

    def reindex(self) -> Job[None]:
        """Split and embed the library again with the current settings, unless an earlier job has done so.

        The only operation that downloads models; a download that was cancelled or failed is resumed.
        """

        def reindex(rag: RAGSystem, job: Job[None]) -> Iterator[IngestEvent]:
            yield from rag.reindex.ensure_current(
                job.token, lambda step: job.tell(Preparing(step)), download=True
            )

        return self.run(reindex)

    def transcribe(self, path: str, model: str, language: str, *, by_battery: bool) -> Job[None]:
        """Hear a recording in the background, also one that another model has heard.

        The model is downloaded if it is not here. Unless ``by_battery``, it ends where the mains do.
        """

        def transcribe(rag: RAGSystem, job: Job[None]) -> Iterator[IngestEvent]:
            if any(one.id == model and not one.is_installed for one in rag.hearing.models()):
                rag.hearing.download(model, job.token, lambda step: job.tell(Preparing(step)))
            for event in rag.hearing.transcribe([Path(path)], model, language, job.token, again=True):
                if isinstance(event, Hearing) and not by_battery and is_on_battery():
                    return
                yield event

        return self.run(transcribe, background=True)

    def correct(self, document_id: int, start: int, end: int, text: str) -> Job[None]:
        """Put other words in the place of a span of a transcript."""
        return self.run(lambda rag, job: rag.hearing.correct(document_id, start, end, text, job.token))

    def restore(self, backup: Backup) -> Job[None]:
        """Put a backup in the place of the library, then open that or show it."""

        def restore(rag: RAGSystem, job: Job[None]) -> Iterator[IngestEvent]:
            yield from rag.restore(backup, job.token)
            self._workers.show_restored()

        return self.run(restore)

    def run(
        self, work: Callable[[RAGSystem, Job[None]], Iterator[IngestEvent]], *, background: bool = False
    ) -> Job[None]:
        """Do what changes documents, one after the other; the library is shown as it grows."""

        def read(rag: RAGSystem, job: Job[None]) -> Generator[object, None, None]:
            try:
                yield from paced(work(rag, job), job.token, self._workers.send_snapshot)
            finally:
                self._workers.show_library()

        return self._workers.job(Lane.WRITE, "Reading files", read, background=background)


def course_file_endings() -> tuple[str, ...]:
    """Return the endings of all readable files, such as ``".txt"``."""
    # Here: the registry imports all readers, and the first picture of the window would wait for them.
    from app.core.documents.formats import FORMATS
    from app.core.documents.libreoffice import CONVERTED

    return (*(ending for one in FORMATS for ending in one.endings), *CONVERTED)


def can_be_opened(path: str) -> bool:
    """Whether another program may open a file: computers show or play it, and do not run it."""
    from app.core.documents.formats import is_source_code
    from app.core.documents.recordings import RECORDING_ENDINGS

    endings = (*course_file_endings(), *RECORDING_ENDINGS)
    return Path(path).suffix.lower() in endings and not is_source_code(Path(path))


def paced(
    events: Iterator[IngestEvent], token: CancelToken, show_library: Callable[[], None]
) -> Iterator[IngestEvent | Rested]:
    """Thin out events that come too fast to be seen, and hold the work while it is paused.

    ``show_library`` is called every 1.5 s and when a pause begins.
    """
    sent, shown = 0.0, time.monotonic()
    done: IngestDone | None = None
    for event in events:
        now = time.monotonic()
        if isinstance(event, IngestDone):
            done = event  # yielded last: index progress can follow it, and a reindex comes before it
        elif isinstance(event, _NEVER_LEFT_OUT) or now - sent >= _EVENT_EVERY:
            yield event
            if not isinstance(event, FileDone):  # the start of the next file follows at once
                sent = now
        if now - shown >= _SNAPSHOT_EVERY:
            show_library()
            shown = now
        if token.paused and isinstance(event, _RESTS):
            yield event
            show_library()
            yield Rested(True)
            token.rest()
            yield Rested(False)
            shown = time.monotonic()
    if done is not None:
        yield done


class Workers(LibraryWorkers):
    """The operations by subject."""

    def __init__(self) -> None:
        super().__init__()
        self.library = LibraryOperations(self)
        self.ingest = IngestOperations(self)
        self.conversations = ConversationOperations(self)
        self.answers = AnswerOperations(self)
