-- The money ledger. Clustered by wallet, so that a wallet's history is one read and its tail the only page that grows.
-- +goose Up
CREATE TABLE entries (
  player_id INTEGER NOT NULL,
  seq INTEGER NOT NULL,
  kind INTEGER NOT NULL,
  source INTEGER NOT NULL,
  transaction_id TEXT NOT NULL,
  round_id TEXT NOT NULL,
  amount_minor INTEGER NOT NULL,
  before_minor INTEGER NOT NULL,
  after_minor INTEGER NOT NULL,
  at_us INTEGER NOT NULL,
  hash BLOB NOT NULL,
  PRIMARY KEY (player_id, seq)
) STRICT, WITHOUT ROWID;
