-- A run in parts of equal time, as JSON: count, sum and median of each. NULL in rows of few
-- samples, in those of several threads, and in those of before.
ALTER TABLE rows ADD COLUMN parts TEXT;
