-- What an item asks is embedded when items are made: few decks have many, and a model may follow another.
ALTER TABLE items DROP COLUMN embedding;
DELETE FROM meta WHERE key = 'study_vectors';
