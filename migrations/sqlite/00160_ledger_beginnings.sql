-- Where a wallet's chains begin after a purge has archived what came before, proved with the ledger's key.
-- +goose Up
CREATE TABLE ledger_beginnings (
  player_id INTEGER NOT NULL PRIMARY KEY,
  at_us INTEGER NOT NULL,
  balance_minor INTEGER NOT NULL,
  seq INTEGER NOT NULL,
  head BLOB NOT NULL,
  spin_seq INTEGER NOT NULL,
  spin_head BLOB NOT NULL,
  tombstones INTEGER NOT NULL,
  proof BLOB NOT NULL
) STRICT;
