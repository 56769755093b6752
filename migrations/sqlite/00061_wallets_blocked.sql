-- Blocked players are few and looked for by that alone. No callback changes these columns, so none writes this index.
-- +goose Up
CREATE INDEX wallets_blocked ON wallets (blocked);
