-- Version 20 of the library. Keys are opaque; nothing outside the library sees them.
-- Positions are character offsets into documents.text, end exclusive.

CREATE TABLE meta (
    key TEXT PRIMARY KEY,
    value TEXT NOT NULL
) WITHOUT ROWID;

CREATE TABLE courses (
    id INTEGER PRIMARY KEY,
    title TEXT NOT NULL UNIQUE,
    instructor TEXT,
    link TEXT,
    is_sample INTEGER NOT NULL DEFAULT 0,
    -- chunk_index of the next passage: it only grows, so that an id is never used twice
    next_chunk_index INTEGER NOT NULL DEFAULT 0,
    -- the title's vector, float16, to resolve a course by meaning
    embedding BLOB NOT NULL
);

CREATE TABLE documents (
    id INTEGER PRIMARY KEY,
    course_id INTEGER NOT NULL REFERENCES courses (id) ON DELETE CASCADE,
    path TEXT NOT NULL,
    size INTEGER NOT NULL,
    mtime_ns INTEGER NOT NULL,
    sha256 TEXT NOT NULL,
    -- seconds since the epoch when it was put in the trash; NULL while it can be searched
    trashed_at REAL,
    text TEXT NOT NULL,
    -- pairs of little-endian 32-bit integers: start and end of each sentence, in order
    sentences BLOB NOT NULL,
    -- the course title that its header names; NULL without such a header
    claim TEXT,
    -- its first heading, may be empty; NULL as long as nobody has looked for it and the header
    heading TEXT,
    -- whether it has lesson markers of its own
    marked INTEGER NOT NULL DEFAULT 0,
    -- whether course and lesson come from where the file lies, not from the document
    placed INTEGER NOT NULL DEFAULT 0,
    -- what a README says about its course
    description TEXT,
    -- the language of its text, as a code of ISO 639; empty where it is unknown
    language TEXT NOT NULL DEFAULT '',
    -- what it is for: teaching, exercise, solution, data, code or about (the course)
    use TEXT NOT NULL DEFAULT 'teaching'
);
CREATE UNIQUE INDEX documents_live_path ON documents (path) WHERE trashed_at IS NULL;
-- the trash included
CREATE INDEX documents_path ON documents (path);
CREATE INDEX documents_sha256 ON documents (sha256);
CREATE INDEX documents_course ON documents (course_id);
-- Behind its text, a column is slow to read.
CREATE INDEX documents_language ON documents (trashed_at, language);
CREATE INDEX documents_use ON documents (id, use) WHERE use <> 'teaching';

CREATE TABLE lessons (
    id INTEGER PRIMARY KEY,
    document_id INTEGER NOT NULL REFERENCES documents (id) ON DELETE CASCADE,
    position INTEGER NOT NULL,
    number INTEGER,
    title TEXT NOT NULL,
    link TEXT,
    start INTEGER NOT NULL,
    "end" INTEGER NOT NULL
);
CREATE INDEX lessons_document ON lessons (document_id);

CREATE TABLE anchors (
    document_id INTEGER NOT NULL REFERENCES documents (id) ON DELETE CASCADE,
    start INTEGER NOT NULL,
    kind TEXT NOT NULL,
    value NOT NULL,
    PRIMARY KEY (document_id, start)
) WITHOUT ROWID;

