"""Decks as a package for Anki. Only this module imports genanki, and knows how Anki stores what it learns.

A package is a zip file with an SQLite file of one collection. Anki finds a note by its guid, and changes
it if that in the package is newer; a deck by its name; a kind of notes by its id.
"""

import hashlib
import itertools
import json
import re
import sqlite3
import zipfile
from collections.abc import Iterator, Mapping
from contextlib import closing
from pathlib import Path

import genanki

from app.config.paths import resource_path
from app.features.study.exports.wording import as_html, line, numbered_lesson, options, source, to_html
from app.features.study.kinds import KINDS, AnkiNote
from app.features.study.model.items import Deck, Item, QuoteState
from app.features.study.model.names import ItemKind
from app.features.study.model.reviews import CardState, History, day_of, days_between, start_of

_STYLES_CHANGED = 1_795_000_000
"""When the kinds of notes or their styles last changed: Anki takes over what is newer than its own."""

_FOOT = (
    '{{#Explanation}}<div class="why">{{Explanation}}</div>{{/Explanation}}'
    '<blockquote>{{Quote}}</blockquote><div class="source">{{Source}}</div>'
)
_ALL_HAVE = ("Explanation", "Quote", "Source")
# What Anki would play, or set with a LaTeX that is installed.
_ORDER = re.compile(r"\[(?=/?(?:sound:|anki:|latex|\$))", re.IGNORECASE)
_LONGEST_ANSWER_MS = 60_000  # as Anki's own limit
_EASE = 2500  # used if FSRS is switched off in Anki
_LEARNING, _REVIEW, _SUSPENDED = 1, 2, -1  # queues of cards
_ONE_STEP = 1001  # of learning: one left today, one in all


def write_apkg(
    decks: list[tuple[Deck, list[Item]]], path: Path, histories: Mapping[int, History] | None, now: float
) -> None:
    """Write one note and one card an item; without ``histories``, by the keys of items, all are new."""
    models = {name: _model(name, kind.anki) for name, kind in KINDS.items() if kind.anki}
    made = [one for deck, items in decks for one in _decks(models, deck, items)]
    with closing(sqlite3.connect(":memory:")) as connection:
        cursor = connection.cursor()
        genanki.Package(made).write_to_db(cursor, now, itertools.count(int(1000 * now)))
        items = {item.uid: item for _, own in decks for item in own}
        _stamp(cursor, items)
        if histories is not None:
            _schedule(cursor, items, histories, now)
        connection.commit()
        collection = connection.serialize()
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as package:
        package.writestr("collection.anki2", collection)
        package.writestr("media", "{}")


def _model(name: ItemKind, note: AnkiNote) -> genanki.Model:
    return genanki.Model(
        note.note_id,
        f"Lectern {name}",
        fields=[{"name": field} for field in (*note.fields, *_ALL_HAVE)],
        templates=[{"name": "Card", "qfmt": note.front, "afmt": f"{note.shown}{note.back}{_FOOT}"}],
        css=resource_path("resources/styles/anki.css").read_text(encoding="utf-8"),
        model_type=genanki.Model.CLOZE if note.is_cloze else genanki.Model.FRONT_BACK,
    )


def _decks(models: Mapping[ItemKind, genanki.Model], deck: Deck, items: list[Item]) -> list[genanki.Deck]:
    """Return the deck of a course, which is empty, and one below it for each lesson."""
    course = _deck_name(deck.course_title)
    found = {"": genanki.Deck(_key(deck.uid, ""), course)}
    for position, item in enumerate(items, 1):
        lesson = _deck_name(numbered_lesson(item.source.hit)) if _has_lesson(item) else ""
        if lesson not in found:
            found[lesson] = genanki.Deck(_key(deck.uid, lesson), f"{course}::{lesson}")
        own = KINDS[item.kind].anki_fields(item.text, to_html, options(item))
        shared = to_html(item.text.explanation), as_html(item.quote), as_html(source(item))
        fields = [_ORDER.sub("&#91;", text) for text in (*own, *shared)]
        tags = _tags(deck, item)
        found[lesson].add_note(
            genanki.Note(models[item.kind], fields, guid=item.uid, tags=tags, due=position)
        )
    return list(found.values())


def _deck_name(title: str) -> str:
    """Return a name that Anki does not part into decks below each other."""
    return re.sub("::+", ":", line(title)).strip(": ") or "–"


