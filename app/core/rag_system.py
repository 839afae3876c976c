"""RAGSystem: the one door to the library, for workers and the command line."""

from __future__ import annotations

import asyncio
import time
from contextlib import aclosing
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from app.config.paths import resource_path
from app.config.settings import adopt, portable
from app.core.answers.ai_generator import AIGenerator, GenerationEnd, GenerationEvent, ModelSettings
from app.core.answers.connections import (
    USUAL_LIMITS,
    check_connection,
    list_models,
    model_settings,
)
from app.core.answers.costs import price_list
from app.core.answers.passage_answer import passage_answer, worth_showing
from app.core.answers.providers.anthropic.server_traits import ServerMemory
from app.core.answers.tools import course_tools
from app.core.conversations.autosave import Autosave
from app.core.conversations.session_manager import SessionManager
from app.core.conversations.spending import month_start, spent_since
from app.core.documents.text.passages import ChunkSettings
from app.core.embedding.model_switch import ModelSwitch
from app.core.ingest.watch.availability import is_gone, is_reachable
from app.core.ingest.watch.watch_list import WatchList
from app.core.search.chroma.index_sync import IndexSync
from app.core.search.chroma.vector_store import VectorStore
from app.core.search.course_resolver import CourseResolver, Resolution
from app.core.search.lexical import TextIndex
from app.core.search.metadata_filter import MetadataFilter
from app.core.search.retriever import Retriever
from app.core.search.source_text import source_of
from app.core.search.terms import Terms
from app.core.search.vectors import StoredVectors
from app.core.storage.catalog import TRASH_DAYS, Catalog
from app.core.storage.database import Database
from app.core.transfer.archive import Archive
from app.core.transfer.service import Importer, clear_leftovers, export_library
from app.core.trash.service import TrashService
from app.domain.conversations import Exchange, ExchangeState
from app.domain.errors import KeyProblem, LecternError, LibraryUnusable, TemporaryError, UserError
from app.domain.events import (
    AnswerCitation,
    AnswerDone,
    AnswerInterrupted,
    AnswerStarted,
    AnswerText,
    AnswerUsage,
    SearchStarted,
    SourcesFound,
)
from app.domain.scope import Scope
from app.domain.search import SearchResults, are_covered

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, AsyncIterator, Callable, Iterator, Sequence

    from app.config.settings import Settings
    from app.core.embedding.embedder import Embedder
    from app.core.ingest.run import Ingestion
    from app.core.storage.catalog import FileRecord
    from app.domain.cancel import CancelToken
    from app.domain.conversations import ChatMessage, Conversation
    from app.domain.courses import Course, LibraryCounts
    from app.domain.events import AnswerEvent, IndexProgress, IngestEvent
    from app.domain.model_servers import ConnectionCheck, ModelInfo, Spending
    from app.domain.plan import Corrections, IngestPlan
    from app.domain.search import SearchHit
    from app.domain.sources import LessonText, Source, SourceState
    from app.domain.watching import FolderSettled, WatchedPath

__all__ = ["RAGSystem", "list_models", "model_settings"]

_HITS_WITHIN_CHARACTERS = 30  # hits at most where their text is limited instead
_DAY = 86_400.0


