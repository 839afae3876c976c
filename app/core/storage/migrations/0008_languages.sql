-- The language of each document, and the terms of the full-text index.
ALTER TABLE documents ADD COLUMN language TEXT NOT NULL DEFAULT '';
UPDATE documents SET language = language_of(text);
CREATE INDEX documents_language ON documents (trashed_at, language);
CREATE VIRTUAL TABLE passages_vocabulary USING fts5vocab (passages_fts, row);
