-- What the examination of an answer found; earlier answers were not examined.
ALTER TABLE exchanges ADD COLUMN claims TEXT NOT NULL DEFAULT '[]';
ALTER TABLE citations ADD COLUMN support TEXT;
ALTER TABLE citations ADD COLUMN is_found INTEGER NOT NULL DEFAULT 0;
