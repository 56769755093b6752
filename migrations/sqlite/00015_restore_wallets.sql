-- What a declared restore took from each wallet.
-- +goose Up

-- A wallet that does not continue from where a checkpoint knew it: its last known lines, and from where it goes on.
CREATE TABLE restore_wallets (
  restore_id INTEGER NOT NULL,
  player_id INTEGER NOT NULL,
  currency TEXT NOT NULL,
  lost_seq INTEGER NOT NULL, -- by the newest checkpoint that knew more
  lost_spin_seq INTEGER NOT NULL,
  lost_minor INTEGER NOT NULL,
  seq INTEGER NOT NULL, -- when the restore was declared; 0: there was no such wallet
  head BLOB NOT NULL,
  spin_seq INTEGER NOT NULL,
  spin_head BLOB NOT NULL,
  balance_minor INTEGER NOT NULL,
  PRIMARY KEY (restore_id, player_id)
) STRICT;
