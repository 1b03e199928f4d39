-- What a person calls a session and says of it; NULL where nobody did, and in those of before.
ALTER TABLE sessions ADD COLUMN heading TEXT;
ALTER TABLE sessions ADD COLUMN note TEXT;
