-- What a file's earlier versions are looked up by; and a table that is not read any more.
CREATE INDEX documents_path ON documents (path);
DROP TABLE passages_vocabulary;
