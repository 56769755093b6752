-- Who had the ledger verified, when, and what came of it.
-- +goose Up
CREATE TABLE verifications (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  asked_at_us INTEGER NOT NULL,
  actor TEXT NOT NULL,
  state INTEGER NOT NULL,
  started_at_us INTEGER NOT NULL DEFAULT 0,
  ended_at_us INTEGER NOT NULL DEFAULT 0,
  lines_read INTEGER NOT NULL DEFAULT 0,
  lines_expected INTEGER NOT NULL DEFAULT 0,
  faults INTEGER NOT NULL DEFAULT 0,
  report TEXT NOT NULL,
  error TEXT NOT NULL
) STRICT;
CREATE INDEX verifications_state ON verifications (state);
