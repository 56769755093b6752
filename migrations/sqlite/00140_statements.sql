-- Statements of the platform: whose file, where it lies, how it is read, and the period that it covers.
-- +goose Up
CREATE TABLE statements (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  at_us INTEGER NOT NULL,
  actor TEXT NOT NULL,
  file_name TEXT NOT NULL,
  digest TEXT NOT NULL,
  file_bytes INTEGER NOT NULL,
  header TEXT NOT NULL,
  header_digest TEXT NOT NULL,
  folder TEXT NOT NULL,
  stored_name TEXT NOT NULL,
  layout TEXT NOT NULL,
  since_us INTEGER NOT NULL,
  until_us INTEGER NOT NULL,
  margin_us INTEGER NOT NULL
) STRICT;
CREATE INDEX statements_at ON statements (at_us);
CREATE INDEX statements_digest ON statements (digest);
CREATE INDEX statements_header ON statements (header_digest, at_us);
