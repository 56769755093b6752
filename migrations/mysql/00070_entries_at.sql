-- The sums of each minute are made from the index alone: when, what kind, how much.
-- +goose Up
CREATE INDEX entries_at ON entries (at_us, kind, amount_minor);
