-- What somebody has to look at, found by rules. The same finding is there once.
-- +goose Up
CREATE TABLE cases (
  id INTEGER PRIMARY KEY,
  rule INTEGER NOT NULL,
  key_digest BLOB NOT NULL,
  state INTEGER NOT NULL,
  at_us INTEGER NOT NULL,
  found_at_us INTEGER NOT NULL,
  player_id INTEGER NOT NULL,
  transaction_number INTEGER NOT NULL,
  transaction_id TEXT NOT NULL,
  grant_id INTEGER NOT NULL,
  statement_id INTEGER NOT NULL,
  verification_id INTEGER NOT NULL,
  amount_minor INTEGER NOT NULL,
  currency TEXT NOT NULL,
  owner TEXT NOT NULL,
  decided_by TEXT NOT NULL,
  decided_at_us INTEGER NOT NULL,
  reason TEXT NOT NULL,
  facts TEXT NOT NULL
) STRICT;
