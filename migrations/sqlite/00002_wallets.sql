-- One wallet a player, with the player's number: the row that every change of money locks. It holds the heads of its two chains.
-- +goose Up
CREATE TABLE wallets (
  player_id INTEGER PRIMARY KEY,
  currency TEXT NOT NULL,
  blocked INTEGER NOT NULL DEFAULT 0,
  balance_minor INTEGER NOT NULL,
  seq INTEGER NOT NULL,
  head BLOB NOT NULL,
  spin_seq INTEGER NOT NULL,
  spin_head BLOB NOT NULL,
  tombstones INTEGER NOT NULL DEFAULT 0
) STRICT;
