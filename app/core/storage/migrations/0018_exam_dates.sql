-- When the exam of a course is, and which of its lessons were studied.
CREATE TABLE exams (
    -- as decks, they follow their course, and outlive it
    course_title TEXT PRIMARY KEY,
    -- as of ISO 8601
    day TEXT NOT NULL,
    minutes INTEGER NOT NULL,
    -- percent of the cards that are to be recalled on that day
    retention INTEGER NOT NULL,
    -- JSON: days of the week, 0 is Monday, and dates
    days_off TEXT NOT NULL,
    -- JSON: what a past paper gives for lessons: number, title, points
    weights TEXT NOT NULL,
    -- the day from which the days are planned
    since TEXT NOT NULL,
    changed_at REAL NOT NULL
) WITHOUT ROWID;
CREATE TABLE studied (
    course_title TEXT NOT NULL,
    number INTEGER,
    title TEXT NOT NULL,
    at REAL NOT NULL
);
CREATE INDEX studied_course ON studied (course_title);
