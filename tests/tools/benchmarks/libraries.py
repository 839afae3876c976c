"""Libraries of any size, made in minutes: the sample courses multiplied, for both sides.

Texts are sentences of the sample courses in another order, with half of their words changed for
made-up ones (as often as words of a language are: few common ones, many rare ones), so that
words are as rare as in a library of that size. Vectors are those of the sample courses' pieces, each
with some noise, so that no model has to compute a hundred thousand of them. Files are really
written, and passages really cut, indexed and stored by the program. A library that was made is kept
under ``build/benchmarks`` and used again.
"""

from __future__ import annotations

import json
import shutil
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from app.config.paths import resource_path, user_cache_dir
from app.core.documents.document_processor import DocumentProcessor
from app.core.documents.document_reader import read_document
from app.core.documents.text.passages import ChunkSettings, chunk_document, document_sentences, piece_text
from app.core.embedding.embedder import Embedder
from app.core.search.pieces import cut_pieces
from app.domain.cancel import CancelToken
from tests.support.courses import ingest, library
from tests.tools.benchmarks.measuring import prepared_embedder
from tests.tools.benchmarks.reference import Reference, chunks_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

KEPT = Path(__file__).parents[3] / "build" / "benchmarks"
VERSION = 1
_WORDS = 40_000  # made-up ones
_CHANGED = 0.5
_NOISE = 0.8  # length of the noise against a vector of length 1: a cosine of 0.78 to the original
_EVERY = 4  # of the pieces whose vectors are taken: seconds instead of half a minute
_PASSAGES_PER_LESSON = 50
_LESSONS_PER_COURSE = 10


class Maker:
    """Makes texts and vectors, the same ones every time."""

    def __init__(self, seed: int = 1) -> None:
        self._random = np.random.default_rng(seed)
        texts = [read_document(file) for file in sorted(resource_path("docs/courses").glob("*.txt"))]
        self._sentences: list[NDArray[Any]] = []
        for text in texts:
            parsed = DocumentProcessor().parse(text, "sample.txt")
            for start, end in document_sentences(parsed):
                self._sentences.append(np.array(parsed.text[start:end].split(), object))
        syllables = [a + b for a in "bdfgklmnprstvz" for b in "aeiou"]
        parts = self._random.integers(0, len(syllables), (_WORDS, 4))
        self._words = np.array(["".join(syllables[part] for part in row) for row in parts], object)
        frequency = 1.0 / np.arange(10, _WORDS + 10)
        self._chance = np.cumsum(frequency / frequency.sum())
        self._vectors = sample_vectors()

    def title(self) -> str:
        """Return a course title of four words."""
        return " ".join(word.capitalize() for word in self._random.choice(self._words, 4))

    def course(self, lessons: int, characters: int) -> str:
        """Return a course file of ``lessons`` lessons with about so many characters each."""
        lines = [
            f"Course Title: {self.title()}",
            "Course Link: https://example.org/",
            "Course Instructor: A. B.",
            "",
        ]
        for number in range(lessons):
            lines += [f"Lesson {number}: {self.title()}", self.text(characters), ""]
        return "\n".join(lines)

    def text(self, characters: int) -> str:
        """Return sentences, about so many characters."""
        sentences: list[str] = []
        length = 0
        while length < characters:
            words = self._sentences[self._random.integers(len(self._sentences))].copy()
            changed = np.flatnonzero(self._random.random(len(words) - 1) < _CHANGED)
            drawn = np.searchsorted(self._chance, self._random.random(len(changed)))
            words[changed] = self._words[np.minimum(drawn, _WORDS - 1)]
            words[0] = words[0].capitalize()
            sentences.append(" ".join(words))
            length += len(sentences[-1]) + 1
        return " ".join(sentences)

    def vectors(self, count: int) -> NDArray[np.float32]:
        """Return perturbed vectors, normalized."""
        chosen = self._vectors[self._random.integers(0, len(self._vectors), count)]
        noise = self._random.standard_normal(chosen.shape, np.float32)
        noise *= _NOISE / np.sqrt(chosen.shape[1])
        noisy = chosen + noise
        return np.asarray(noisy / np.linalg.norm(noisy, axis=1, keepdims=True), np.float32)


