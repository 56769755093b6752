-- How many declined texts may be read as callbacks of this player: where there is none, none is looked for.
-- +goose Up
ALTER TABLE wallets ADD COLUMN declined_texts BIGINT NOT NULL DEFAULT 0;
