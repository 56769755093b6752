-- What a declared restore took from each wallet.
-- +goose Up

-- A wallet that does not continue from where a checkpoint knew it: its last known lines, and from where it goes on.
CREATE TABLE IF NOT EXISTS restore_wallets (
  restore_id BIGINT NOT NULL,
  player_id BIGINT NOT NULL,
  currency VARBINARY(8) NOT NULL,
  lost_seq BIGINT NOT NULL, -- by the newest checkpoint that knew more
  lost_spin_seq BIGINT NOT NULL,
  lost_minor BIGINT NOT NULL,
  seq BIGINT NOT NULL, -- when the restore was declared; 0: there was no such wallet
  head BINARY(32) NOT NULL,
  spin_seq BIGINT NOT NULL,
  spin_head BINARY(32) NOT NULL,
  balance_minor BIGINT NOT NULL,
  PRIMARY KEY (restore_id, player_id)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;
