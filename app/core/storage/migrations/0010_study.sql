-- What is studied: the items of a course, which outlive its text.
CREATE TABLE decks (
    id INTEGER PRIMARY KEY,
    -- the same in every copy of the library, and in every export
    uid TEXT NOT NULL UNIQUE,
    course_title TEXT NOT NULL,
    created_at REAL NOT NULL,
    -- with its course; NULL while it can be studied
    trashed_at REAL
);
CREATE UNIQUE INDEX decks_live_course ON decks (course_title) WHERE trashed_at IS NULL;

-- A key is never used twice: what was undone or exported must not name another item.
CREATE TABLE items (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    uid TEXT NOT NULL UNIQUE,
    deck_id INTEGER NOT NULL REFERENCES decks (id) ON DELETE CASCADE,
    kind TEXT NOT NULL CHECK (kind IN ('card', 'cloze', 'choice', 'short', 'term', 'point')),
    front TEXT NOT NULL,
    back TEXT NOT NULL,
    -- JSON: wrong answers of a choice, other right ones of a short answer
    others TEXT NOT NULL DEFAULT '[]',
    explanation TEXT NOT NULL DEFAULT '',
    difficulty TEXT NOT NULL,
    language TEXT NOT NULL DEFAULT '',
    automatic INTEGER NOT NULL DEFAULT 0,
    edited INTEGER NOT NULL DEFAULT 0,
    created_at REAL NOT NULL,
    -- what it says or rests on, so that a program it is given to knows which copy is newer
    changed_at REAL NOT NULL,
    -- by hand, which can be undone
    deleted_at REAL,
    suspended INTEGER NOT NULL DEFAULT 0,
    -- seconds since the epoch until which it is not asked
    buried_until REAL,
    -- the last result of a quiz question
    quiz_right INTEGER,
    quiz_at REAL,
    -- where the quoted sentence stands, and the passage around it, as in sources; followed when it moves.
    -- The document is that of what has taken its place, 0 if nothing has.
    document_id INTEGER NOT NULL,
    document_sha256 TEXT NOT NULL,
    start INTEGER NOT NULL,
    "end" INTEGER NOT NULL,
    quote TEXT NOT NULL,
    hit TEXT NOT NULL,
    sentences TEXT NOT NULL,
    -- how that sentence stands in the library now, and what stands in its place
    state TEXT NOT NULL DEFAULT 'current' CHECK (state IN ('current', 'changed', 'gone')),
    now TEXT NOT NULL DEFAULT '',
    -- whether the user has seen that, and keeps the item as it is
    kept INTEGER NOT NULL DEFAULT 0,
    -- float16: of what it asks, to notice the same question; NULL until it is known
    embedding BLOB
);
-- Enough to count what may be asked without reading the items themselves.
CREATE INDEX items_deck ON items (deck_id, deleted_at, kind, suspended, buried_until);
CREATE INDEX items_document ON items (document_id);

-- What FSRS knows of an item that was reviewed; times are seconds since the epoch.
CREATE TABLE schedules (
    item_id INTEGER PRIMARY KEY REFERENCES items (id) ON DELETE CASCADE,
    due REAL NOT NULL,
    state INTEGER NOT NULL CHECK (state BETWEEN 1 AND 3),
    step INTEGER,
    stability REAL NOT NULL,
    difficulty REAL NOT NULL,
    last_review REAL NOT NULL,
    lapses INTEGER NOT NULL DEFAULT 0
);
CREATE INDEX schedules_due ON schedules (state, due);

CREATE TABLE reviews (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    item_id INTEGER NOT NULL REFERENCES items (id) ON DELETE CASCADE,
    at REAL NOT NULL,
    rating INTEGER NOT NULL CHECK (rating BETWEEN 1 AND 4),
    seconds REAL NOT NULL DEFAULT 0,
    -- of its schedule before this review; 0 if it was new
    state INTEGER NOT NULL CHECK (state BETWEEN 0 AND 3)
);
CREATE INDEX reviews_item ON reviews (item_id);
CREATE INDEX reviews_at ON reviews (at);

-- Cited sentences of saved answers whose document was read again, or left, since they were cited.
CREATE TABLE citation_places (
    exchange_id INTEGER NOT NULL,
    position INTEGER NOT NULL,
    -- where it stands now, or what has taken its place; 0 if nothing has
    document_id INTEGER NOT NULL,
    state TEXT NOT NULL CHECK (state IN ('current', 'changed', 'gone')),
    now TEXT NOT NULL DEFAULT '',
    -- whether the user has seen that, and keeps the answer
    kept INTEGER NOT NULL DEFAULT 0,
    PRIMARY KEY (exchange_id, position),
    FOREIGN KEY (exchange_id, position) REFERENCES citations ON DELETE CASCADE
) WITHOUT ROWID;