def _tags(deck: Deck, item: Item) -> list[str]:
    names = [_deck_name(deck.course_title)]
    if _has_lesson(item):
        names.append(_deck_name(numbered_lesson(item.source.hit)))
    tags = ["::".join(name.replace(" ", "_") for name in names)]
    return tags if item.state is QuoteState.CURRENT else [*tags, f"source::{item.state}"]


def _has_lesson(item: Item) -> bool:
    return bool(numbered_lesson(item.source.hit))


def _key(*parts: str) -> int:
    """Return a number that the same parts always have, within what Anki's JavaScript counts to."""
    return int.from_bytes(hashlib.sha256("\0".join(parts).encode()).digest()[:6], "big") | 1 << 47


def _stamp(cursor: sqlite3.Cursor, items: Mapping[str, Item]) -> None:
    """Give notes and their kinds the times when they changed, so that Anki keeps what was edited there."""
    notes = cursor.execute("SELECT id, guid FROM notes").fetchall()
    cursor.executemany(
        "UPDATE notes SET mod = ? WHERE id = ?",
        [(int(items[uid].changed_at or items[uid].created_at), note_id) for note_id, uid in notes],
    )
    (models,) = cursor.execute("SELECT models FROM col").fetchone()
    stamped = {key: {**model, "mod": _STYLES_CHANGED} for key, model in json.loads(models).items()}
    cursor.execute("UPDATE col SET models = ?", (json.dumps(stamped),))


def _schedule(
    cursor: sqlite3.Cursor, items: Mapping[str, Item], histories: Mapping[int, History], now: float
) -> None:
    """Give cards what FSRS knows of them, which genanki cannot write; the collection begins today."""
    cursor.execute("UPDATE col SET crt = ?", (int(start_of(day_of(now))),))
    reviews: list[tuple[int, ...]] = []
    cards = cursor.execute("SELECT c.id, n.guid FROM cards AS c JOIN notes AS n ON n.id = c.nid").fetchall()
    for card_id, uid in cards:
        item = items[uid]
        history = histories.get(item.item_id)
        columns = _columns(history, now) if history else {}
        if item.suspended:
            columns["queue"] = _SUSPENDED
        if columns:
            named = ", ".join(f"{name} = :{name}" for name in columns)
            cursor.execute(f"UPDATE cards SET {named} WHERE id = :id", {**columns, "id": card_id})
        reviews += [(at, card_id, *row) for at, *row in (_reviews(history) if history else ())]
    last = 0
    for at, *row in sorted(reviews):
        last = max(at, last + 1)  # the key of a review is its time, in milliseconds
        cursor.execute("INSERT INTO revlog VALUES (?, ?, -1, ?, ?, ?, ?, ?, ?)", (last, *row))


def _columns(history: History, now: float) -> dict[str, object]:
    """Return the columns of a card that are not those of a new one."""
    schedule = history.schedule
    is_review = schedule.state is CardState.REVIEW
    memory = {"s": schedule.stability, "d": schedule.difficulty, "lrt": int(schedule.last_review)}
    return {
        "type": schedule.state,
        "queue": _REVIEW if is_review else _LEARNING,
        "due": (day_of(schedule.due) - day_of(now)).days if is_review else int(schedule.due),
        "ivl": days_between(schedule.last_review, schedule.due) if is_review else 0,
        "factor": _EASE,
        "reps": len(history.reviews),
        "lapses": schedule.lapses,
        "left": 0 if is_review else _ONE_STEP,
        "data": json.dumps(memory),
    }


def _reviews(history: History) -> Iterator[tuple[int, ...]]:
    """Yield time, rating, interval, the one before, ease, milliseconds and kind of each review.

    An interval is the time to the next review: in days, or negative and in seconds.
    """
    moments = [*(review.at for review in history.reviews), history.schedule.due]
    before = 0
    for review, later in zip(history.reviews, moments[1:], strict=True):
        days = days_between(review.at, later)
        interval = days or -max(int(later - review.at), 1)
        ease = 0 if review.state is CardState.NEW else _EASE
        spent = min(int(1000 * review.seconds), _LONGEST_ANSWER_MS)
        yield int(1000 * review.at), review.rating, interval, before, ease, spent, max(review.state - 1, 0)
        before = interval
