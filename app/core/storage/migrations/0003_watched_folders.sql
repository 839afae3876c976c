-- What is kept up with: so far all chosen folders, and nothing that was taken out of the library.
CREATE TABLE watched (
    path TEXT PRIMARY KEY, is_folder INTEGER NOT NULL,
    fingerprint TEXT NOT NULL DEFAULT '', was_mount INTEGER NOT NULL DEFAULT 0
) WITHOUT ROWID;
INSERT INTO watched (path, is_folder) SELECT path, 1 FROM folders;
CREATE TABLE removed_files (path TEXT PRIMARY KEY) WITHOUT ROWID;
INSERT OR IGNORE INTO removed_files SELECT path FROM documents WHERE trashed_at IS NOT NULL;