class RAGSystem:
    """A library of courses: adds to it, searches it, answers from it.

    Opened in steps, so that a window can show what is there before everything is loaded:
    :meth:`open`, then :meth:`prepare_model`, then :meth:`open_index`. After :meth:`open` courses
    and conversations can be listed; after :meth:`prepare_model` it can be searched.

    Args:
        data_dir: directory of the library.
        settings: see :class:`app.config.settings.Settings`.
        embedder: the embedding model, not loaded yet.
        read_only: works beside another process that writes; adds nothing and opens no Chroma.
    """

    def __init__(
        self, data_dir: Path, settings: Settings, embedder: Embedder, *, read_only: bool = False
    ) -> None:
        self.settings = settings
        self._model = ModelSwitch(embedder)
        self.database = Database(data_dir, read_only=read_only)
        self.catalog = Catalog(self.database)
        self.sessions = SessionManager(self.database)
        self.vector_store = None if read_only else VectorStore(data_dir / "chroma")
        self.index = None if self.vector_store is None else IndexSync(self.catalog, self.vector_store)
        self.housekeeping = TrashService(self.database, self.catalog, self.index, self._cut_stored)
        self.watch_list = WatchList(self.database)
        self._terms = Terms()
        self.model_limits = USUAL_LIMITS
        self._server_memory = ServerMemory()
        self._generator: AIGenerator | None = None
        self._connection: ModelSettings | None = None
        self._retired: list[AIGenerator] = []  # of settings before; answers may still come through them
        self._answering = 0
        self._resolver = CourseResolver(self._model.embed_query, self._terms)
        self._retriever = Retriever(
            self.database,
            StoredVectors(self.database),
            TextIndex(self.database),
            self.vector_store,
            self._terms,
            self._model,
        )

    # Opening and closing

    def open(self, progress: Callable[[str], None] = lambda _: None) -> None:
        """Open the library file.

        Args:
            progress: told in sentences what takes long: bringing an earlier version's up to date.

        Raises:
            LibraryLocked: another Lectern writes to it.
            LibraryUnusable: the directory or the file can not be used.
        """
        self.database.open(progress)
        if not self.database.read_only:
            try:
                clear_leftovers(self.database.data_dir)
                self.sessions.close_interrupted()
                self.sessions.empty_trash(older_than=time.time() - TRASH_DAYS * _DAY)
            except BaseException:
                self.database.close()
                raise

    def prepare_model(self, token: CancelToken, progress: Callable[[str], None] | None = None) -> None:
        """Load the embedding model; the first time on a computer it is exported, with progress.

        Raises:
            ModelMissing: there is none that can be used.
        """
        self._model.prepare(token, progress)

    def choose_model(self, folder: str) -> None:
        """Have another embedding model used as soon as the library is embedded anew with it.

        Args:
            folder: of the model, as in the settings; empty for the default.

        Raises:
            ModelMissing: it can not be used; nothing was changed.
        """
        self._model.choose(Path(folder) if folder else None)

    def check_model(self, folder: str) -> None:
        """Only look whether :meth:`choose_model` would raise."""
        self._model.check(Path(folder) if folder else None)

    def load_vectors(self) -> None:
        """Load the vectors that searches compare with; without it the first search does."""
        self._retriever.load()

    def open_index(self, token: CancelToken) -> Iterator[IndexProgress]:
        """Open Chroma and tell it what it has missed."""
        if self.index is not None:
            self.index.open()
            yield from self.index.catch_up(token)

    def tidy(self, token: CancelToken) -> Iterator[None]:
        """Delete what was in the trash for too long and give its room back, in steps of some milliseconds."""
        yield from self.housekeeping.expire(token)

    def close(self) -> None:
        """Close everything in order. Idempotent; nothing else may be running."""
        if self.index is not None:
            self.index.close()
        self._model.close()
        self.database.close()

    # What is there

    def courses(self) -> tuple[Course, ...]:
        """Return all courses with their lessons."""
        return self.catalog.courses()

    def counts(self) -> LibraryCounts:
        """Return how much can be searched."""
        return self.catalog.counts()

    def conversations(self) -> tuple[Conversation, ...]:
        """Return the saved conversations, newest first."""
        return self.sessions.conversations()

    # Adding and removing

    def plan(
        self, paths: Sequence[Path], token: CancelToken, corrections: Corrections | None = None
    ) -> IngestPlan:
        """Return what :meth:`add_course_folder` would do, without reading the files.

        Args:
            paths: folders and files, chosen or remembered.
            token: checked while folders are listed.
            corrections: tried out, not remembered.

        Raises:
            UserError: the only chosen path is gone or can not be listed.
        """
        # Here for the same reason as ingestion, whose readers say what can be read.
        from app.core.courses.planning import make_plan

        return make_plan(self.catalog, paths, token, corrections)

    def add_course_folder(
        self,
        paths: Sequence[Path],
        token: CancelToken,
        *,
        is_sample: bool = False,
        clear: bool = False,
        corrections: Corrections | None = None,
    ) -> Iterator[IngestEvent]:
        """Add or refresh folders and files; see :meth:`Ingestion.run`. They are kept up with from now on.

        ``corrections`` belong to the plan of the same paths, and are remembered.
        """
        ingestion = self._ingestion()
        self.watch_list.check(paths)
        yield from self.ensure_current(token)
        if clear:
            if not any(path.exists() for path in paths):
                message = "Nothing of what you chose is there any more. Nothing was changed; choose again."
                raise UserError(message)
            self.watch_list.clear()
        if not is_sample:
            # Before they are read, so that what is interrupted goes on at the next start.
            self.watch_list.add(paths)
        yield from ingestion.run(paths, token, is_sample=is_sample, clear=clear, corrections=corrections)
        yield from self._catch_up(token)

    def sync_folders(self, changes: Sequence[FolderSettled], token: CancelToken) -> Iterator[IngestEvent]:
        """Take in what has changed in watched folders, and take out what is gone from them.

        What is still being written is left alone, and so is what people took out of the library.
        """
        watched = {item.path for item in self.watch_list.paths()}  # it may have changed since they were seen
        changes = [item for item in changes if item.watched.path in watched]
        within_reach = [item.watched for item in changes if _is_within_reach(item.watched)]
        gone = {item.path for item in within_reach if not item.is_folder and is_gone(item.path)}
        there = [item for item in within_reach if item.path not in gone]
        leave = self.watch_list.removed().union(*(item.unsettled for item in changes))
        yield from self.ensure_current(token)
        yield from self._ingestion().run(
            [item.path for item in there], token, leave=leave, gone={str(path) for path in gone}
        )
        for item in there:
            self.watch_list.handled(item)
        yield from self._catch_up(token)

    def wants_samples(self) -> bool:
        """Whether this library is new: nothing but samples, not all of them, was ever in it."""
        return self.database.meta("samples") is None and all(item.is_sample for item in self.courses())

    def add_samples(self, token: CancelToken) -> Iterator[IngestEvent]:
        """Add the sample courses, once in a library's life."""
        yield from self.add_course_folder([resource_path("docs/courses")], token, is_sample=True)
        self.database.set_meta("samples", "added")

    def needs_reindex(self) -> bool:
        """Whether the library was cut or embedded with other settings than now."""
        if self._model.is_waiting:
            return True
        stored = self.database.meta("cut")
        return stored is not None and stored != self._how_cut() and self.counts().documents > 0

    def reindex(
        self, token: CancelToken, progress: Callable[[str], None] | None = None
    ) -> Iterator[IngestEvent]:
        """Cut and embed everything anew with the settings of now, without reading a file.

        Args:
            token: stops between two documents; :meth:`needs_reindex` says then that it is to be done.
            progress: told in sentences how another model is prepared.

        Raises:
            ModelMissing: the model that was chosen can not be loaded; nothing was changed.
        """
        self._model.take(token, progress)
        same_model = self._same_model()
        how = self._how_cut()  # the settings may change before everything is done
        ingestion = self._ingestion(reuse=same_model)
        # Until it is done the library is cut in two ways: whichever settings hold then, it is done again,
        # and what comes out of the trash meanwhile is cut anew as well.
        self.database.set_meta("cut", f"{self._model.model_id if same_model else ''}|")
        self.housekeeping.remember_cut()
        yield from ingestion.reindex(token)
        self._remember_cut(how)
        if self.index is not None and not same_model:
            self.index.start_over()
        yield from self._catch_up(token)

    def ensure_current(
        self, token: CancelToken, progress: Callable[[str], None] | None = None
    ) -> Iterator[IngestEvent]:
        """Have everything cut and embedded as what is read next will be; see :meth:`reindex`."""
        if not self.counts().documents:
            self._model.take(token, progress)
            self._remember_cut(self._how_cut())
        elif self.needs_reindex():
            yield from self.reindex(token, progress)
        elif self.database.meta("cut") is None:
            self._remember_cut(self._how_cut())

    def remove_courses(self, titles: Sequence[str], token: CancelToken) -> None:
        """Put courses into the trash; they leave every search at once."""
        records = [record for title in titles for record in self.catalog.files_of_course(title)]
        self.housekeeping.remove([record.document_id for record in records], token)

    def export_library(self, path: Path, token: CancelToken) -> Iterator[IngestEvent]:
        """Write courses, conversations and settings to one file; the last event is ``LibraryExported``."""
        yield from export_library(self.database, path, portable(self.settings), token)

    def import_library(
        self, path: Path, token: CancelToken, *, replace: bool = False
    ) -> Iterator[IngestEvent]:
        """Take an exported file in, whole or not at all; the last event is ``LibraryImported``.

        The archive's settings hold from then on where it takes the library's place, or comes into an
        empty one; whoever stores settings has to store those.

        Args:
            path: of the archive.
            token: ends it; nothing is changed then.
            replace: take out everything that is there first.

        Raises:
            UserError: the archive can not be used; nothing was changed.
        """
        before = self.settings
        with Archive(path) as archive:
            takes = archive.contents.settings if replace or not self.counts().documents else {}
            try:
                self.settings = adopt(before, takes)
                if archive.contents.cut != self._how_cut() or self.needs_reindex():
                    self._model.take(token)
                if self.needs_reindex() and not replace:
                    yield from self.reindex(token)
                importer = Importer(
                    self.database,
                    self._how_cut(),
                    self._model.dimension,
                    lambda catalog: self._ingestion(catalog, reuse=False),
                )
                done = yield from importer.run(archive, token, replace=replace, settings=takes)
            except BaseException:
                self.settings = before
                raise
        yield from self._catch_up(token)
        if replace:
            yield from self.housekeeping.give_back_space(token)
        yield done

    # Searching

    def search(
        self,
        query: str,
        course_name: str | None = None,
        lesson_number: int | None = None,
        scope: Scope | None = None,
        limit: int | None = None,
        max_chars: int | None = None,
    ) -> SearchResults:
        """Find passages in two stages: the course by its name, then its passages.

        Args:
            query: in any words.
            course_name: a title, part of one, initials, or what it is about.
            lesson_number: only this lesson; 0 is a lesson like any other.
            scope: what the user restricted the question to; always enforced.
            limit: passages at most; the setting by default.
            max_chars: instead of passages of the usual size, windows whose texts together stay
                within this many characters.
        """
        scope = scope or Scope()
        titles: tuple[str, ...] | None = None
        message = None
        if course_name is not None and course_name.strip():
            resolution = self._resolve(course_name)
            titles, message = resolution.titles, resolution.message
            if not titles:
                return SearchResults(query, None, (), message)
        if limit is None:
            limit = _HITS_WITHIN_CHARACTERS if max_chars is not None else self.settings.passages_per_search
        passage_filter = MetadataFilter(None if titles is None else frozenset(titles), lesson_number, scope)
        while True:
            generation = self.database.meta("generation")
            with self._model.searching:
                by_meaning = self._same_model()
                windows = self._retriever.find(
                    query,
                    passage_filter,
                    self.catalog.course_ids(),
                    limit,
                    passage_size=self.settings.chunk_size,
                    characters=max_chars,
                    by_meaning=by_meaning,
                )
            hits = self.catalog.hits(windows)
            # A document that was stored anew in between may be found in neither of its versions.
            if hits or generation == self.database.meta("generation"):
                break
        if not hits and message is None:
            message = self._why_nothing(titles, lesson_number)
        # Without vectors the scores are those of words alone, and say nothing of this kind.
        covered = are_covered(hits) if by_meaning else None
        return SearchResults(
            query, titles[0] if titles and len(titles) == 1 else None, hits, message, covered
        )

    def outline(self, course_name: str, scope: Scope) -> Course | str:
        """Return one course with its lessons, or a sentence saying why not."""
        resolution = self._resolve(course_name)
        if len(resolution.titles) != 1:
            if not resolution.titles:
                return resolution.message or f"No course found matching '{course_name}'."
            return f"'{course_name}' fits several courses: {'; '.join(resolution.titles)}. Name one of them."
        title = resolution.titles[0]
        allowed = {*scope.courses, *(course for course, _ in scope.lessons)}
        if allowed and title not in allowed:
            return f"The user restricted this question to: {'; '.join(sorted(allowed))}."
        course = next(course for course in self.catalog.courses() if course.title == title)
        last = dict(scope.up_to).get(title)
        if last is None:
            return course
        kept = tuple(item for item in course.lessons if item.number is None or item.number <= last)
        return replace(course, lessons=kept)

    def scope_of(self, course_name: str | None, lesson_number: int | None) -> Scope:
        """Return the scope that a course's name and a lesson's number stand for.

        Raises:
            UserError: no course has this name.
        """
        titles = self.catalog.course_titles()
        if course_name:
            resolution = self._resolve(course_name)
            if not resolution.titles:
                raise UserError(resolution.message or f"No course found matching '{course_name}'.")
            titles = resolution.titles
        if lesson_number is not None:
            return Scope(lessons=tuple((title, lesson_number) for title in titles))
        return Scope(courses=titles if course_name else ())

    def make_source(self, n: int, hit: SearchHit) -> Source:
        """Return a hit as source ``n``: with its sentences, the file's hash and a reference."""
        return source_of(self.database.connection, n, hit)

    def document_text(self, document_id: int) -> str:
        """Return the whole text of a document as read."""
        return self.catalog.document(document_id)[0]

    def source_state(self, source: Source) -> SourceState:
        """Return whether the file of a source has changed or left the library since."""
        return self.catalog.source_state(source)

    def lesson_text(self, source: Source) -> LessonText:
        """Return the text to read a source in: its whole lesson if the library still has it."""
        return self.catalog.lesson_text(source)

    # Answering

    def connection(self, key: str | None, settings: Settings | None = None) -> ModelSettings | None:
        """Return whom to ask with this key; None where there is nobody.

        Args:
            key: for the server of the settings.
            settings: other ones than those that hold.
        """
        return model_settings(settings or self.settings, key, self.model_limits)

    def check_connection(
        self, connection: ModelSettings
    ) -> AsyncGenerator[ConnectionCheck | tuple[ModelInfo, ...], None]:
        """Try what a model server can do; see :func:`app.core.answers.connections.check_connection`."""
        return check_connection(connection, self._server_memory)

    def spending(self, now: float | None = None) -> Spending:
        """Return what answers have cost since the month began, in local time."""
        listed = price_list()
        spent = spent_since(self.database, month_start(now), self.settings.monthly_budget)
        return replace(spent, prices=f"{listed.source}, {listed.date}")

    async def query(
        self,
        question: str,
        connection: ModelSettings | None,
        *,
        conversation_id: int | None = None,
        parent_id: int | None = None,
        scope: Scope | None = None,
    ) -> AsyncIterator[AnswerEvent]:
        """Answer a question; saved as it happens when it belongs to a conversation.

        Cancelling the task that iterates ends the answer: the last event is then
        :class:`AnswerInterrupted` with what came.

        Args:
            question: as the user typed it.
            connection: the model to ask; None answers with the passages themselves.
            conversation_id: where to save it; None saves nothing.
            parent_id: the exchange it follows; None for the newest, ``BEFORE_ALL`` for none.
            scope: what the user restricted the question to.
        """
        scope = scope or Scope()
        began = time.monotonic()
        history: list[ChatMessage] = []
        exchange = Exchange(0, None, question, "", ExchangeState.WRITING, scope)
        model = connection.model if connection else None
        if conversation_id is not None:
            history = self.sessions.get_conversation_history(
                conversation_id, self.settings.exchanges_remembered, parent_id
            )
            exchange = self.sessions.begin_exchange(conversation_id, question, scope, model, parent_id)
        exchange = replace(exchange, model=model)
        yield AnswerStarted(exchange, conversation_id or 0)
        if connection is None:
            events = self._answer_with_passages(question, scope)
        else:
            events = self._answer_with_model(question, connection, history, scope)
        sessions = None if conversation_id is None else self.sessions
        try:
            async with aclosing(events), Autosave(sessions, exchange) as draft:
                async for event in events:
                    draft.exchange = exchange = _with(exchange, event)
                    if not isinstance(event, GenerationEnd):
                        yield event
        except asyncio.CancelledError:
            exchange = replace(exchange, state=ExchangeState.STOPPED, stop_reason="stopped")
            yield self._finished(exchange, began, conversation_id)
        except LecternError as error:
            exchange = replace(exchange, state=ExchangeState.FAILED, error=str(error))
            yield replace(
                self._finished(exchange, began, conversation_id),
                needs_key=isinstance(error, KeyProblem),
                temporary=isinstance(error, TemporaryError),
            )
        else:
            yield AnswerDone(
                self._finished(replace(exchange, state=ExchangeState.DONE), began, conversation_id).exchange
            )

    async def _answer_with_passages(
        self, question: str, scope: Scope
    ) -> AsyncGenerator[GenerationEvent, None]:
        yield SearchStarted(question)
        results = await asyncio.to_thread(self.search, question, None, None, scope)
        results = replace(results, hits=worth_showing(results.hits))
        sources = tuple(self.make_source(n, hit) for n, hit in enumerate(results.hits, 1))
        yield SourcesFound(sources)
        text, citations = passage_answer(results, sources)
        done = 0
        for citation in citations:
            yield AnswerText(text[done : citation.answer_end])
            yield AnswerCitation(citation)
            done = citation.answer_end
        if text[done:]:
            yield AnswerText(text[done:])

    async def _answer_with_model(
        self, question: str, connection: ModelSettings, history: Sequence[ChatMessage], scope: Scope
    ) -> AsyncGenerator[GenerationEvent, None]:
        # One generator as long as the settings hold: its connection stays open between questions.
        if self._generator is None or self._connection != connection:
            self._retire()
            self._generator, self._connection = AIGenerator(connection, self._server_memory), connection
        events = self._generator.generate(question, history, scope, course_tools(self, scope))
        self._answering += 1
        try:
            async with aclosing(events):
                async for event in events:
                    yield event
        finally:
            self._answering -= 1
            if not self._answering:
                await self._close_retired()

    async def disconnect(self) -> None:
        """Close the connections to model servers; the next question opens one."""
        self._retire()
        await self._close_retired()

    def _retire(self) -> None:
        if self._generator is not None:
            self._retired.append(self._generator)
        self._generator = None

    async def _close_retired(self) -> None:
        while self._retired:
            await self._retired.pop().aclose()

    def _finished(self, exchange: Exchange, began: float, conversation_id: int | None) -> AnswerInterrupted:
        exchange = replace(exchange, seconds=time.monotonic() - began)
        try:
            if conversation_id is not None:
                self.sessions.save(exchange)
        except LibraryUnusable as error:  # a full disk: the answer is shown, and that it is not kept
            exchange = replace(exchange, state=ExchangeState.FAILED, error=str(error))
        return AnswerInterrupted(exchange)

    # Internals

    def _ingestion(self, catalog: Catalog | None = None, *, reuse: bool = True) -> Ingestion:
        if self.database.read_only:
            message = "This library was opened for reading only."
            raise UserError(message)
        # Here: it brings the readers of all formats along, and a library that is opened would wait.
        from app.core.ingest.commit import Storing
        from app.core.ingest.run import Ingestion

        catalog = catalog or self.catalog
        chunking = ChunkSettings(self.settings.chunk_size, self.settings.chunk_overlap)
        return Ingestion(catalog, Storing(catalog, self._model, self._terms, chunking, reuse=reuse))

    def _how_cut(self) -> str:
        return f"{self._model.model_id}|{self.settings.chunk_size}|{self.settings.chunk_overlap}"

    def _remember_cut(self, how: str) -> None:
        if self.database.meta("cut") != how:
            self.database.set_meta("cut", how)
            self.housekeeping.remember_cut()

    def _cut_stored(self, token: CancelToken, records: Sequence[FileRecord]) -> Iterator[IngestEvent]:
        with self._model.restoring:
            self._model.prepare(token)
            yield from self._ingestion(reuse=False).reindex(token, records)

    def _resolve(self, course_name: str) -> Resolution:
        titles = self.catalog.course_titles()
        with self._model.searching:
            vectors = self.catalog.course_vectors if self._same_model() else None
            return self._resolver.resolve(course_name, titles, vectors)

    def _same_model(self) -> bool:
        """Whether the stored vectors come from the model of now; vectors of two models never mix."""
        stored = self.database.meta("cut")
        return stored is None or stored.partition("|")[0] == self._model.model_id

    def _catch_up(self, token: CancelToken) -> Iterator[IndexProgress]:
        if self.index is not None and self.vector_store is not None and self.vector_store.is_open:
            yield from self.index.catch_up(token)

    def _why_nothing(self, titles: tuple[str, ...] | None, lesson_number: int | None) -> str:
        if not self.counts().passages:
            return "The library is empty. Add a folder with course files first."
        place = f" in {'; '.join(titles)}" if titles else ""
        lesson = f" in lesson {lesson_number}" if lesson_number is not None else ""
        return f"Nothing was found{place}{lesson}."


def _is_within_reach(watched: WatchedPath) -> bool:
    """Whether what is missing there is gone, and not the drive that it lies on."""
    folder = watched.path if watched.is_folder else watched.path.parent
    return is_reachable(folder, was_mount=watched.was_mount)


def _with(exchange: Exchange, event: GenerationEvent) -> Exchange:
    """Return the exchange as it stands after an event."""
    if isinstance(event, AnswerText):
        return replace(exchange, answer=exchange.answer + event.text)
    if isinstance(event, SourcesFound):
        return replace(exchange, sources=exchange.sources + event.sources)
    if isinstance(event, AnswerCitation):
        return replace(exchange, citations=(*exchange.citations, event.citation))
    if isinstance(event, AnswerUsage):
        cost = price_list().cost(exchange.model, event.usage)
        return replace(exchange, usage=replace(event.usage, cost=cost))
    if isinstance(event, GenerationEnd):
        return replace(exchange, stop_reason=event.stop_reason, model=event.model, error=event.note)
    return exchange
