"""Runs the exported embedding model with OpenVINO on the processor.

An exported model is a folder with the graph (tokens in, normalized vectors out), its tokenizer,
``meta.json`` and the checksums of all these. Where the table of words is large, it is a file of its own,
whose rows the graph is given. Only this module imports OpenVINO.
"""

from __future__ import annotations

import json
import sys
import threading
from collections import deque
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any, cast

import numpy as np

from app.config.files import replace_file, sha256_of
from app.core.embedding.model_files import DEFAULT_SHA256, GRAPH_VERSION, read_object
from app.core.embedding.scale import COSINES, NameScale
from app.core.embedding.tokens import WordTable, load_tokenizer
from app.domain.embedding_models import IDENTITY, CosineScale

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path
    from types import ModuleType

    from numpy.typing import NDArray
    from openvino import CompiledModel, InferRequest, Model  # type: ignore[import-untyped]

    from app.domain.cancel import CancelToken

GRAPH, GRAPH_WEIGHTS, TOKENIZER, META = "graph.xml", "graph.bin", "tokenizer.json", "meta.json"
TABLE, WORDS = "words.bin", "words"  # the table of words, and the graph's input for its rows
CHECKSUMS = "SHA256SUMS"  # of the files above, as the command sha256sum has it
PROBE = "The probe whose vector tells a sound graph from a damaged one."

_TOKENIZED_AT_ONCE = 256  # texts, to keep the tokens of a whole book out of memory
_CHARACTERS_PER_TOKEN = 64  # a text is cut to this many before tokenizing, far beyond truncation
_MAX_STREAMS = 4  # batches computed side by side
# OpenVINO caches up to 2 MB for each input shape: with texts of every length it would grow by hundreds of
# megabytes. Lengths are rounded up to a multiple of this.
_LENGTH_STEP = 8
# Tokens in a batch: ten pieces of a passage, or two whole passages. With fewer, a fifth of the time is
# lost between batches; more are no faster, and every stream holds memory of its own.
_BATCH_TOKENS = 512
_QUESTIONS_TOKENS = 256  # as many texts that are embedded as questions are; with 512, padding takes longer

_INTEGERS = 64  # values that share a factor where a question is computed in integers
# Not one of the streams for passages, so a question never waits behind a batch. One thread only: several
# wait for each other two to ten times as long as they compute when a core is busy.
_FOR_QUESTIONS = {
    "PERFORMANCE_HINT": "LATENCY",
    "INFERENCE_NUM_THREADS": 1,
    "DYNAMIC_QUANTIZATION_GROUP_SIZE": _INTEGERS,
}
_LIKE_EXACT = 0.998  # cosine to the exact vector that a question's needs; the default model reaches 0.999


class BrokenGraph(Exception):
    """The folder does not hold a sound exported model."""


@contextmanager
def _broken_graph(*errors: type[Exception]) -> Iterator[None]:
    try:
        yield
    except errors as error:
        raise BrokenGraph(str(error)) from error


@dataclass(frozen=True, slots=True)
class GraphMeta:
    """The content of ``meta.json``."""

    model_id: str
    sha256: str  # as in app.core.embedding.model_files.ModelSource
    dimension: int
    max_tokens: int  # longer texts are truncated, as sentence-transformers does
    pad_id: int = 0
    query_prefix: str = ""  # put before a question
    passage_prefix: str = ""
    probe: tuple[float, ...] = ()  # vector of PROBE
    scale: CosineScale = IDENTITY
    names: NameScale = COSINES
    format: int = GRAPH_VERSION

    def write(self, folder: Path) -> None:
        """Write ``meta.json`` into ``folder``, then the checksums of all files."""
        (folder / META).write_text(json.dumps(asdict(self), indent=1) + "\n", encoding="utf-8")
        names = [GRAPH, GRAPH_WEIGHTS, TOKENIZER, META, *_table_in(folder)]
        lines = [f"{sha256_of(folder / name)}  {name}\n" for name in names]
        (folder / CHECKSUMS).write_text("".join(lines), encoding="ascii")

    @staticmethod
    def read(folder: Path) -> GraphMeta:
        """Read ``meta.json``; raises BrokenGraph if it is missing, damaged, or of another version."""
        content = read_object(folder / META)
        if content.get("format") != GRAPH_VERSION:
            raise BrokenGraph(f"{folder / META} is missing or of another version")
        if content.get("sha256") == DEFAULT_SHA256:
            # Earlier exports of it lack what never changes.
            content = {"scale": IDENTITY, "names": COSINES, **content}
        with _broken_graph(TypeError, KeyError, ValueError):
            scale, (names, titles, *mapped) = CosineScale(*content["scale"]), content["names"]
            probe = tuple(content["probe"])
            of_names = NameScale(tuple(names), tuple(titles), *mapped)
            return GraphMeta(**{**content, "scale": scale, "names": of_names, "probe": probe})


