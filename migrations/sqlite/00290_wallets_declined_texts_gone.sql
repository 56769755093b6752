-- Declined texts are looked for whoever is named, so no wallet counts them.
-- +goose Up
ALTER TABLE wallets DROP COLUMN declined_texts;
