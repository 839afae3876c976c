-- When the exam of a course is, and what was studied for it.
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
    -- JSON: lessons by number and title, with the points that a past paper gives for them
    weights TEXT NOT NULL,
    -- JSON likewise: when they were studied, in seconds since the epoch
    studied TEXT NOT NULL,
    changed_at REAL NOT NULL
) WITHOUT ROWID;
