"""The embedding model: finds, downloads and exports it, switches it, embeds questions and passages.

Code that downloads and exports is imported where needed: a start waits for the model to be loaded.
"""

import hashlib
import logging
import threading
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from app.config.paths import resource_path
from app.core.embedding import model_files
from app.core.embedding.graph import BrokenGraph, EmbeddingGraph
from app.core.embedding.model_files import ModelSource, find_model
from app.domain.cancel import CancelToken
from app.domain.embedding_models import CosineScale, HubModel, ModelChoice
from app.domain.errors import ModelMissing
from app.domain.messages import Message

SAMPLE_VECTORS = "resources/samples.npz"

_POLL = 0.1  # seconds between two looks at the token while waiting

_log = logging.getLogger(__name__)


class Embedder:
    """Turns texts into vectors of length 1 with one model, until another, chosen one takes over. Thread-safe.

    Cheap to create. :meth:`prepare` must succeed before anything is embedded.

    The default model stands in for a chosen model of the hub until :meth:`take` has downloaded and exported
    it: nothing else opens a connection.

    Args:
        chosen: the model in the settings; None for the default one.
        cache_dir: holds downloaded and exported models.

    Attributes:
        searching: held while a question's vector is compared with stored ones, so that the model does
            not change meanwhile.
        cache_dir: holds downloaded and exported models.
        restoring: held while documents are embedded by another thread than the one that calls :meth:`take`.
    """

    def __init__(self, chosen: ModelChoice, cache_dir: Path) -> None:
        self.searching = threading.Lock()
        self.restoring = threading.Lock()
        self._chosen = chosen
        must_wait = isinstance(chosen, HubModel) and not model_files.is_exported(chosen, cache_dir)
        self._model = None if must_wait else chosen
        self.cache_dir = cache_dir
        self._loading = threading.Lock()
        self._source: ModelSource | None = None
        self._graph: EmbeddingGraph | None = None

    @property
    def model_id(self) -> str:
        """Name and checksum of the model in use, such as ``all-MiniLM-L6-v2@53aa51172d14``.

        Raises ModelMissing if the folder in the settings is not a usable model.
        """
        return self._find().model_id

    @property
    def dimension(self) -> int:
        """Length of a vector; raises as :attr:`model_id` does."""
        return self._find().dimension

    @property
    def scale(self) -> CosineScale:
        """What makes cosines of vectors comparable with those that the search's constants were fitted to."""
        return self._ready().meta.scale

    @property
    def in_use(self) -> ModelChoice:
        return self._model

    @property
    def is_waiting(self) -> bool:
        """Whether another model was chosen that has not taken over."""
        return self._chosen != self._model

    @property
    def is_default(self) -> bool:
        """Whether the model that comes with Lectern is in use, and stays so."""
        return self._model is None and not self.is_waiting

    @property
    def needs_download(self) -> bool:
        """Whether the model that waits has to be downloaded first."""
        chosen = self._chosen
        if not self.is_waiting or not isinstance(chosen, HubModel):
            return False
        return not model_files.is_downloaded(chosen, self.cache_dir)

    def check(self, chosen: ModelChoice) -> None:
        """Raise ModelMissing if a model cannot be used; one of the hub is looked at when it is downloaded."""
        if chosen == self._model:
            return
        if not isinstance(chosen, HubModel):
            source = find_model(chosen, self.cache_dir)
            if source.folder and not source.graph.exists() and not _can_prepare(source):
                raise ModelMissing(_without_export(source))

    def check_installed(self) -> None:
        """Raise ModelMissing if the model is neither exported nor found, without exporting it."""
        if self.needs_download and isinstance(self._chosen, HubModel):
            raise ModelMissing(Message("embedding.not_downloaded", name=self._chosen.short_name))
        source = self._find()
        if not source.graph.exists():
            if not _can_prepare(source):
                raise ModelMissing(_without_export(source))
            model_files.folder_to_export(source)

    def choose(self, chosen: ModelChoice) -> None:
        """Choose the model for the next :meth:`take`; raises as :meth:`check` does, changing nothing."""
        self.check(chosen)
        from app.core.embedding import hub

        self._chosen = chosen
        hub.delete_unused(chosen, self.cache_dir)

    def prepare(self, token: CancelToken, progress: Callable[[Message], None] = lambda _: None) -> None:
        """Load the model, after exporting it in a child process where that was not done yet.

        Raises ModelMissing if there is no model, or it cannot be exported; cancelling leaves nothing behind.
        """
        while not self._loading.acquire(timeout=_POLL):
            token.check()
        try:
            if self._graph is None:
                self._graph = self._load_or_default(token, progress)
        finally:
            self._loading.release()

    def take(
        self,
        token: CancelToken,
        progress: Callable[[Message], None] = lambda _: None,
        *,
        download: bool = False,
    ) -> None:
        """Load and use the chosen model; until it is loaded the previous one embeds questions.

        Only for the thread that reads files, which embeds nothing meanwhile. The previous one stays in use if
        the chosen one would have to be downloaded and ``download`` is not set, if this is cancelled, or if it
        raises: ModelMissing because the chosen one cannot be exported or loaded, another LecternError
        because it cannot be downloaded now.
        """
        if not self.is_waiting or (self.needs_download and not download):
            self.prepare(token, progress)
            return
        chosen = self._chosen
        if isinstance(chosen, HubModel):
            from app.core.embedding import hub

            hub.download(chosen, self.cache_dir, token, progress)
        source = find_model(chosen, self.cache_dir)
        graph = self._load(source, token, progress)
        model_files.delete_weights(source)
        # Not while the previous one is still being loaded, which would put it in the place of this one.
        with self.restoring, self.searching, self._loading:
            self._model, self._source, self._graph = chosen, source, graph

    def load_ahead(self) -> None:
        """Load the model unless it must be exported first, so that :meth:`prepare` finds it. Never fails."""
        with self._loading, suppress(BrokenGraph, ModelMissing):
            if self._graph is None:
                self._graph = self._open(self._find())

    def model_now(self) -> EmbeddingGraph:
        """Return the model in use, whose vectors stay comparable when another one takes over."""
        return self._ready()

    def embed_query(self, text: str) -> NDArray[np.float32]:
        """Return the vector of a question, shape (dimension,); any text has one, even ""."""
        return self._ready().embed_query(text)

    def likeness_to(self, name: str, titles: NDArray[np.float32]) -> NDArray[np.float32]:
        """Return how alike a course's name is to titles, vectors of shape (n, dimension)."""
        graph = self._ready()
        return graph.meta.names.of(graph.embed_query(name), titles)

    def embed_passages(self, texts: Sequence[str], token: CancelToken) -> NDArray[np.float32]:
        """Return the vectors of passages, shape (n, dimension), in order; ``token`` stops between batches."""
        return self._ready().embed_passages(texts, token)

    def for_samples(self) -> "ReadyMade":
        """Return what embeds the sample courses: the model, except for vectors that came with the program."""
        return ReadyMade(self)

    def close(self) -> None:
        """Release the model's memory; :meth:`prepare` loads it again."""
        with self._loading:
            self._graph = None

    def _find(self) -> ModelSource:
        if self._source is None:
            self._source = find_model(self._model, self.cache_dir)
        return self._source

    def _ready(self) -> EmbeddingGraph:
        graph = self._graph
        if graph is None:
            raise RuntimeError("Embedder.prepare() must succeed before anything is embedded")
        return graph

    def _load_or_default(self, token: CancelToken, progress: Callable[[Message], None]) -> EmbeddingGraph:
        """Load the model in use; the default one takes the place of one that must be downloaded again."""
        source = self._find()
        try:
            return self._load(source, token, progress)
        except ModelMissing:
            if model_files.has_weights(source):
                raise
        self._model, self._source = None, None
        return self._load(self._find(), token, progress)

    def _load(
        self, source: ModelSource, token: CancelToken, progress: Callable[[Message], None]
    ) -> EmbeddingGraph:
        try:
            return self._open(source)
        except BrokenGraph as error:
            if source.graph.exists():
                _log.warning("The exported embedding model is damaged; making it again: %s", error)
            if not model_files.has_weights(source):
                model_files.discard(source.graph)
                raise ModelMissing(Message("embedding.not_downloaded", name=source.name)) from error
            if not _can_prepare(source):
                raise ModelMissing(_without_export(source)) from error
        from app.core.downloads import one_at_a_time
        from app.core.embedding.model_export import export_in_child

        with one_at_a_time(source.graph, token):
            with suppress(BrokenGraph):  # another Lectern may just have made it
                return self._open(source)
            export_in_child(source, token, progress)
            try:
                return self._open(source)
            except BrokenGraph as error:
                raise ModelMissing(Message("embedding.broken_after_export", folder=source.graph)) from error

    def _open(self, source: ModelSource) -> EmbeddingGraph:
        name = f"{source.sha256[:16]}-v{model_files.GRAPH_VERSION}.compiled"
        graph = EmbeddingGraph(source.graph, self.cache_dir / "models" / name)
        if graph.meta.sha256 != source.sha256:
            raise BrokenGraph(f"{source.graph} holds another model")
        return graph


