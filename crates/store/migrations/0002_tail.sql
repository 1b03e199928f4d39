-- What the largest samples of a row say of larger ones, as JSON: a fit, or why there is
-- none. NULL in rows whose samples come from several threads, and in those of before.
ALTER TABLE rows ADD COLUMN tail TEXT;
