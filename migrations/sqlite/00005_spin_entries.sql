-- The free-spin ledger, apart from the money (specification, Callback service rule 3), with a chain of its own.
-- +goose Up
CREATE TABLE spin_entries (
  player_id INTEGER NOT NULL,
  seq INTEGER NOT NULL,
  kind INTEGER NOT NULL,
  transaction_id TEXT NOT NULL,
  round_id TEXT NOT NULL,
  spins INTEGER NOT NULL,
  stake_minor INTEGER NOT NULL,
  grant_known INTEGER NOT NULL,
  at_us INTEGER NOT NULL,
  hash BLOB NOT NULL,
  PRIMARY KEY (player_id, seq)
) STRICT, WITHOUT ROWID;
