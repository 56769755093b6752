-- When an administrator last enabled the account: an account that was disabled because nobody used it starts again from there.
-- +goose Up
ALTER TABLE staff ADD COLUMN enabled_at_us INTEGER NOT NULL DEFAULT 0;
