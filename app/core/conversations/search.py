"""Full-text search in all conversations."""

import re
import sqlite3

from app.core.storage.database import Database
from app.domain.conversations import Conversation, ConversationHit
from app.domain.plain_text import harmless

_MOST = 200
_MOST_WORDS = 16
_QUESTION_LENGTH = 200  # characters
_SNIPPET_WORDS = 12  # two lines in the sidebar
# Delimiters of a match in what SQLite returns: characters that no one types.
_OPEN, _CLOSE = "\ue000", "\ue001"
_SIGNS = re.compile(r"\*\*|`+|(?:^|(?<=\s))(?:#{1,6}|>)\s|\s+")
_WORD = re.compile(r"\w+")


def search_conversations(database: Database, text: str) -> tuple[ConversationHit, ...]:
    """Return the places that contain all words of ``text``, best first, without deleted conversations.

    The last word may be incomplete. Conversations that match only by title come last.
    """
    words = _WORD.findall(text.replace("_", " "))[:_MOST_WORDS]
    if not words:
        return ()
    # Quoted, so that none of them is an operator of FTS5.
    query = " ".join(f'"{word}"' for word in words) + "*"
    found = database.connection.execute(
        """SELECT c.id, c.title, c.updated_at, c.pinned, e.id AS exchange_id,
                  snippet(exchanges_fts, -1, ?, ?, '…', ?) AS snippet
           FROM exchanges_fts
           JOIN exchanges AS e ON e.id = exchanges_fts.rowid
           JOIN conversations AS c ON c.id = e.conversation_id
           WHERE exchanges_fts MATCH ? AND c.deleted_at IS NULL
           ORDER BY bm25(exchanges_fts, 2.0, 1.0), e.id DESC LIMIT ?""",
        (_OPEN, _CLOSE, _SNIPPET_WORDS, query, _MOST),
    )
    hits = [_hit(row) for row in found]
    known = {hit.conversation.id for hit in hits}
    return (*hits, *(hit for hit in _by_title(database, words) if hit.conversation.id not in known))


def last_questions(database: Database, limit: int) -> tuple[ConversationHit, ...]:
    """Return what was asked last, newest first: a question that was asked again in its chat only once."""
    rows = database.connection.execute(
        """SELECT c.id, c.title, c.updated_at, c.pinned, max(e.id) AS exchange_id,
                  substr(e.question, 1, ?) AS question
           FROM exchanges AS e JOIN conversations AS c ON c.id = e.conversation_id
           WHERE c.deleted_at IS NULL AND e.id > (SELECT max(id) FROM exchanges) - ?
           GROUP BY c.id, e.question ORDER BY exchange_id DESC LIMIT ?""",
        (_QUESTION_LENGTH, 2 * limit, limit),
    )
    return tuple(
        ConversationHit(conversation_of(row), row["exchange_id"], " ".join(harmless(row["question"]).split()))
        for row in rows
    )


def _by_title(database: Database, words: list[str]) -> list[ConversationHit]:
    conditions = " AND ".join(["' ' || title LIKE ?"] * len(words))
    rows = database.connection.execute(
        f"""SELECT id, title, updated_at, pinned FROM conversations
            WHERE deleted_at IS NULL AND title <> '' AND {conditions}
            ORDER BY updated_at DESC LIMIT {_MOST}""",
        [f"% {word}%" for word in words],
    )
    return [ConversationHit(conversation_of(row), None, "") for row in rows]


def _hit(row: sqlite3.Row) -> ConversationHit:
    # On one line, without Markdown's markup.
    plain = _SIGNS.sub(lambda sign: " " if sign[0].isspace() else "", row["snippet"])
    snippet, marks = _read_marks(harmless(plain.strip()))
    return ConversationHit(conversation_of(row), row["exchange_id"], snippet, marks)


def _read_marks(text: str) -> tuple[str, tuple[tuple[int, int], ...]]:
    parts: list[str] = []
    marks: list[tuple[int, int]] = []
    length = 0
    for index, part in enumerate(text.split(_OPEN)):
        word, closed, rest = part.partition(_CLOSE)
        if index and closed:
            marks.append((length, length + len(word)))
        parts.append(word + rest)
        length += len(word) + len(rest)
    return "".join(parts), tuple(marks)


def conversation_of(row: sqlite3.Row) -> Conversation:
    return Conversation(row["id"], harmless(row["title"]), row["updated_at"], bool(row["pinned"]))
