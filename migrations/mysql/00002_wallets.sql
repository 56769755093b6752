-- One wallet a player, with the player's number: the row that every change of money locks. It holds the heads of its two chains.
-- +goose Up
CREATE TABLE wallets (
  player_id BIGINT NOT NULL PRIMARY KEY,
  currency VARBINARY(8) NOT NULL,
  blocked TINYINT NOT NULL DEFAULT 0,
  balance_minor BIGINT NOT NULL,
  seq BIGINT NOT NULL,
  head BINARY(32) NOT NULL,
  spin_seq BIGINT NOT NULL,
  spin_head BINARY(32) NOT NULL,
  tombstones BIGINT NOT NULL DEFAULT 0
) ENGINE=InnoDB;
