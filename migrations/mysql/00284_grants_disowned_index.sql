-- Grants that the platform no longer knows become cases.
-- +goose Up
CREATE INDEX grants_disowned ON grants (disowned_at_us);
