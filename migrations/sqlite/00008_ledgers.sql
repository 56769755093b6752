-- Which key the ledger was begun with: it belongs to the ledger for life, so that nobody can downgrade the chains to unkeyed ones.
-- +goose Up
CREATE TABLE ledgers (
  id INTEGER PRIMARY KEY CHECK (id = 1),
  key_fingerprint TEXT NOT NULL,
  begun_at_us INTEGER NOT NULL
) STRICT;
