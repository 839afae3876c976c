-- Checksums of documents and exchanges, of those that exist too.
CREATE TABLE document_checksums (
    document_id INTEGER PRIMARY KEY REFERENCES documents (id) ON DELETE CASCADE,
    value BLOB NOT NULL
);
CREATE TABLE exchange_checksums (
    exchange_id INTEGER PRIMARY KEY REFERENCES exchanges (id) ON DELETE CASCADE,
    value BLOB NOT NULL
);
INSERT INTO document_checksums SELECT id, document_checksum(id) FROM documents;
INSERT INTO exchange_checksums SELECT id, exchange_checksum(id) FROM exchanges;