class ReadyMade:
    """Embeds passages as ``embedder`` does, but takes the supplied vectors of the sample courses.

    A first question need not wait for them. ``python -m resources.packaging.samples`` makes the file.
    """

    def __init__(self, embedder: Embedder) -> None:
        self._embedder = embedder
        self._known: dict[bytes, NDArray[np.float32]] | None = None

    def embed_passages(self, texts: Sequence[str], token: CancelToken) -> NDArray[np.float32]:
        """Return the vectors of passages, shape (n, dimension), in order; see :class:`Embedder`."""
        if self._known is None:  # not earlier: another model may have taken over since
            self._known = _ready_made(self._embedder.model_id)
        vectors = {text: self._known.get(_digest(text)) for text in texts}
        missing = [text for text, vector in vectors.items() if vector is None]
        if missing:
            vectors.update(zip(missing, self._embedder.embed_passages(missing, token), strict=True))
        return np.array([vectors[text] for text in texts], np.float32)


def write_ready_made(path: Path, model_id: str, vectors: dict[str, NDArray[np.float32]]) -> None:
    digests = np.array([list(_digest(text)) for text in vectors], np.uint8)
    np.savez(path, model=model_id, digests=digests, vectors=np.array(list(vectors.values()), np.float16))


def _ready_made(model_id: str) -> dict[bytes, NDArray[np.float32]]:
    """Return the vectors by digest; none if they are another model's, or the file is missing."""
    try:
        file = np.load(resource_path(SAMPLE_VECTORS))
    except OSError:
        return {}  # only time is lost
    with file:
        if str(file["model"]) != model_id:
            return {}
        digests, vectors = file["digests"], file["vectors"].astype(np.float32)
    return {digest.tobytes(): vector for digest, vector in zip(digests, vectors, strict=True)}


def _digest(text: str) -> bytes:
    return hashlib.sha256(text.encode()).digest()[:16]


def _can_prepare(source: ModelSource) -> bool:
    """Return whether the graph can be made here: a packaged program builds those of BERT models only."""
    if source.packaged:
        return False
    from app.core.embedding.bert_graph import can_build

    return not model_files.is_frozen() or (source.folder is not None and can_build(source.folder))


def _without_export(source: ModelSource) -> Message:
    return Message("embedding.damaged_package" if source.folder is None else "embedding.needs_pip_install")
