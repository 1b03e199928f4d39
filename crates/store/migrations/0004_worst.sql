-- What the largest samples of a row say of larger ones, as JSON: a fit with the levels within its
-- reach, or why there is none. NULL in rows whose samples come from several threads, and in those
-- of before: the fits of before claimed more than their samples carry, and are not kept.
ALTER TABLE rows DROP COLUMN tail;
ALTER TABLE rows ADD COLUMN worst TEXT;
