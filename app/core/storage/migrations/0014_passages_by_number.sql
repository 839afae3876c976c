-- Chroma names a passage by its course and its number.
CREATE INDEX chunks_number ON chunks (course_id, chunk_index);
