-- Codes that stand in for a lost authenticator, each good once: a used one is deleted.
-- +goose Up
CREATE TABLE staff_recovery_codes (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  staff_id INTEGER NOT NULL,
  code_hash TEXT NOT NULL,
  UNIQUE (staff_id, code_hash)
) STRICT;
