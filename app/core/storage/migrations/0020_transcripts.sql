-- What was heard in recordings, by the digest of their files. People correct it.
CREATE TABLE transcripts (
    sha256 TEXT PRIMARY KEY,
    -- of the file when it was last heard
    path TEXT NOT NULL,
    size INTEGER NOT NULL,
    -- how long it lasts, 0 if unknown, and to which second it has been heard
    seconds REAL NOT NULL,
    heard REAL NOT NULL,
    is_whole INTEGER NOT NULL,
    model TEXT NOT NULL,
    language TEXT NOT NULL,
    -- WebVTT; words that may be other ones stand in <c.unsure>
    vtt TEXT NOT NULL,
    is_corrected INTEGER NOT NULL DEFAULT 0,
    -- parts of which nothing could be made
    dropped INTEGER NOT NULL DEFAULT 0,
    -- size and mtime_ns of the captions that were written from it; 0 for none
    saved_size INTEGER NOT NULL DEFAULT 0,
    saved_mtime_ns INTEGER NOT NULL DEFAULT 0
) WITHOUT ROWID;
