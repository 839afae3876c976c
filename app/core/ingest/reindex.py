"""Keeps the passages of a library in line with the embedding model and the chunk settings."""

from __future__ import annotations

import time
from collections import Counter
from contextlib import suppress
from typing import TYPE_CHECKING, NamedTuple

from app.core.documents.text.languages import ENGLISH, language_of
from app.core.documents.text.passages import ChunkSettings
from app.domain.embedding_models import MULTILINGUAL, model_choice
from app.domain.errors import ModelMissing, UserError
from app.domain.messages import Message

if TYPE_CHECKING:
    from collections.abc import Callable, Generator, Iterator, Mapping, Sequence

    import numpy as np
    from numpy.typing import NDArray

    from app.config.settings import CurrentSettings, Settings
    from app.core.embedding.embedder import Embedder
    from app.core.ingest.run import Ingestion
    from app.core.search.index import SearchIndex
    from app.core.storage.catalog import Catalog
    from app.core.storage.database import Database
    from app.core.storage.documents import FileRecord
    from app.domain.cancel import CancelToken
    from app.domain.events import IngestEvent

VERSION_KEY = "cut"
_CHANGED_KEY = "cut_at"


_FOREIGN_DOCUMENTS = 1 / 3
_FOREIGN_QUESTIONS = 3


class IndexVersion(NamedTuple):
    """The model and settings that a library's passages were made with; stored as ``model|size|overlap``."""

    model: str  # id; empty while the library holds vectors of two models
    size: int = 0  # target length of a passage in characters; 0 until a reindex has finished
    overlap: int = 0  # characters shared with the previous passage

    def __str__(self) -> str:
        return f"{self.model}|{self.size}|{self.overlap}" if self.size else f"{self.model}|"

    @classmethod
    def parse(cls, text: str) -> IndexVersion:
        """Parse a stored version; malformed text counts as unfinished."""
        model, _, sizes = text.partition("|")
        size, _, overlap = sizes.partition("|")
        try:
            return cls(model, int(size), int(overlap))
        except ValueError:
            return cls(model)


