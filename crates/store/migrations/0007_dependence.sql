-- How much the samples of a row depend on each other, as JSON: for the median, p90, p99, p99.9 and
-- p99.99, how many times fewer independent samples would say as much. NULL in rows of before, whose
-- samples are treated as independent.
ALTER TABLE rows ADD COLUMN dependence TEXT;