@lru_cache(maxsize=1)
def sample_vectors() -> NDArray[np.float32]:
    """Return the model's vectors of some of the sample courses' pieces, spread over all of them."""
    embedder = prepared_embedder()
    texts: list[str] = []
    for file in sorted(resource_path("docs/courses").glob("*.txt")):
        parsed = DocumentProcessor().parse(read_document(file), file.name)
        sentences = document_sentences(parsed)
        cut = cut_pieces(parsed, chunk_document(parsed, ChunkSettings(), sentences), sentences)
        texts += [piece_text(parsed.text, span) for item in cut for span in item.pieces]
    vectors = embedder.embed_passages(texts[::_EVERY], CancelToken())
    embedder.close()
    return vectors


def made(passages: int, *, reference: bool = False, kept: Path = KEPT) -> Path:
    """Return a folder with ``courses`` and the library ``data``, and ``chroma`` for the reference."""
    folder = kept / f"{passages}-v{VERSION}"
    if not (folder / "courses.json").exists():
        shutil.rmtree(folder, ignore_errors=True)
        write_courses(folder / "courses", passages)
        counts = fill(folder / "data", folder / "courses")
        (folder / "courses.json").write_text(json.dumps(counts), encoding="utf-8")
    if reference and not (folder / "reference.json").exists():
        shutil.rmtree(folder / "reference", ignore_errors=True)
        counts = fill_reference(folder / "reference", folder / "courses")
        (folder / "reference.json").write_text(json.dumps(counts), encoding="utf-8")
    return folder


def write_courses(folder: Path, passages: int) -> None:
    """Write as many course files as come to about so many passages."""
    folder.mkdir(parents=True)
    maker = Maker()
    per_course = min(_PASSAGES_PER_LESSON * _LESSONS_PER_COURSE, max(passages // 4, 1))
    lessons = min(_LESSONS_PER_COURSE, per_course)
    for number in range(max(passages // per_course, 1)):
        # 720 characters are what a passage of whole sentences has on average.
        text = maker.course(lessons, per_course // lessons * 720)
        (folder / f"course_{number:04}.txt").write_text(text, encoding="utf-8", newline="\n")


class MadeUpVectors(Embedder):
    """Gives passages made-up vectors, and is the real model otherwise."""

    def __init__(self, maker: Maker) -> None:
        super().__init__(None, user_cache_dir())
        self._maker = maker

    def embed_passages(self, texts: Sequence[str], token: CancelToken) -> NDArray[np.float32]:
        """Return one vector a text."""
        token.check()
        return self._maker.vectors(len(texts))


def fill(data_dir: Path, courses: Path) -> int:
    """Add the files as a user would, but with made-up vectors; return the passages."""
    with library(data_dir, MadeUpVectors(Maker(2))) as rag:
        rag.database.set_meta("samples", "none")
        ingest(rag, courses)
        return rag.courses.counts().passages


def fill_reference(folder: Path, courses: Path) -> int:
    """Add the files to the reference, with made-up vectors; return the passages."""
    reference = Reference(folder)
    maker = Maker(3)
    total = 0
    for file in sorted(courses.iterdir()):
        title, chunks = chunks_of(file.read_text(encoding="utf-8"))
        reference.add_made(title, file.name, chunks, maker.vectors(len(chunks) + 1))
        total += len(chunks)
    reference.close()
    return total


def titles_in(folder: Path) -> list[str]:
    """Return the courses' titles of a folder that :func:`made` returned."""
    files = sorted((folder / "courses").iterdir())
    return [file.read_text(encoding="utf-8").split("\n", 1)[0].split(": ")[1] for file in files]
