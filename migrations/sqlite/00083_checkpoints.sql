-- Which checkpoints were written: their files are held against the ledger, and their rows against the files.
-- +goose Up
CREATE TABLE checkpoints (
  number INTEGER NOT NULL PRIMARY KEY,
  at_us INTEGER NOT NULL,
  previous BLOB NOT NULL,
  digest BLOB NOT NULL,
  signature BLOB NOT NULL,
  key_fingerprint TEXT NOT NULL,
  actor TEXT NOT NULL,
  wallets INTEGER NOT NULL,
  entries INTEGER NOT NULL,
  spin_entries INTEGER NOT NULL,
  audit_seq INTEGER NOT NULL,
  size_bytes INTEGER NOT NULL,
  file_name TEXT NOT NULL DEFAULT '',
  sent_at_us INTEGER NOT NULL DEFAULT 0,
  kept_at_us INTEGER NOT NULL DEFAULT 0
) STRICT;
