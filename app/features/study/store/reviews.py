"""Schedules of items, and the log of their reviews, in the library file."""

import json
import sqlite3
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import NamedTuple

from app.core.storage import sql
from app.core.storage.codec import without
from app.core.storage.database import Database
from app.features.study.kinds import SCHEDULED
from app.features.study.model.exam_plans import Aim
from app.features.study.model.reviews import (
    CardState,
    History,
    LoggedReview,
    Rating,
    Schedule,
    day_of,
    end_of,
    start_of,
)

DAY = 86_400.0

_KINDS = ", ".join(f"'{kind}'" for kind in SCHEDULED)
# Whatever the clock did since, nothing is buried for more than a day, and what was reviewed on a later day
# than today is due: its schedule was made by a clock that was wrong.
_ASKED = f"""i.deleted_at IS NULL AND i.kind IN ({_KINDS}) AND i.suspended = 0
             AND NOT (ifnull(i.buried_until, 0) > :now AND i.buried_until <= :end + {DAY})"""
_TODAY = f"(s.due < :end OR s.last_review > :end + {DAY})"
_SINCE = f"CAST((:start - s.last_review) / {DAY} + 1 AS INTEGER)"  # days; 0 of today
_IN_DECKS = "i.deck_id IN (SELECT value FROM json_each(:decks))"
# Of two that rest on the same sentence, one gives away the other: once one was asked today, the other waits
# for another day, unless it is in its steps of minutes.
_APART = """i.id NOT IN (
                SELECT o.id FROM items AS t JOIN items AS o ON o.document_id = t.document_id
                AND o.start < t."end" AND t.start < o."end" AND o.id <> t.id
                WHERE t.document_id <> 0 AND t.id IN (
                    SELECT item_id FROM reviews WHERE at >= :start AND at < :end))"""
_SENTENCE = "CASE i.document_id WHEN 0 THEN -i.id ELSE i.document_id || ' ' || i.start END"


class DeckCounts(NamedTuple):
    """Of one deck today, without limits: what could be asked, and what was."""

    new: int = 0
    learning: int = 0
    review: int = 0
    new_done: int = 0
    review_done: int = 0


@dataclass(frozen=True, slots=True)
class Withheld:
    """Whether an item is kept out of the reviews."""

    item_id: int
    suspended: bool
    buried_until: float | None


@dataclass(frozen=True, slots=True)
class Day:
    """A moment of a day of study, and the whole day; in seconds since the epoch.

    ``aims`` are those of decks whose course has an exam, by their keys.
    """

    now: float
    start: float
    end: float
    aims: Mapping[int, Aim] = field(default_factory=dict)

    @classmethod
    def at(cls, now: float) -> "Day":
        return cls(now, start_of(day_of(now)), end_of(now))

    @property
    def is_due(self) -> str:
        """The condition for a card in its steps of days."""
        cases = " ".join(
            f"""WHEN {deck} THEN abs({_SINCE}) + {aim.gap} > s.stability * {aim.reach}
                AND (SELECT count(*) FROM reviews WHERE item_id = i.id AND at BETWEEN :start AND :end)
                    < {aim.looks}"""
            for deck, aim in self.aims.items()
        )
        return f"(CASE i.deck_id {cases} ELSE {_TODAY} END)" if cases else _TODAY


