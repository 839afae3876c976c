-- Whether a chosen folder is one course; NULL as long as nothing in it says so. Until now, each subfolder was.
ALTER TABLE folders ADD COLUMN one_course INTEGER;
UPDATE folders SET one_course = 0 WHERE EXISTS (
    SELECT 1 FROM documents AS d, (SELECT '/' AS sep UNION SELECT '\')
    WHERE instr(d.path, rtrim(folders.path, sep) || sep) = 1
    AND instr(substr(d.path, length(rtrim(folders.path, sep)) + 2), sep)
);