CREATE TABLE chunks (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    course_id INTEGER NOT NULL REFERENCES courses (id) ON DELETE CASCADE,
    document_id INTEGER NOT NULL REFERENCES documents (id) ON DELETE CASCADE,
    lesson_id INTEGER NOT NULL REFERENCES lessons (id) ON DELETE CASCADE,
    lesson_number INTEGER,
    chunk_index INTEGER NOT NULL,
    start INTEGER NOT NULL,
    "end" INTEGER NOT NULL,
    -- In the order of how often they are read, since what stands behind is not read with it.
    -- float16 (dimension): the passage's own vector, the mean of context; what Chroma holds
    embedding BLOB NOT NULL,
    text TEXT NOT NULL,
    -- n pieces, smaller units that are ranked: spans as pairs of little-endian int32
    pieces BLOB NOT NULL,
    -- pairs of uint32: piece number (255: the heading, of earlier versions) and term hash
    terms BLOB NOT NULL,
    -- float16 (n, dimension): the pieces' vectors, each blended with what stands around it
    context BLOB NOT NULL,
    -- float16 (n, dimension): the model's vectors of the pieces' texts
    vectors BLOB NOT NULL
);
CREATE INDEX chunks_document ON chunks (document_id, start);
CREATE INDEX chunks_lesson ON chunks (lesson_id);
CREATE INDEX chunks_course ON chunks (course_id, lesson_number);
CREATE INDEX chunks_number ON chunks (course_id, chunk_index);

-- What the full-text index reads: the passage, and the names it is filed under.
CREATE VIEW passages AS
SELECT
    chunks.id AS id,
    chunks.text AS text,
    courses.title || ' ' || lessons.title AS context
FROM chunks
JOIN courses ON courses.id = chunks.course_id
JOIN lessons ON lessons.id = chunks.lesson_id;

CREATE VIRTUAL TABLE passages_fts USING fts5 (
    text, context,
    content = 'passages', content_rowid = 'id',
    tokenize = 'porter unicode61 remove_diacritics 2'
);

-- The terms of that index, in order.
CREATE VIRTUAL TABLE passages_vocabulary USING fts5vocab (passages_fts, row);

-- What Chroma has not been told yet, in order. Written in the transaction that makes it true,
-- deleted once Chroma has it, replayed at the next start otherwise.
CREATE TABLE index_queue (
    seq INTEGER PRIMARY KEY AUTOINCREMENT,
    op TEXT NOT NULL CHECK (op IN ('add', 'remove', 'course')),
    -- add: the chunk; remove: the record's id in Chroma; course: the course's title
    item NOT NULL,
    -- Chroma refuses a call that names a record twice. The later entry stays, at its place in the order:
    -- what was added, removed and added again must not be removed last.
    UNIQUE (op, item) ON CONFLICT REPLACE
);

-- Files that could not be read: not tried again until they change.
CREATE TABLE failures (
    path TEXT PRIMARY KEY,
    size INTEGER NOT NULL,
    mtime_ns INTEGER NOT NULL,
    reason TEXT NOT NULL
) WITHOUT ROWID;

-- Folders as people chose them. What lies in one belongs to it however it was added later.
CREATE TABLE folders (
    path TEXT PRIMARY KEY,
    added_at REAL NOT NULL,
    -- whether it is one course, or each of its subfolders is; NULL as long as it has none
    one_course INTEGER
) WITHOUT ROWID;

-- What people wanted otherwise, by the path of a file or of a course's folder.
CREATE TABLE corrections (
    path TEXT PRIMARY KEY,
    -- the course it is to be in, or to be called; NULL as it would be
    course_title TEXT,
    left_out INTEGER NOT NULL DEFAULT 0,
    -- what it is for; NULL as its name and words tell
    use TEXT
) WITHOUT ROWID;

-- What the library keeps up with: folders, and files that were chosen singly.
CREATE TABLE watched (
    path TEXT PRIMARY KEY,
    is_folder INTEGER NOT NULL,
    -- of the files there when all of them had been taken in, to see at a glance that nothing changed
    fingerprint TEXT NOT NULL DEFAULT '',
    -- whether a drive or share was mounted there
    was_mount INTEGER NOT NULL DEFAULT 0
) WITHOUT ROWID;

-- Files that people took out of the library: watching does not bring them back.
CREATE TABLE removed_files (path TEXT PRIMARY KEY) WITHOUT ROWID;