class ReviewRepository:
    """Reads and writes schedules and reviews. Each method is one transaction; thread-safe."""

    def __init__(self, database: Database) -> None:
        self._db = database

    def schedules(self, item_ids: Collection[int]) -> dict[int, Schedule]:
        rows = self._db.connection.execute(
            f"SELECT * FROM schedules WHERE item_id {sql.IN_KEYS}", (sql.keys(item_ids),)
        )
        return {row["item_id"]: schedule_of(row) for row in rows}

    def histories(self, item_ids: Collection[int]) -> dict[int, History]:
        """Return how those items were learnt that were reviewed."""
        keys = sql.keys(item_ids)
        logged: dict[int, list[LoggedReview]] = {key: [] for key in item_ids}
        for row in self._db.connection.execute(
            f"SELECT * FROM reviews WHERE item_id {sql.IN_KEYS} ORDER BY at, id", (keys,)
        ):
            review = LoggedReview(row["at"], Rating(row["rating"]), row["seconds"], CardState(row["state"]))
            logged[row["item_id"]].append(review)
        schedules = self.schedules(item_ids).items()
        return {key: History(schedule, tuple(logged[key])) for key, schedule in schedules}

    def rate(
        self, item_id: int, change: Callable[[Schedule | None], Schedule], rating: Rating, seconds: float
    ) -> tuple[int, Schedule | None, Schedule] | None:
        """Log a review and store the schedule it leads to; once this returns, neither is lost.

        Returns:
            The key of the review, and the schedules before and after it; None if the item has left the
            library.
        """
        with self._db.transaction() as connection:
            item = connection.execute("SELECT 1 FROM items WHERE id = ?", (item_id,)).fetchone()
            if item is None:
                return None
            row = connection.execute("SELECT * FROM schedules WHERE item_id = ?", (item_id,)).fetchone()
            before = None if row is None else schedule_of(row)
            after = change(before)
            put_schedule(connection, item_id, after)
            review = sql.insert(
                connection,
                "reviews",
                item_id=item_id,
                at=after.last_review,
                rating=rating,
                seconds=seconds,
                state=CardState.NEW if before is None else before.state,
            )
        return review, before, after

    def take_back(self, review_id: int, item_id: int, before: Schedule | None) -> None:
        with self._db.transaction() as connection:
            connection.execute("DELETE FROM reviews WHERE id = ?", (review_id,))
            connection.execute("DELETE FROM schedules WHERE item_id = ?", (item_id,))
            if before is not None:
                put_schedule(connection, item_id, before)

    def withheld(self, item_ids: Sequence[int]) -> list[Withheld]:
        """Return how items are kept out of the reviews, to :meth:`withhold` them in the same way again."""
        rows = self._db.connection.execute(
            f"SELECT id, suspended, buried_until FROM items WHERE id {sql.IN_KEYS}", (sql.keys(item_ids),)
        )
        return [Withheld(row["id"], bool(row["suspended"]), row["buried_until"]) for row in rows]

    def withhold(self, items: Iterable[Withheld], at: float) -> None:
        """Store how items are kept out of the reviews from a moment on."""
        self._db.write(
            "UPDATE items SET suspended = ?, buried_until = ?, withheld_at = ? WHERE id = ?",
            [(int(one.suspended), one.buried_until, at, one.item_id) for one in items],
        )

    def counts(self, day: Day) -> dict[int, DeckCounts]:
        """Return what could be asked today, and what was, by deck; nothing is asked of one in the trash.

        Of new items, and of those due, that rest on the same sentence, one can be asked.
        """
        found = {
            row["deck_id"]: [row["new"], row["learning"], row["review"], 0, 0]
            for row in self._db.connection.execute(
                f"""SELECT i.deck_id,
                           count(DISTINCT CASE WHEN s.item_id IS NULL AND {_APART}
                                               THEN {_SENTENCE} END) AS new,
                           ifnull(sum(s.state <> 2 AND {_TODAY}), 0) AS learning,
                           count(DISTINCT CASE WHEN s.state = 2 AND {day.is_due} AND {_APART}
                                               THEN {_SENTENCE} END) AS review
                    FROM items AS i LEFT JOIN schedules AS s ON s.item_id = i.id
                    WHERE {_ASKED} AND i.deck_id IN (SELECT id FROM decks WHERE trashed_at IS NULL)
                    GROUP BY i.deck_id""",
                _parameters(day),
            )
        }
        for row in self._db.connection.execute(
            """SELECT i.deck_id, sum(r.state = 0) AS new, sum(r.state = 2) AS review
               FROM reviews AS r JOIN items AS i ON i.id = r.item_id
               WHERE r.at >= :start AND r.at < :end GROUP BY i.deck_id""",
            _parameters(day),
        ):
            found.setdefault(row["deck_id"], [0] * 5)[3:] = [row["new"], row["review"]]
        return {deck: DeckCounts(*numbers) for deck, numbers in found.items()}

    def next_at(self, decks: Collection[int]) -> float | None:
        """Return when the first item comes that is not suspended: when it is due, and no longer buried."""
        row = self._db.connection.execute(
            f"""SELECT min(max(ifnull(s.due, 0), ifnull(i.buried_until, 0))) AS at
                FROM items AS i LEFT JOIN schedules AS s ON s.item_id = i.id
                WHERE i.deleted_at IS NULL AND i.kind IN ({_KINDS}) AND i.suspended = 0 AND {_IN_DECKS}""",
            {"decks": json.dumps(list(decks))},
        ).fetchone()
        return None if row["at"] is None else float(row["at"])

    def learning(self, day: Day, decks: Collection[int], last: int, *, ahead: bool) -> Iterator[int]:
        """Yield items in their steps of minutes that are due now; ``ahead``, those due later today.

        The one that was rated ``last`` comes after all others.
        """
        when = f"s.due > :now AND {_TODAY}" if ahead else "s.due <= :now"
        return self._keys(
            f"""SELECT i.id FROM schedules AS s JOIN items AS i ON i.id = s.item_id
                WHERE s.state <> 2 AND {when} AND {_ASKED} AND {_IN_DECKS} ORDER BY i.id = :last, s.due""",
            {**_parameters(day, decks), "last": last},
        )

    def reviews(self, day: Day, decks: Collection[int]) -> Iterator[int]:
        """Yield items that fall due today, the longest due first; of those on one sentence, one.

        What was asked today already, and comes again, comes last.
        """
        return self._keys(
            f"""SELECT i.id, min(s.due) AS due FROM schedules AS s JOIN items AS i ON i.id = s.item_id
                WHERE s.state = 2 AND {day.is_due} AND {_ASKED} AND {_IN_DECKS} AND {_APART}
                GROUP BY i.deck_id, {_SENTENCE} ORDER BY s.last_review BETWEEN :start AND :end, due""",
            _parameters(day, decks),
        )

    def new(self, day: Day, decks: Collection[int]) -> Iterator[int]:
        """Yield items never reviewed, in the order of their course; of those on one sentence, one."""
        return self._keys(
            f"""SELECT min(i.id) FROM items AS i WHERE {_ASKED} AND {_IN_DECKS} AND {_APART}
                AND NOT EXISTS (SELECT 1 FROM schedules WHERE item_id = i.id)
                GROUP BY i.deck_id, {_SENTENCE}
                ORDER BY i.deck_id, i.lesson_number, i.document_id, i.start, i.id""",
            _parameters(day, decks),
        )

    def standing(self, deck_id: int | None) -> Iterator[sqlite3.Row]:
        """Yield each scheduled item of a deck, or of all: id, suspended, course, number, lesson, schedule.

        ``number`` and ``lesson`` are those of its lesson; the columns of its schedule are None if it is new.
        """
        return self._db.connection.execute(
            f"""SELECT i.id, i.suspended, d.course_title AS course,
                       i.lesson_number AS number, i.lesson_title AS lesson,
                       s.state, s.due, s.last_review, s.lapses
                FROM items AS i JOIN decks AS d ON d.id = i.deck_id
                LEFT JOIN schedules AS s ON s.item_id = i.id
                WHERE i.deleted_at IS NULL AND i.kind IN ({_KINDS}) AND d.trashed_at IS NULL
                AND i.deck_id = ifnull(?, i.deck_id)""",
            (deck_id,),
        )

    def known(self, deck_id: int, day: Day) -> list[tuple[float | None, float, int]]:
        """Return stability, difficulty and days since the last review of a deck's cards; None of new ones."""
        rows = self._db.connection.execute(
            f"""SELECT s.stability, s.difficulty, abs({_SINCE})
                FROM items AS i LEFT JOIN schedules AS s ON s.item_id = i.id
                WHERE i.deck_id = :deck AND i.deleted_at IS NULL AND i.kind IN ({_KINDS})
                AND i.suspended = 0""",
            {"deck": deck_id, "start": day.start},
        )
        return [(stability, difficulty, since) for stability, difficulty, since in rows]

    def pace(self, deck_id: int, day: Day) -> sqlite3.Row:
        """Return how long reviews of a deck took in the last two months, and what was done today.

        One of more than two minutes was a pause.
        """
        row: sqlite3.Row = self._db.connection.execute(
            """SELECT avg(CASE WHEN r.seconds BETWEEN 1 AND 120 THEN r.seconds END) AS seconds,
                      total(CASE WHEN r.at >= :start AND r.at < :end THEN min(r.seconds, 120) END) AS spent,
                      count(CASE WHEN r.at >= :start AND r.at < :end AND r.state = 0 THEN 1 END) AS new,
                      count(CASE WHEN r.at >= :start AND r.at < :end AND r.state = 2 THEN 1 END) AS reviews
               FROM reviews AS r JOIN items AS i ON i.id = r.item_id
               WHERE i.deck_id = :deck AND r.at >= :since""",
            {"deck": deck_id, "start": day.start, "end": day.end, "since": day.start - 60 * DAY},
        ).fetchone()
        return row

    def log(self, since: float = 0.0) -> Iterator[sqlite3.Row]:
        """Yield the reviews from a moment on, oldest first: item_id, at, rating, state."""
        return self._db.connection.execute(
            "SELECT item_id, at, rating, state FROM reviews WHERE at >= ? ORDER BY at, id", (since,)
        )

    def _keys(self, query: str, parameters: dict[str, object]) -> Iterator[int]:
        return (int(row[0]) for row in self._db.connection.execute(query, parameters))


def schedule_of(row: sqlite3.Row) -> Schedule:
    return Schedule(**without(row, "item_id") | {"state": CardState(row["state"])})


def put_schedule(connection: sqlite3.Connection, item_id: int, schedule: Schedule) -> None:
    connection.execute("DELETE FROM schedules WHERE item_id = ?", (item_id,))
    sql.insert(connection, "schedules", item_id=item_id, **asdict(schedule))


def _parameters(day: Day, decks: Collection[int] = ()) -> dict[str, object]:
    return {"now": day.now, "start": day.start, "end": day.end, "decks": json.dumps(list(decks))}
