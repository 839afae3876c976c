-- One entry for each thing that Chroma must be told; of several the last.
CREATE TABLE new_queue (
    seq INTEGER PRIMARY KEY AUTOINCREMENT,
    op TEXT NOT NULL CHECK (op IN ('add', 'remove', 'course')),
    item NOT NULL,
    UNIQUE (op, item) ON CONFLICT REPLACE
);
INSERT INTO new_queue (seq, op, item) SELECT seq, op, coalesce(record_id, key) FROM index_queue ORDER BY seq;
DROP TABLE index_queue;
ALTER TABLE new_queue RENAME TO index_queue;
