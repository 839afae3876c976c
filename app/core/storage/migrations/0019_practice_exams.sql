-- Practice exams of a course, the last of which may still be going on; `tasks` is JSON.
CREATE TABLE practice_exams (
    id INTEGER PRIMARY KEY,
    deck_id INTEGER NOT NULL REFERENCES decks (id) ON DELETE CASCADE,
    started_at REAL NOT NULL,
    finished_at REAL,
    paper TEXT NOT NULL,
    minutes INTEGER NOT NULL,
    spent REAL NOT NULL,
    tasks TEXT NOT NULL
);
CREATE INDEX practice_exams_deck ON practice_exams (deck_id, started_at);
