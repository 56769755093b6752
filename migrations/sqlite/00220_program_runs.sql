-- Each start of the program: its version and configuration, to tell an upgrade or a change of settings at the next one, and whether it ended in order.
-- +goose Up
CREATE TABLE program_runs (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  place TEXT NOT NULL,
  version TEXT NOT NULL,
  settings TEXT NOT NULL,
  secrets TEXT NOT NULL,
  schema_no INTEGER NOT NULL,
  started_at_us INTEGER NOT NULL,
  seen_at_us INTEGER NOT NULL,
  ended_at_us INTEGER NOT NULL
) STRICT;
CREATE INDEX program_runs_ended ON program_runs (ended_at_us, seen_at_us);
