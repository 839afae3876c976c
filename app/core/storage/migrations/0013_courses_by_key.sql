-- Decks refer to their course by its key; what is looked up of a passage stands in columns; a new kind of
-- item needs no migration.
ALTER TABLE decks ADD COLUMN course_id INTEGER REFERENCES courses (id) ON DELETE SET NULL;
UPDATE decks SET course_id = (SELECT id FROM courses WHERE title = decks.course_title);

CREATE TABLE new_items (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    uid TEXT NOT NULL UNIQUE,
    deck_id INTEGER NOT NULL REFERENCES decks (id) ON DELETE CASCADE,
    kind TEXT NOT NULL,
    front TEXT NOT NULL,
    back TEXT NOT NULL,
    others TEXT NOT NULL DEFAULT '[]',
    explanation TEXT NOT NULL DEFAULT '',
    difficulty TEXT NOT NULL,
    language TEXT NOT NULL DEFAULT '',
    automatic INTEGER NOT NULL DEFAULT 0,
    edited INTEGER NOT NULL DEFAULT 0,
    created_at REAL NOT NULL,
    changed_at REAL NOT NULL,
    deleted_at REAL,
    suspended INTEGER NOT NULL DEFAULT 0,
    buried_until REAL,
    quiz_right INTEGER,
    quiz_at REAL,
    document_id INTEGER NOT NULL,
    document_sha256 TEXT NOT NULL,
    start INTEGER NOT NULL,
    "end" INTEGER NOT NULL,
    quote TEXT NOT NULL,
    hit TEXT NOT NULL,
    sentences TEXT NOT NULL,
    state TEXT NOT NULL DEFAULT 'current' CHECK (state IN ('current', 'changed', 'gone')),
    now TEXT NOT NULL DEFAULT '',
    kept INTEGER NOT NULL DEFAULT 0,
    embedding BLOB,
    withheld_at REAL NOT NULL DEFAULT 0,
    course_title TEXT NOT NULL DEFAULT '',
    lesson_number INTEGER,
    lesson_title TEXT NOT NULL DEFAULT ''
);
INSERT INTO new_items (
    id, uid, deck_id, kind, front, back, others, explanation, difficulty, language, automatic,
    edited, created_at, changed_at, deleted_at, suspended, buried_until, quiz_right, quiz_at,
    document_id, document_sha256, start, "end", quote, hit, sentences, state, now, kept,
    embedding, withheld_at
)
SELECT
    id, uid, deck_id, kind, front, back, others, explanation, difficulty, language, automatic,
    edited, created_at, changed_at, deleted_at, suspended, buried_until, quiz_right, quiz_at,
    document_id, document_sha256, start, "end", quote, hit, sentences,
    state, now, kept, embedding, withheld_at
FROM items;
-- No key is used twice, also not that of the last item if it was deleted.
DELETE FROM sqlite_sequence WHERE name = 'new_items';
INSERT INTO sqlite_sequence (name, seq) SELECT 'new_items', seq FROM sqlite_sequence WHERE name = 'items';
DROP TABLE items;
ALTER TABLE new_items RENAME TO items;
-- Enough to count what may be asked without reading the items themselves.
CREATE INDEX items_deck ON items (deck_id, deleted_at, kind, suspended, buried_until);
CREATE INDEX items_document ON items (document_id);

UPDATE items SET
    course_title = ifnull(json_extract(hit, '$.course_title'), ''),
    lesson_number = json_extract(hit, '$.lesson_number'),
    lesson_title = ifnull(json_extract(hit, '$.lesson_title'), '')
WHERE json_valid(hit);
ALTER TABLE sources ADD COLUMN course_title TEXT NOT NULL DEFAULT '';
UPDATE sources SET course_title = ifnull(json_extract(hit, '$.course_title'), '') WHERE json_valid(hit);
