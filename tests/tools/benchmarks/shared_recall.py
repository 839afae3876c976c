"""What is lost when a library is searched on a Chroma server, as a table in Markdown.

``python -m tests.tools.benchmarks.shared_recall --sets FOLDER … [--keep FOLDER] [--every N]``

Each set (:mod:`tests.tools.benchmarks.question_sets`) is read into a library and published to a ``chroma
run`` on
this computer; an empty library subscribes to it. Both are asked every question, or each N-th. The columns:

- *nearest five*: questions whose five passages nearest in meaning are the same, by all vectors in the library
  and by the server's index,
- *first five*: questions whose first five hits are the same in the same order, words included,
- recall within 4,000 characters in the library and on the server, and the questions of which more or less is
  found,
- milliseconds of a search, half and 95 % of them, in the library and on the server.
"""

from __future__ import annotations

import tempfile
import time
from pathlib import Path, PureWindowsPath
from typing import TYPE_CHECKING, Any

import numpy as np

from app.config.paths import user_cache_dir
from app.config.settings import Settings
from app.features.shared.connection import BATCH, CONTENT
from tests.support.chroma_server import ChromaServer
from tests.support.class_library import libraries_of
from tests.support.courses import KeptEmbedder, library
from tests.support.publishing import publish
from tests.tools.benchmarks.measuring import parser_of, percentiles
from tests.tools.benchmarks.question_sets import filled, sets_in
from tests.tools.benchmarks.questions import CHARACTERS, read_questions, recall

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from numpy.typing import NDArray

    from app.core.embedding.embedder import Embedder
    from app.core.rag_system import RAGSystem
    from tests.tools.benchmarks.questions import Question, Spans

Files = dict[tuple[str, str], str]

_FIRST = 5
_COLUMNS = ("set", "questions", "nearest five", "first five", "recall", "on the server", "more, less found")
_TIMES = ("ms in the library", "ms on the server")


def table(paths: Sequence[Path], keep: Path | None, every: int) -> Iterator[str]:
    """Yield the lines of the table, those of each file of questions as soon as it was asked."""
    yield "| " + " | ".join((*_COLUMNS, *_TIMES)) + " |"
    yield "|---" * len((*_COLUMNS, *_TIMES)) + "|"
    with tempfile.TemporaryDirectory() as place, ChromaServer(Path(place) / "chroma") as server:
        folder = keep or Path(place)
        embedder = KeptEmbedder(None, user_cache_dir())
        for each in (found for path in paths for found in sets_in(path)):
            with filled(folder / f"{each.name}-ours", None, each) as here:
                address = server.new_database()
                publish(here, address)
                with library(Path(place) / each.name, embedder, Settings(), index=False) as there:
                    libraries_of(there).subscribe(address)
                    for file in sorted(each.glob("*.jsonl")):
                        questions = read_questions([file], each / "docs")[::every]
                        yield _row(
                            f"{each.name}, {file.stem}", here, there, embedder, each / "docs", questions
                        )


def _row(
    name: str,
    here: RAGSystem,
    there: RAGSystem,
    embedder: Embedder,
    documents: Path,
    questions: Sequence[Question],
) -> str:
    files = _names(here, documents)
    milliseconds: tuple[list[float], list[float]] = [], []
    recalls: tuple[list[float], list[float]] = [], []
    nearest = first = 0
    for question in questions:
        found = []
        for side, rag in enumerate((here, there)):
            began = time.perf_counter()
            found.append(_asked(rag, question, files, max_chars=CHARACTERS))
            milliseconds[side].append((time.perf_counter() - began) * 1000)
            recalls[side].append(recall(question, found[side]))
        first += _asked(here, question, files, limit=_FIRST) == _asked(there, question, files, limit=_FIRST)
        vector = embedder.embed_query(question.text)
        nearest += _nearest_here(here, vector) == _nearest_there(there, vector)
    means = [f"{np.mean(side) * 100:.1f}" for side in recalls]
    more = sum(theirs > ours for ours, theirs in zip(*recalls, strict=True))
    less = sum(theirs < ours for ours, theirs in zip(*recalls, strict=True))
    times = ["{p50_ms}, {p95_ms}".format(**percentiles(side)) for side in milliseconds]
    shares = [f"{count / len(questions) * 100:.1f}" for count in (nearest, first)]
    return "| " + " | ".join((name, str(len(questions)), *shares, *means, f"{more}, {less}", *times)) + " |"


def _names(rag: RAGSystem, documents: Path) -> Files:
    """Return the names in the set by what a hit tells of its document wherever that is."""
    root = documents.resolve()
    rows = rag.database.connection.execute(
        """SELECT path, title FROM documents JOIN courses ON courses.id = course_id
           WHERE trashed_at IS NULL"""
    ).fetchall()
    names = {
        (row["title"], _last(row["path"])): Path(row["path"]).relative_to(root).as_posix() for row in rows
    }
    assert len(names) == len(rows), "two documents of a course have the same name"
    return names


def _last(path: str) -> str:
    """Return the last part of a path, of whatever system."""
    return PureWindowsPath(path).name


def _asked(rag: RAGSystem, question: Question, files: Files, **limits: Any) -> Spans:  # noqa: ANN401
    found = rag.search.retrieve(
        question.text, question.course, question.lesson, rewordings=question.rewordings, **limits
    )
    return [(files[hit.course_title, _last(hit.path)], hit.start, hit.end) for hit in found.hits]


def _nearest_here(rag: RAGSystem, vector: NDArray[np.float32]) -> list[str]:
    """Return the texts nearest to a vector, by all vectors."""
    rows = rag.database.connection.execute("SELECT text, embedding FROM chunks ORDER BY id").fetchall()
    vectors = np.stack([np.frombuffer(row["embedding"], "<f2").astype(np.float32) for row in rows])
    order = np.argsort(-(vectors @ vector))
    return [rows[at]["text"] for at in order[:_FIRST]]


def _nearest_there(rag: RAGSystem, vector: NDArray[np.float32]) -> list[str | None]:
    (searchable,) = libraries_of(rag).known()
    found = searchable.subscription.connection.query(CONTENT, vector, BATCH)
    return [each.document for each in found[:_FIRST]]


def main() -> None:
    parser = parser_of(__doc__)
    parser.add_argument("--sets", type=Path, nargs="+", required=True, metavar="FOLDER")
    parser.add_argument("--keep", type=Path, metavar="FOLDER", help="keep the sets' libraries")
    parser.add_argument("--every", type=int, default=1, metavar="N", help="ask each N-th question only")
    options = parser.parse_args()
    for line in table(options.sets, options.keep, options.every):
        print(line, flush=True)


if __name__ == "__main__":
    main()
