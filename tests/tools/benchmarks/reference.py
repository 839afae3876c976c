"""What Lectern is measured against: the web version's pipeline, plainly written.

sentence-transformers with its defaults, in batches of 32; passages of up to 800 characters of whole
sentences that share 100 with the one before; one ``collection.add`` a course, through Chroma's
own embedding function; ``collection.query(query_texts=…)`` with five results. A course is looked
up by asking the catalogue for the nearest title. Nothing of :mod:`app` does any of the work; only
the folder of the embedding model is asked for there, so that both sides have the same.
"""

from __future__ import annotations

import os
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from app.config.paths import user_cache_dir
from app.core.embedding.model_export import OFFLINE
from app.core.embedding.model_files import find_model, folder_to_export

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    import numpy as np
    from numpy.typing import NDArray

CHUNK_SIZE = 800
CHUNK_OVERLAP = 100
RESULTS = 5
_MOST_AT_ONCE = 5000  # records; Chroma refuses more than 5,461

_SENTENCE_END = re.compile(r"(?<!\w\.\w.)(?<![A-Z][a-z]\.)(?<=[.!?])\s+(?=[A-Z])")
_LESSON = re.compile(r"^Lesson\s+(\d+):\s*(.+)$", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Chunk:
    """A passage: what is embedded, and which part of the file it is."""

    text: str
    start: int
    end: int
    lesson: int | None


@dataclass(frozen=True, slots=True)
class Found:
    """A passage that was found, with the file it comes from."""

    file: str
    start: int
    end: int
    text: str
    key: str
    distance: float


def model_folder() -> Path:
    """Return the folder of the default embedding model, as sentence-transformers reads it."""
    os.environ.update(OFFLINE)
    return folder_to_export(find_model(None, user_cache_dir()))


def chunks_of(text: str) -> tuple[str, list[Chunk]]:
    """Return a file's course title and its passages."""
    title = ""
    lessons: list[tuple[int | None, int, int]] = []
    number: int | None = None
    begin = position = 0
    for index, line in enumerate(text.splitlines(keepends=True)):
        stripped = line.strip()
        header = re.match(r"^Course (Title|Link|Instructor):\s*(.*)$", stripped) if index < 4 else None
        if header:
            title = header[2] if header[1] == "Title" else title
            begin = position + len(line)
        elif found := _LESSON.match(stripped):
            lessons.append((number, begin, position))
            number, begin = int(found[1]), position + len(line)
        elif stripped.startswith("Lesson Link:"):
            begin = position + len(line)
        position += len(line)
    lessons.append((number, begin, len(text)))
    return title, [chunk for lesson in lessons for chunk in _chunks_of_lesson(text, *lesson)]


def _chunks_of_lesson(text: str, number: int | None, begin: int, end: int) -> list[Chunk]:
    sentences: list[tuple[int, int]] = []
    start = begin
    for found in [*_SENTENCE_END.finditer(text, begin, end), None]:
        stop = found.start() if found else end
        if text[start:stop].strip():
            sentences.append((start + len(text[start:stop]) - len(text[start:stop].lstrip()), stop))
        start = found.end() if found else end
    words = [" ".join(text[first:last].split()) for first, last in sentences]
    chunks: list[Chunk] = []
    first = 0
    while first < len(words):
        last, size = first, len(words[first])
        while last + 1 < len(words) and size + 1 + len(words[last + 1]) <= CHUNK_SIZE:
            last += 1
            size += 1 + len(words[last])
        content = " ".join(words[first : last + 1])
        prefix = f"Lesson {number} content: " if number is not None and not chunks else ""
        chunks.append(Chunk(prefix + content, sentences[first][0], sentences[last][1], number))
        if last + 1 == len(words):
            break
        following, shared = last + 1, 0
        while following - 1 > first and shared + len(words[following - 1]) <= CHUNK_OVERLAP:
            following -= 1
            shared += len(words[following]) + 1
        first = following
    return chunks


class Reference:
    """A library in Chroma.

    Args:
        folder: where Chroma keeps it.
    """

    def __init__(self, folder: Path) -> None:
        model = model_folder()
        # Here, so that the time they take is the reference's own.
        import chromadb
        from chromadb.config import Settings
        from chromadb.utils.embedding_functions import SentenceTransformerEmbeddingFunction

        function: Any = SentenceTransformerEmbeddingFunction(model_name=str(model), device="cpu")
        self.client: Any = chromadb.PersistentClient(
            path=str(folder), settings=Settings(anonymized_telemetry=False)
        )
        self.catalog = self.client.get_or_create_collection("course_catalog", embedding_function=function)
        self.content = self.client.get_or_create_collection("course_content", embedding_function=function)

    def add(self, file: Path, name: str | None = None) -> int:
        """Read, cut, embed and store one file; return the number of its passages.

        ``name`` tells files of one name apart that lie in several folders.
        """
        title, chunks = chunks_of(file.read_text(encoding="utf-8"))
        title = title or name or file.stem
        name = name or file.name
        self.catalog.add(documents=[title], metadatas=[{"title": title}], ids=[title])
        self.content.add(
            documents=[chunk.text for chunk in chunks],
            metadatas=[_metadata(title, name, index, chunk) for index, chunk in enumerate(chunks)],
            ids=[f"{title.replace(' ', '_')}_{index}" for index in range(len(chunks))],
        )
        return len(chunks)

    def add_made(self, title: str, file: str, chunks: Sequence[Chunk], vectors: NDArray[np.float32]) -> None:
        """Store a course whose vectors are known: the title's first, then the passages'."""
        self.catalog.add(
            documents=[title], metadatas=[{"title": title}], ids=[title], embeddings=[vectors[0]]
        )
        for start in range(0, len(chunks), _MOST_AT_ONCE):
            part = range(start, min(start + _MOST_AT_ONCE, len(chunks)))
            self.content.add(
                documents=[chunks[index].text for index in part],
                metadatas=[_metadata(title, file, index, chunks[index]) for index in part],
                ids=[f"{title.replace(' ', '_')}_{index}" for index in part],
                embeddings=[vectors[index + 1] for index in part],
            )

    def search(
        self, question: str, course_name: str | None = None, lesson: int | None = None, limit: int = RESULTS
    ) -> list[Found]:
        """Resolve the course, then return its nearest passages, nearest first."""
        where = self.condition(course_name, lesson)
        found: Any = self.content.query(query_texts=[question], n_results=limit, where=where)
        columns = (found["metadatas"][0], found["documents"][0], found["ids"][0], found["distances"][0])
        return [
            Found(item["file"], item["start"], item["end"], text, key, distance)
            for item, text, key, distance in zip(*columns, strict=True)
        ]

    def condition(self, course_name: str | None, lesson: int | None) -> Any:  # noqa: ANN401 - Chroma's own
        """Resolve the course; return what a passage must meet, None for nothing."""
        conditions: list[dict[str, Any]] = []
        if course_name:
            titles: Any = self.catalog.query(query_texts=[course_name], n_results=1)["metadatas"]
            conditions.append({"course_title": titles[0][0]["title"]})
        if lesson is not None:
            conditions.append({"lesson_number": lesson})
        return {"$and": conditions} if len(conditions) > 1 else conditions[0] if conditions else None

    def close(self) -> None:
        """Let go of the files."""
        self.client.close()


def _metadata(title: str, file: str, index: int, chunk: Chunk) -> dict[str, str | int]:
    metadata: dict[str, str | int] = {
        "course_title": title,
        "chunk_index": index,
        "file": file,
        "start": chunk.start,
        "end": chunk.end,
    }
    return metadata if chunk.lesson is None else {**metadata, "lesson_number": chunk.lesson}


def add_all(reference: Reference, files: Sequence[Path]) -> int:
    """Add files; return the number of passages."""
    return sum(reference.add(file) for file in files)
