-- Wallets in a rare currency are found without reading all others. No callback changes the column, so none writes this index.
-- +goose Up
CREATE INDEX wallets_currency ON wallets (currency);
