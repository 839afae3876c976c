-- Whether a chosen folder is one course; NULL as long as nothing in it says so. Until now, each subfolder was.
ALTER TABLE folders ADD COLUMN one_course INTEGER;
UPDATE folders SET one_course = 0;
