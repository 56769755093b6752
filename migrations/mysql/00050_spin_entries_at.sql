-- The follower of the free-spin ledger looks for what was added lately.
-- +goose Up
CREATE INDEX spin_entries_at ON spin_entries (at_us);