def _table_in(folder: Path) -> list[str]:
    return [TABLE] if (folder / TABLE).exists() else []


def _check_files(folder: Path, *names: str) -> None:
    with _broken_graph(OSError, ValueError, KeyError):
        lines = (folder / CHECKSUMS).read_text(encoding="ascii").splitlines()
        expected = {name: digest for digest, name in map(str.split, lines)}
        changed = [name for name in names if sha256_of(folder / name) != expected[name]]
    if changed:
        raise BrokenGraph(f"{', '.join(changed)} in {folder} changed after the export")


def import_openvino() -> ModuleType:
    # By default openvino loads its conversion tools, which send an event over the network and write an
    # identifier into the home directory. None in sys.modules makes their import fail, which it tolerates.
    modules = cast("dict[str, Any]", sys.modules)
    for name in ("openvino_telemetry", "openvino.tools.ovc"):
        modules.setdefault(name, None)
    import openvino  # takes 0.2 s, and must follow the above

    return cast("ModuleType", openvino)


class EmbeddingGraph:
    """A loaded model. Thread-safe; questions and passages are embedded side by side."""

    def __init__(self, folder: Path, kept: Path | None = None) -> None:
        """Load the model for questions, and the rest with the first passages.

        ``kept`` is a file for what OpenVINO compiles for questions, which saves a third of loading.
        Raises BrokenGraph if a file is missing or not as it was written, or gives wrong vectors.
        """
        # Small files first: OpenVINO may crash on a damaged graph. Damaged weights give wrong numbers at
        # worst, so the time to read them all is not waited for.
        _check_files(folder, META, TOKENIZER, GRAPH)
        with ThreadPoolExecutor(1) as beside:
            weights = beside.submit(_check_files, folder, GRAPH_WEIGHTS, *_table_in(folder))
            self._load(folder)
            compiled = self._choose_question_graph(kept)
            weights.result()
        if compiled is not None and kept is not None:
            with suppress(OSError):
                kept.parent.mkdir(parents=True, exist_ok=True)
                replace_file(kept, lambda draft: draft.write_bytes(compiled.export_model().getbuffer()))

    def _load(self, folder: Path) -> None:
        self.meta = GraphMeta.read(folder)
        self._core = import_openvino().Core()
        with _broken_graph(RuntimeError):  # OpenVINO's only error
            # Kept to be compiled again for passages: the folder may be gone by then.
            self._model = self._core.read_model(folder / GRAPH)
        self._question_lock, self._turn = threading.Lock(), threading.Lock()
        self._passage_model: CompiledModel | None = None
        self._passage_lock = threading.Lock()
        self._inputs = tuple(port.get_any_name() for port in self._model.inputs)
        with _broken_graph(Exception):  # errors of tokenizers are bare
            content = (folder / TOKENIZER).read_text(encoding="utf-8")
            self._tokens = load_tokenizer(content, self.meta.max_tokens)
        self._table: WordTable | None = None
        if WORDS in self._inputs:
            dimension = self._model.input(WORDS).get_partial_shape()[2].get_length()
            with _broken_graph(OSError, ValueError):
                self._table = WordTable(folder / TABLE, dimension)

    @property
    def scale(self) -> CosineScale:
        """What makes cosines comparable with the default model's."""
        return self.meta.scale

    def embed_query(self, text: str) -> NDArray[np.float32]:
        """Return the vector of a question, shape (dimension,), length 1."""
        vectors = self._embed_now(self._tokenize([self.meta.query_prefix + text]))
        return vectors.reshape(self.meta.dimension)

    def embed_queries(self, texts: Sequence[str], token: CancelToken) -> NDArray[np.float32]:
        """Return the vectors of questions, shape (n, dimension), in order; ``token`` stops between batches.

        That takes three quarters of the time of one after the other.
        """
        tokens = self._tokenize([self.meta.query_prefix + text for text in texts])
        vectors = np.empty((len(tokens), self.meta.dimension), dtype=np.float32)
        for batch in self._batches(tokens, _QUESTIONS_TOKENS):
            token.check()
            vectors[batch] = self._embed_now([tokens[index] for index in batch])
        return vectors

    def embed_passages(self, texts: Sequence[str], token: CancelToken) -> NDArray[np.float32]:
        """Return the vectors of passages, shape (n, dimension), in order; ``token`` stops between batches."""
        tokens: list[NDArray[np.int64]] = []
        for first in range(0, len(texts), _TOKENIZED_AT_ONCE):
            token.check()
            part = texts[first : first + _TOKENIZED_AT_ONCE]
            tokens += self._tokenize([self.meta.passage_prefix + text for text in part])
        return self._outputs(tokens, token)

    def _outputs(self, tokens: list[NDArray[np.int64]], token: CancelToken) -> NDArray[np.float32]:
        """Return what the graph gives for tokenized texts, shape (n, dimension), in order."""
        vectors = np.empty((len(tokens), self.meta.dimension), dtype=np.float32)
        with self._passage_lock:
            if self._passage_model is None:
                self._passage_model = self._compile(
                    self._model,
                    {"PERFORMANCE_HINT": "THROUGHPUT", "PERFORMANCE_HINT_NUM_REQUESTS": _MAX_STREAMS},
                )
        model = self._passage_model
        streams = int(model.get_property("OPTIMAL_NUMBER_OF_INFER_REQUESTS"))
        running: deque[tuple[InferRequest, list[int]]] = deque()

        def finish_one() -> InferRequest:
            token.check()
            request, batch = running[0]
            request.wait()
            running.popleft()
            vectors[batch] = request.get_output_tensor(0).data
            return request

        # Not with AsyncInferQueue: its callbacks can abort the process when it ends.
        try:
            for batch in self._batches(tokens, _BATCH_TOKENS):
                request = finish_one() if len(running) == streams else model.create_infer_request()
                request.start_async(self._feed([tokens[index] for index in batch]))
                running.append((request, batch))
            while running:
                finish_one()
        finally:
            for request, _ in running:  # a request must not be released while it computes
                request.wait()
        return vectors

    def _batches(self, tokens: list[NDArray[np.int64]], most: int) -> Iterator[list[int]]:
        """Divide texts into batches of about equally many tokens, and of similar length to pad little.

        The longest come first, so that the last batches, when streams run dry, are short.
        """
        order = sorted(range(len(tokens)), key=lambda index: len(tokens[index]), reverse=True)
        first = 0
        while first < len(order):
            size = max(most // self._padded(len(tokens[order[first]])), 1)
            yield order[first : first + size]
            first += size

    def _padded(self, length: int) -> int:
        return min(length + -length % _LENGTH_STEP, self.meta.max_tokens)

    def _embed_now(self, tokens: list[NDArray[np.int64]]) -> NDArray[np.float32]:
        feed = self._feed(tokens)
        with self._turn:  # so that a question comes before the next batch of others
            self._question_lock.acquire()
        try:
            self._question_request.infer(feed)
            output = self._question_request.get_output_tensor(0).data
            return np.array(output, dtype=np.float32)  # a copy: the next question overwrites it
        finally:
            self._question_lock.release()

    def _compile(self, model: Model, config: dict[str, Any]) -> CompiledModel:
        with _broken_graph(RuntimeError):
            return self._core.compile_model(model, "CPU", config)

    def _tokenize(self, texts: list[str]) -> list[NDArray[np.int64]]:
        limit = self.meta.max_tokens * _CHARACTERS_PER_TOKEN
        cleaned = [_clean(text, limit) for text in texts]
        return [np.array(ids, dtype=np.int64) for ids in self._tokens(cleaned)]

    def _feed(self, tokens: list[NDArray[np.int64]]) -> dict[str, NDArray[Any]]:
        """Return the graph's inputs for one batch, padded to a little more than its longest text."""
        shape = (len(tokens), self._padded(max(map(len, tokens))))
        feed: dict[str, NDArray[Any]] = {name: np.zeros(shape, dtype=np.int64) for name in self._inputs}
        feed["input_ids"][:] = self.meta.pad_id
        for row, ids in enumerate(tokens):
            feed["input_ids"][row, : len(ids)] = ids
            feed["attention_mask"][row, : len(ids)] = 1
        if self._table is not None:
            feed[WORDS] = self._table.rows(feed["input_ids"])
        return feed

    def _choose_question_graph(self, kept: Path | None) -> CompiledModel | None:
        """Take the graph with small weights where it gives nearly the same vectors, else the exact one.

        Returns what was compiled, unless it was kept.
        """
        if kept is not None and self._takes_kept(kept):
            return None
        exact = self._model
        # The graph that is just being exported has no vector to compare with.
        for model in (_with_8_bit_weights(exact), exact) if self.meta.probe else (exact,):
            compiled = self._compile(model, _FOR_QUESTIONS)
            if self._takes(compiled):
                return compiled
        raise BrokenGraph("the graph gives other vectors than when it was exported")

    def _takes_kept(self, kept: Path) -> bool:
        """Take what was compiled before, unless it is damaged or of another OpenVINO or processor."""
        with suppress(OSError, ValueError, RuntimeError, BrokenGraph):
            # OpenVINO reads the weights from there as long as they are in use.
            self._kept = import_openvino().Tensor(np.memmap(kept, np.uint8, "c"), shared_memory=True)
            return self._takes(self._core.import_model(self._kept, "CPU", _FOR_QUESTIONS))
        return False

    def _takes(self, compiled: CompiledModel) -> bool:
        """Embed questions with a graph; return whether it is sound.

        Computes the probe, which detects damage and warms up for the first question.
        """
        self._question_request: InferRequest = compiled.create_infer_request()
        if not self.meta.probe:
            return True
        expected = np.array(self.meta.probe, dtype=np.float32)
        with _broken_graph(RuntimeError, KeyError, IndexError):  # the last if the table of words is cut
            vector = self.embed_query(PROBE)
        return vector.shape == expected.shape and float(vector @ expected) > _LIKE_EXACT


def _with_8_bit_weights(model: Model) -> Model:
    """Return a copy whose matrices have one byte a weight, and one factor a row, computed in integers.

    Most of a question's time goes by while weights are read from memory. Passages are embedded with exact
    ones: there it saves nothing, and their vectors stay.
    """
    from openvino import opset13 as operations

    small = model.clone()
    for product in small.get_ops():
        weights = product.input_value(1).get_node() if product.get_type_name() == "MatMul" else None
        while weights is not None and weights.get_type_name() == "Convert":
            weights = weights.input_value(0).get_node()
        if weights is None or weights.get_type_name() != "Constant":
            continue
        exact = weights.get_data(dtype=np.float32)  # converted by OpenVINO in a third of numpy's time
        summed = 1 if product.get_attributes()["transpose_b"] else 0
        factors = np.abs(exact).max(axis=summed, keepdims=True) / 127
        factors[factors == 0] = 1
        scaled = exact / factors
        whole = operations.constant(np.rint(scaled, out=scaled).astype(np.int8))
        rounded = operations.convert(whole, "f32")
        product.input(1).replace_source_output((operations.multiply(rounded, factors)).output(0))
    return small


def _clean(text: str, limit: int) -> str:
    """Return ``text`` cut to ``limit`` characters and without lone surrogates."""
    if len(text) > limit:
        text = text.lstrip()[:limit]
    if text.isascii():
        return text
    # The tokenizer refuses half a surrogate pair; a whole pair becomes its character.
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
