-- Days whose figures stay as they were, with their interval and the digest of the figures.
-- +goose Up
CREATE TABLE closed_days (
  day TEXT NOT NULL,
  zone TEXT NOT NULL,
  from_us INTEGER NOT NULL,
  until_us INTEGER NOT NULL,
  closed_at_us INTEGER NOT NULL,
  digest TEXT NOT NULL,
  PRIMARY KEY (day)
) STRICT, WITHOUT ROWID;
