"""Quoted sentences in the library file, and how they stand in it now."""

import json
import sqlite3
import time
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass

from app.core.storage import codec, sql
from app.core.storage.documents import DocumentTexts, LiveDocument
from app.domain.sources import OUTLINE, Source
from app.features.study.kinds import KINDS
from app.features.study.model.items import QuoteState, StaleQuote
from app.features.study.model.names import ItemText
from app.features.study.store.items import item_of, passage_columns

_KEY = "quotes_checked"
_AT_ONCE = 200  # quotes decoded, and stored in one transaction

_ITEMS = """SELECT i.id AS owner, -1 AS position, i.document_id AS place, 1 AS n, i.uid AS ref,
                   i.start, i."end", i.document_sha256, i.hit, i.sentences, i.state, i.now
            FROM items AS i JOIN decks AS k ON k.id = i.deck_id
            LEFT JOIN documents AS d ON d.id = i.document_id AND d.trashed_at IS NULL
            WHERE i.deleted_at IS NULL AND k.trashed_at IS NULL
            AND (d.id IS NULL OR i.state <> 'current' OR d.id {in_keys}) ORDER BY i.document_sha256"""
_CITATIONS = """SELECT c.exchange_id AS owner, c.position, ifnull(p.document_id, s.document_id) AS place,
                       s.n, s.ref, c.start, c."end", s.document_sha256, s.hit, s.sentences,
                       ifnull(p.state, 'current') AS state, ifnull(p.now, '') AS now
                FROM citations AS c JOIN sources AS s ON s.exchange_id = c.exchange_id AND s.n = c.source_n
                LEFT JOIN citation_places AS p ON p.exchange_id = c.exchange_id AND p.position = c.position
                LEFT JOIN documents AS d
                ON d.id = ifnull(p.document_id, s.document_id) AND d.trashed_at IS NULL
                WHERE c.verified AND (d.id IS NULL OR p.state <> 'current')
                AND s.document_id >= 0 -- not on a server
                ORDER BY s.document_sha256"""
_STALE_ITEMS = """FROM items AS i JOIN decks AS d ON d.id = i.deck_id
                  WHERE i.state <> 'current' AND NOT i.kept
                  AND i.deleted_at IS NULL AND d.trashed_at IS NULL"""
# Of what was asked again, the newest answer counts.
_STALE_CITATIONS = """
    FROM citation_places AS p
    JOIN citations AS c ON c.exchange_id = p.exchange_id AND c.position = p.position
    JOIN sources AS s ON s.exchange_id = c.exchange_id AND s.n = c.source_n
    JOIN exchanges AS e ON e.id = p.exchange_id JOIN conversations AS v ON v.id = e.conversation_id
    WHERE p.state <> 'current' AND NOT p.kept AND v.deleted_at IS NULL AND NOT EXISTS
    (SELECT 1 FROM exchanges AS o WHERE o.conversation_id = e.conversation_id AND o.parent_id IS e.parent_id
     AND o.question = e.question AND o.id > e.id AND o.state = 'done')"""


@dataclass(frozen=True, slots=True)
class Quote:
    """A quoted span, as the item or the citation keeps it, and how it stands in the library."""

    owner: int  # key of the item or the exchange
    position: int | None  # of the citation; None for an item
    place: int  # the document that it, or what has taken its place, stands in; 0 if nothing does
    source: Source
    start: int
    end: int
    state: QuoteState
    now: str = ""  # what stands in its place if it is CHANGED
    text: ItemText | None = None  # what the item says by it, if that is to be another text