class ReindexService:
    """Tracks the version of the index and rebuilds it after a change of settings."""

    def __init__(
        self,
        database: Database,
        catalog: Catalog,
        index: SearchIndex,
        embedder: Embedder,
        settings: CurrentSettings,
    ) -> None:
        self._db = database
        self._catalog = catalog
        self._index = index
        self._embedder = embedder
        self._settings = settings

    def version(self, settings: Settings | None = None) -> IndexVersion:
        """Return the version for the active model and, by default, the current settings."""
        settings = settings or self._settings.value
        return IndexVersion(self._embedder.model_id, settings.chunk_size, settings.chunk_overlap)

    def needed(self) -> bool:
        """Whether the library was built with settings other than the current ones."""
        return self._embedder.is_waiting or self.is_outdated()

    def is_outdated(self) -> bool:
        """Whether it was built with another model than the one in use, or other sizes of passages."""
        is_other = self._stored() not in (None, self.version())
        return is_other and self._catalog.courses.counts().documents > 0

    def has_same_model(self) -> bool:
        """Whether the stored vectors come from the active model; vectors of two models never mix."""
        stored = self._stored()
        return stored is None or stored.model == self._embedder.model_id

    def changed_at(self) -> float:
        """Return when the version last changed, in seconds since the epoch; 0 if never."""
        return float(self._db.meta(_CHANGED_KEY) or 0)

    def choose_model(self, setting: str) -> None:
        """Choose the model that a value of the setting names, for use once the library is embedded with it.

        Raises:
            ModelMissing: it cannot be used; nothing was changed.
        """
        self._embedder.choose(model_choice(setting))

    def check_model(self, setting: str) -> None:
        """Raise what :meth:`choose_model` would raise, without changing anything."""
        self._embedder.check(model_choice(setting))

    def wants_all_languages(self, questions: Sequence[str]) -> bool:
        """Whether the model for English is in use, but much of the library or most questions are not English.

        False where the model for all languages cannot be used.
        """
        if not self._embedder.is_default:
            return False
        documents = Counter(self._catalog.documents.languages())
        documents.pop("", None)  # unknown
        asked = Counter(language_of(question) for question in questions)
        if not (
            _foreign(documents) >= _FOREIGN_DOCUMENTS * sum(documents.values()) > 0
            or _foreign(asked) >= _FOREIGN_QUESTIONS
        ):
            return False
        with suppress(ModelMissing):
            self.check_model(MULTILINGUAL)
            return True
        return False

    def run(
        self,
        token: CancelToken,
        progress: Callable[[Message], None] = lambda _: None,
        *,
        download: bool = False,
    ) -> Generator[IngestEvent, None, IndexVersion]:
        """Split and embed every document again from its stored text; return the new version.

        If cancelled, :meth:`needed` stays true.

        Args:
            token: checked between files and between batches of passages.
            progress: receives the steps of preparing another model.
            download: fetch a chosen model that is not here, instead of keeping the previous one.

        Raises:
            ModelMissing: the chosen model cannot be loaded; nothing was changed.
            LecternError: it cannot be downloaded now; nothing was changed.
        """
        self._embedder.take(token, progress, download=download)
        same_model = self.has_same_model()
        version = self.version()  # the settings may change before everything is done
        ingestion = self.ingestion(token, version=version, reuse=same_model)
        # Until the run ends, the library holds passages of two versions. The unfinished mark makes an
        # interrupted run start again whatever the settings are then, and covers documents restored meanwhile.
        self._store(IndexVersion(self._embedder.model_id if same_model else ""))
        yield from ingestion.reindex()
        self._store(version)
        if not same_model:
            self._index.rebuild()  # it takes vectors of one length only
        yield from self._index.catch_up(token)
        return version

    def ensure_current(
        self,
        token: CancelToken,
        progress: Callable[[Message], None] = lambda _: None,
        *,
        download: bool = False,
    ) -> Iterator[IngestEvent]:
        """Reindex if needed, so that new documents match the existing ones; see :meth:`run`."""
        if self._embedder.is_waiting:
            self._embedder.take(token, progress, download=download)
        if self.is_outdated():
            yield from self.run(token, progress)
        elif self._stored() is None or not self._catalog.courses.counts().documents:
            self._store(self.version())

    def vector_of(self, title: str, token: CancelToken) -> NDArray[np.float32]:
        """Return the vector of a course's title, shape (dimension,)."""
        self._embedder.prepare(token)
        vector: NDArray[np.float32] = self._embedder.embed_passages([title], token)[0]
        return vector

    def recut(self, token: CancelToken, records: Sequence[FileRecord]) -> Iterator[IngestEvent]:
        """Split and embed these documents again; any in the trash are restored."""
        with self._embedder.restoring:
            self._embedder.prepare(token)
            yield from self.ingestion(token, reuse=False).reindex(records)

    def ingestion(
        self,
        token: CancelToken,
        catalog: Catalog | None = None,
        version: IndexVersion | None = None,
        *,
        reuse: bool = True,
        samples: bool = False,
    ) -> Ingestion:
        """Return an ingestion that stores documents in a version, by default in this library's.

        Args:
            token: checked between files and between batches of passages.
            catalog: where documents are stored; this library's by default.
            version: gives the chunk sizes.
            reuse: keep stored vectors of unchanged passages.
            samples: use the vectors that come with the sample courses.

        Raises:
            UserError: the library was opened for reading only.
        """
        if self._db.read_only:
            raise UserError(Message("storage.read_only"))
        # Imported here because the readers of all formats would delay opening a library.
        from app.core.ingest.commit import RunCounts, Storing
        from app.core.ingest.run import Ingestion

        catalog, version = catalog or self._catalog, version or self.version()
        chunking = ChunkSettings(version.size, version.overlap)
        embedder = self._embedder.for_samples() if samples else self._embedder
        return Ingestion(Storing(catalog, embedder, chunking, RunCounts(token), reuse))

    def _stored(self) -> IndexVersion | None:
        text = self._db.meta(VERSION_KEY)
        return None if text is None else IndexVersion.parse(text)

    def _store(self, version: IndexVersion) -> None:
        if self._stored() != version:
            self._db.set_meta(VERSION_KEY, str(version))
            self._db.set_meta(_CHANGED_KEY, repr(time.time()))


def _foreign(languages: Mapping[str, int]) -> int:
    """Return how many are in a known language that is not English."""
    return sum(count for language, count in languages.items() if language not in ("", ENGLISH))
