-- When an item was last suspended, buried or taken up again: unknown until now.
ALTER TABLE items ADD COLUMN withheld_at REAL NOT NULL DEFAULT 0;
