-- What a document is for. Those of earlier versions are teaching texts until their folder is listed again, which
-- looks at whatever has no heading yet.
ALTER TABLE documents ADD COLUMN use TEXT NOT NULL DEFAULT 'teaching';
ALTER TABLE corrections ADD COLUMN use TEXT;
CREATE INDEX documents_use ON documents (id, use) WHERE use <> 'teaching';
UPDATE documents SET heading = NULL;
UPDATE watched SET fingerprint = '';
