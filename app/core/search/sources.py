"""The sources of answers in the library file: made from hits, compared with it later, and read in it."""

import os
import re
import sqlite3
from dataclasses import replace

from app.core.documents.recordings import begins_as_recording, find_recording, is_recording
from app.core.storage.codec import decode_spans
from app.core.storage.database import Database
from app.core.storage.documents import DocumentRepository
from app.core.storage.transcripts import Transcripts
from app.domain.courses import Course
from app.domain.pages import PageStart
from app.domain.recordings import Transcription
from app.domain.search import SearchHit
from app.domain.sources import OUTLINE, Cue, LessonText, Recording, Source, SourceState


def outline_source(n: int, course: Course, text: str, holder: tuple[int, str, str]) -> Source:
    """Return an outline as source ``n``, of which each line can be cited.

    ``holder`` are the key, the path and the digest of the document that it is shown with.
    """
    document_id, path, sha256 = holder
    hit = SearchHit(
        rank=1,
        score=1.0,
        course_title=course.title,
        lesson_number=None,
        lesson_title="Outline",
        chunk_index=OUTLINE,
        text=text,
        path=path,
        start=0,
        end=len(text),
        anchor=None,
        link=course.link,
        document_id=document_id,
    )
    lines = tuple(found.span() for found in re.finditer(r"[^\n]+", text))
    return Source(n, f"lectern:outline:{document_id}", hit, lines, sha256)