CREATE TABLE conversations (
    id INTEGER PRIMARY KEY,
    title TEXT NOT NULL,
    created_at REAL NOT NULL,
    updated_at REAL NOT NULL,
    pinned INTEGER NOT NULL DEFAULT 0,
    deleted_at REAL,
    scope TEXT NOT NULL DEFAULT '{}'
);

CREATE TABLE exchanges (
    id INTEGER PRIMARY KEY,
    conversation_id INTEGER NOT NULL REFERENCES conversations (id) ON DELETE CASCADE,
    parent_id INTEGER REFERENCES exchanges (id) ON DELETE CASCADE,
    question TEXT NOT NULL,
    answer TEXT NOT NULL DEFAULT '',
    state TEXT NOT NULL CHECK (state IN ('writing', 'done', 'stopped', 'failed')),
    scope TEXT NOT NULL DEFAULT '{}',
    model TEXT,
    stop_reason TEXT,
    usage TEXT NOT NULL DEFAULT '{}',
    error TEXT,
    created_at REAL NOT NULL,
    seconds REAL NOT NULL DEFAULT 0,
    claims TEXT NOT NULL DEFAULT '[]',
    -- of an answer: empty for one that is an answer itself
    kind TEXT NOT NULL DEFAULT ''
);
CREATE INDEX exchanges_conversation ON exchanges (conversation_id);

CREATE VIRTUAL TABLE exchanges_fts USING fts5 (
    question, answer,
    content = 'exchanges', content_rowid = 'id',
    tokenize = 'porter unicode61 remove_diacritics 2'
);

-- Sources and citations are snapshots: they stay true when the file is changed or removed.
CREATE TABLE sources (
    exchange_id INTEGER NOT NULL REFERENCES exchanges (id) ON DELETE CASCADE,
    n INTEGER NOT NULL,
    ref TEXT NOT NULL,
    document_id INTEGER NOT NULL,
    document_sha256 TEXT NOT NULL,
    hit TEXT NOT NULL,
    sentences TEXT NOT NULL,
    -- of the passage
    course_title TEXT NOT NULL DEFAULT '',
    PRIMARY KEY (exchange_id, n)
) WITHOUT ROWID;

CREATE TABLE citations (
    exchange_id INTEGER NOT NULL REFERENCES exchanges (id) ON DELETE CASCADE,
    position INTEGER NOT NULL,
    source_n INTEGER NOT NULL,
    answer_start INTEGER NOT NULL,
    answer_end INTEGER NOT NULL,
    start INTEGER NOT NULL,
    "end" INTEGER NOT NULL,
    cited_text TEXT NOT NULL,
    verified INTEGER NOT NULL,
    support TEXT,
    is_found INTEGER NOT NULL DEFAULT 0,
    PRIMARY KEY (exchange_id, position)
) WITHOUT ROWID;

-- What is studied: the items of a course, which outlive its text.
CREATE TABLE decks (
    id INTEGER PRIMARY KEY,
    -- the same in every copy of the library, and in every export
    uid TEXT NOT NULL UNIQUE,
    -- the title that the course has, or had
    course_title TEXT NOT NULL,
    created_at REAL NOT NULL,
    -- with its course; NULL while it can be studied
    trashed_at REAL,
    -- NULL once the course has left the library
    course_id INTEGER REFERENCES courses (id) ON DELETE SET NULL
);
CREATE UNIQUE INDEX decks_live_course ON decks (course_title) WHERE trashed_at IS NULL;

-- A key is never used twice: what was undone or exported must not name another item.
CREATE TABLE items (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    uid TEXT NOT NULL UNIQUE,
    deck_id INTEGER NOT NULL REFERENCES decks (id) ON DELETE CASCADE,
    kind TEXT NOT NULL,
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
    -- when it was last suspended, buried or taken up again, so that of two copies the newer state holds
    withheld_at REAL NOT NULL DEFAULT 0,
    -- of the passage
    course_title TEXT NOT NULL DEFAULT '',
    lesson_number INTEGER,
    lesson_title TEXT NOT NULL DEFAULT ''
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
