-- Files of grants and how far each has come.
-- +goose Up
CREATE TABLE grant_imports (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  at_us INTEGER NOT NULL,
  actor TEXT NOT NULL,
  role TEXT NOT NULL,
  file_name TEXT NOT NULL,
  digest TEXT NOT NULL,
  reason TEXT NOT NULL,
  again INTEGER NOT NULL,
  state INTEGER NOT NULL,
  row_count INTEGER NOT NULL,
  spins INTEGER NOT NULL,
  finished_at_us INTEGER NOT NULL
) STRICT;
CREATE INDEX grant_imports_at ON grant_imports (at_us);
CREATE INDEX grant_imports_digest ON grant_imports (digest);
CREATE INDEX grant_imports_state ON grant_imports (state, at_us);
