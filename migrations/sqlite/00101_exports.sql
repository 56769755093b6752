-- Lists that staff asked for as files, how far each has come, and where its file lies.
-- +goose Up
CREATE TABLE exports (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  at_us INTEGER NOT NULL,
  staff_id INTEGER NOT NULL,
  actor TEXT NOT NULL,
  list TEXT NOT NULL,
  title TEXT NOT NULL,
  query TEXT NOT NULL,
  filters TEXT NOT NULL,
  zone TEXT NOT NULL,
  format TEXT NOT NULL,
  state INTEGER NOT NULL,
  row_count INTEGER NOT NULL,
  reached_at_us INTEGER NOT NULL,
  permille INTEGER NOT NULL,
  file_bytes INTEGER NOT NULL,
  digest TEXT NOT NULL,
  failure TEXT NOT NULL,
  holder TEXT NOT NULL,
  folder TEXT NOT NULL,
  file_name TEXT NOT NULL,
  started_at_us INTEGER NOT NULL,
  finished_at_us INTEGER NOT NULL,
  expires_at_us INTEGER NOT NULL,
  seen_at_us INTEGER NOT NULL
) STRICT;
CREATE INDEX exports_at ON exports (at_us);
CREATE INDEX exports_staff ON exports (staff_id, at_us);
CREATE INDEX exports_state ON exports (state, at_us);
