-- What a document itself says about its place, the chosen folders, and what people corrected.
ALTER TABLE documents ADD COLUMN claim TEXT;
ALTER TABLE documents ADD COLUMN heading TEXT;
ALTER TABLE documents ADD COLUMN marked INTEGER NOT NULL DEFAULT 0;
ALTER TABLE documents ADD COLUMN placed INTEGER NOT NULL DEFAULT 0;
ALTER TABLE documents ADD COLUMN description TEXT;
CREATE TABLE folders (path TEXT PRIMARY KEY, added_at REAL NOT NULL) WITHOUT ROWID;
CREATE TABLE corrections (
    path TEXT PRIMARY KEY, course_title TEXT, left_out INTEGER NOT NULL DEFAULT 0
) WITHOUT ROWID;
