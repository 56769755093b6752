-- An erased player's wallet takes no more money. The flag is in the row that every change of money locks, so no instance can miss it.
-- +goose Up
ALTER TABLE wallets ADD COLUMN erased TINYINT NOT NULL DEFAULT 0;