class SourceReader:
    """What :class:`~app.core.search.service.SearchService` says of sources, for those in the library file.

    Thread-safe.
    """

    def __init__(self, database: Database) -> None:
        self._db = database

    def make_source(self, n: int, hit: SearchHit) -> Source:
        # Without its text: a book's takes longer to read than the rest of a search.
        row = self._db.connection.execute(
            "SELECT sha256, sentences FROM documents WHERE id = ?", (hit.document_id,)
        ).fetchone()
        if row is None:
            raise KeyError(hit.document_id)
        spans = decode_spans(row["sentences"])
        inside = spans[(spans[:, 0] < hit.end) & (spans[:, 1] > hit.start)].clip(hit.start, hit.end)
        sentences = tuple((start, end) for start, end in inside.tolist())
        return Source(n, f"lectern:{hit.document_id}:{hit.start}-{hit.end}", hit, sentences, row["sha256"])

    def make_outline_source(self, n: int, course: Course, text: str) -> Source:
        row = self._db.connection.execute(
            "SELECT id, sha256 FROM documents WHERE path = ? AND trashed_at IS NULL", course.files[:1]
        ).fetchone()
        if row is None:
            raise KeyError(course.title)
        return outline_source(n, course, text, (row["id"], course.files[0], row["sha256"]))

    def source_state(self, source: Source) -> SourceState:
        return self._find(source)[0]

    def lesson_text(self, source: Source, cited: tuple[int, int] | None = None) -> LessonText:
        hit = source.hit
        state, row = self._find(source)
        if state is not SourceState.CURRENT and cited is not None and (now := self._followed(source, cited)):
            state, row = SourceState.CURRENT, now
            hit = replace(hit, start=cited[0], end=cited[1], text=source.text(*cited))
        path = row["path"] if row is not None else source.hit.path
        text, start, is_whole = source.hit.text, source.hit.start, False
        pages: tuple[PageStart, ...] = ()
        recording = transcript = None
        slides: tuple[PageStart, ...] = ()
        if (
            row is not None
            and (state is SourceState.CURRENT or row["sha256"] == source.document_sha256)
            and (moved := self._moved(row["id"], hit)) is not None
        ):
            stored = self._db.connection.execute(
                """SELECT ifnull(l.start, 0) AS start,
                          substr(text, ifnull(l.start, 0) + 1, ifnull("end" - l.start, length(text))) AS text
                   FROM documents AS d LEFT JOIN lessons AS l
                   ON l.document_id = d.id AND l.start <= ? AND "end" >= ?
                   WHERE d.id = ? ORDER BY position LIMIT 1""",
                (hit.start + moved, hit.end + moved, row["id"]),
            ).fetchone()
            text, start, is_whole = stored["text"], stored["start"] - moved, True
            pages = self._starts(row["id"], moved, "page", "scan")
            slides = self._starts(row["id"], moved, "slide", "slide_scan")
            recording = self._recording(row["id"], path, moved)
            transcript = self.transcript(row["id"], moved) if is_recording(path) else None
        exists = (hit.document_id > 0 or row is not None) and os.path.isfile(path)  # not what a server names
        return LessonText(
            source, state, text, start, is_whole, path, exists, pages, recording, slides, transcript
        )

    def transcript(self, document_id: int, moved: int = 0) -> Transcription | None:
        """Return how a document came to its text if that was heard; spans are counted ``moved`` less."""
        row = self._db.connection.execute(
            "SELECT sha256 FROM documents WHERE id = ?", (document_id,)
        ).fetchone()
        heard = Transcripts(self._db).of(row["sha256"]) if row is not None else None
        if heard is None:
            return None
        # Here: readers are not imported as long as nothing is added.
        from app.core.documents.transcript_text import unsure_words

        document = DocumentRepository(self._db).text(document_id)
        unsure = tuple((start - moved, end - moved) for start, end in unsure_words(heard.vtt, document))
        return Transcription(
            heard.model, heard.language, heard.is_corrected, heard.dropped, unsure, heard.unread
        )

    def _moved(self, document_id: int, hit: SearchHit) -> int | None:
        """Return how far a passage has moved in its document; None if it is not there any more.

        The same bytes may have been read in another way, or another scanned page been recognized before it.
        """
        row = self._db.connection.execute(
            """SELECT CASE WHEN substr(text, :start + 1, length(:text)) = :text THEN :start
                      ELSE instr(text, :text) - 1 END AS start FROM documents WHERE id = :id""",
            {"id": document_id, "start": hit.start, "text": hit.text},
        ).fetchone()
        return None if row["start"] < 0 else row["start"] - hit.start

    def _starts(self, document_id: int, moved: int, *kinds: str) -> tuple[PageStart, ...]:
        """Return where the text of each page or slide begins."""
        rows = self._db.connection.execute(
            "SELECT start, value FROM anchors WHERE document_id = ? AND kind IN (?, ?) ORDER BY start",
            (document_id, *kinds),
        )
        return tuple(PageStart(row["start"] - moved, int(row["value"])) for row in rows)

    def _recording(self, document_id: int, path: str, moved: int) -> Recording | None:
        """Return the recording of a document with times, if there is one now: itself, or beside it."""
        rows = self._db.connection.execute(
            "SELECT start, value FROM anchors WHERE document_id = ? AND kind = 'seconds' ORDER BY start",
            (document_id,),
        )
        cues = tuple(Cue(row["start"] - moved, float(row["value"])) for row in rows)
        if not cues:
            return None
        played = path if is_recording(path) else find_recording(path)
        is_there = played is not None and os.path.isfile(played)
        return Recording(played, begins_as_recording(played), cues) if played and is_there else None

    def _find(self, source: Source) -> tuple[SourceState, sqlite3.Row | None]:
        """Return a source's state, and its document or the one that replaced it."""
        sha256, path = source.document_sha256, source.hit.path
        rows = self._db.connection.execute(
            """SELECT id, path, sha256, trashed_at IS NOT NULL AS trashed FROM documents
               WHERE sha256 = :sha256 OR path = :path
               ORDER BY trashed, id <> :id, path <> :path, id""",
            {"id": source.hit.document_id, "sha256": sha256, "path": path},
        ).fetchall()
        same = next((row for row in rows if row["sha256"] == sha256), None)
        if same is not None and not same["trashed"]:
            return SourceState.CURRENT, same
        for row in rows:  # not by key, which a later document may have
            if not row["trashed"] and row["path"] == path:
                if self._moved(row["id"], source.hit) is not None:  # it changed elsewhere
                    return SourceState.CURRENT, row
                return SourceState.CHANGED, row if same is None else same
        return SourceState.REMOVED, same

    def _followed(self, source: Source, cited: tuple[int, int]) -> sqlite3.Row | None:
        """Return the document in which a cited sentence was found after its own had changed."""
        row: sqlite3.Row | None = self._db.connection.execute(
            """SELECT d.id, d.path, d.sha256 FROM sources AS s JOIN citations AS c
               ON c.exchange_id = s.exchange_id AND c.source_n = s.n AND c.start = ? AND c."end" = ?
               JOIN citation_places AS p ON p.exchange_id = c.exchange_id AND p.position = c.position
               JOIN documents AS d ON d.id = p.document_id AND d.trashed_at IS NULL
               WHERE s.document_id = ? AND s.document_sha256 = ? AND p.state = 'current' LIMIT 1""",
            (*cited, source.hit.document_id, source.document_sha256),
        ).fetchone()
        return row
