-- SQLite's own check finds damage.
DROP TABLE document_checksums;
DROP TABLE exchange_checksums;
DELETE FROM meta WHERE key IN ('checked_at', 'trash');
