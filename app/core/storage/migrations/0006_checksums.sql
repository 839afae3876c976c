-- Checksums of documents and exchanges; they went with version 12.
CREATE TABLE document_checksums (
    document_id INTEGER PRIMARY KEY REFERENCES documents (id) ON DELETE CASCADE,
    value BLOB NOT NULL
);
CREATE TABLE exchange_checksums (
    exchange_id INTEGER PRIMARY KEY REFERENCES exchanges (id) ON DELETE CASCADE,
    value BLOB NOT NULL
);