class StaleRepository(DocumentTexts):
    """Each method is one transaction; thread-safe."""

    def generation(self) -> str:
        return self._db.meta("generation") or ""

    def checked(self) -> tuple[str, dict[int, int]]:
        """Return the generation that was checked last, and the marks of its documents by key."""
        generation, marks = json.loads(self._db.meta(_KEY) or '["", []]')
        return generation, dict(marks)

    def quotes(self, moved: Collection[int]) -> Iterator[list[Quote]]:
        """Yield, some at a time, the quotes whose state may have changed.

        These are the ones whose document is gone, those that are stale, and items in those that ``moved``.
        """
        connection = self._db.connection
        queries = (
            connection.execute(_ITEMS.format(in_keys=sql.IN_KEYS), (sql.keys(moved),)),
            connection.execute(_CITATIONS),
        )
        for cursor in queries:
            rows = cursor.fetchall()
            for start in range(0, len(rows), _AT_ONCE):
                found = map(_quote, rows[start : start + _AT_ONCE])
                # What cites an outline rests on no sentence of the text.
                yield [quote for quote in found if quote.source.hit.chunk_index != OUTLINE]

    def settle(self, generation: str, quotes: Sequence[Quote]) -> bool:
        """Store the states of quotes unless the library has changed; return whether they were stored."""
        with self._db.transaction() as connection:
            if self.generation() != generation:
                return False
            for quote in quotes:
                (_settle_item if quote.position is None else _settle_citation)(connection, quote)
        return True

    def finish(self, generation: str, documents: Sequence[LiveDocument]) -> None:
        marks = [(one.document_id, one.mark) for one in documents]
        self._db.set_meta(_KEY, json.dumps([generation, marks]))

    def entries(self) -> tuple[StaleQuote, ...]:
        answers = self._db.connection.execute(
            f"""SELECT s.*, c.start, c."end", p.state, p.now, p.document_id AS place, e.question,
                       substr(e.answer, min(c.answer_start) + 1, c.answer_end - c.answer_start) AS claim,
                       e.conversation_id, json_group_array(p.position) AS positions {_STALE_CITATIONS}
                GROUP BY p.exchange_id, c.source_n, c.start, c."end"
                ORDER BY v.updated_at DESC, p.exchange_id, min(p.position)"""
        ).fetchall()
        items = self._db.connection.execute(
            f"SELECT i.*, i.document_id AS place {_STALE_ITEMS} ORDER BY i.deck_id, i.id"
        ).fetchall()
        return (*map(_stale_answer, answers), *map(_stale_item, items))

    def count(self) -> int:
        row = self._db.connection.execute(
            f"""SELECT (SELECT count(DISTINCT p.exchange_id) {_STALE_CITATIONS})
                       + (SELECT count(*) {_STALE_ITEMS})"""
        ).fetchone()
        return int(row[0])

    def of_sources(self, exchange_id: int) -> dict[int, set[QuoteState | None]]:
        """Return the states of an answer's cited sentences by source; None for those not checked."""
        found: dict[int, set[QuoteState | None]] = {}
        for row in self._db.connection.execute(
            """SELECT c.source_n, p.state FROM citations AS c LEFT JOIN citation_places AS p
               ON p.exchange_id = c.exchange_id AND p.position = c.position
               WHERE c.exchange_id = ? AND c.verified""",
            (exchange_id,),
        ):
            found.setdefault(row["source_n"], set()).add(row["state"] and QuoteState(row["state"]))
        return found

    def keep(self, entry: StaleQuote) -> None:
        """Note that an item or an answer is kept although its sentence is stale."""
        if entry.item_id is not None:
            self._db.write("UPDATE items SET kept = 1 WHERE id = ?", [(entry.item_id,)])
        else:
            self._db.write(
                "UPDATE citation_places SET kept = 1 WHERE exchange_id = ? AND position = ?",
                [(entry.exchange_id, position) for position in entry.positions],
            )


def _settle_item(connection: sqlite3.Connection, quote: Quote) -> None:
    connection.execute(
        """UPDATE items SET document_id = ?1, state = ?2, now = ?3,
           changed_at = iif(state = ?2 AND state <> 'current', changed_at, ?5),
           kept = kept AND state = ?2 AND now = ?3 WHERE id = ?4""",
        (quote.place, quote.state, quote.now, quote.owner, time.time()),
    )
    if quote.state is QuoteState.CURRENT:
        source, text = quote.source, quote.text
        values = {
            **passage_columns(source.hit),
            "document_sha256": source.document_sha256,
            "start": quote.start,
            '"end"': quote.end,
            "quote": source.text(quote.start, quote.end),
            "sentences": codec.encode_sentences(source.sentences),
            **({"front": text.front, "back": text.back} if text else {}),
        }
        columns = ", ".join(f"{name} = ?" for name in values)
        connection.execute(f"UPDATE items SET {columns} WHERE id = ?", (*values.values(), quote.owner))


def _settle_citation(connection: sqlite3.Connection, quote: Quote) -> None:
    connection.execute(
        """INSERT INTO citation_places (exchange_id, position, document_id, state, now)
           SELECT exchange_id, position, ?, ?, ? FROM citations WHERE exchange_id = ? AND position = ?
           ON CONFLICT DO UPDATE SET document_id = excluded.document_id, state = excluded.state,
           now = excluded.now, kept = kept AND state = excluded.state AND now = excluded.now""",
        (quote.place, quote.state, quote.now, quote.owner, quote.position),
    )


def _stale_answer(row: sqlite3.Row) -> StaleQuote:
    source = _source(row, row["n"], row["ref"])
    return StaleQuote(
        QuoteState(row["state"]),
        source.text(row["start"], row["end"]),
        row["now"],
        row["place"],
        source,
        row["question"],
        row["claim"],
        exchange_id=row["exchange_id"],
        conversation_id=row["conversation_id"],
        positions=tuple(json.loads(row["positions"])),
    )


def _stale_item(row: sqlite3.Row) -> StaleQuote:
    item = item_of(row)
    return StaleQuote(
        item.state,
        item.quote,
        item.now,
        row["place"],
        item.source,
        KINDS[item.kind].statement(item.text) or item.text.front,
        item.text.back,
        item,
    )


def _source(row: sqlite3.Row, n: int, ref: str) -> Source:
    hit, sentences = codec.decode_hit(row["hit"]), codec.decode_sentences(row["sentences"])
    return Source(n, ref, hit, sentences, row["document_sha256"])


def _quote(row: sqlite3.Row) -> Quote:
    source = _source(row, row["n"], row["ref"])
    position = None if row["position"] < 0 else row["position"]
    state = QuoteState(row["state"])
    return Quote(row["owner"], position, row["place"], source, row["start"], row["end"], state, row["now"])
