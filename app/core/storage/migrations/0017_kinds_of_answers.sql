-- What is not an answer itself, but a step towards one.
ALTER TABLE exchanges ADD COLUMN kind TEXT NOT NULL DEFAULT '';
