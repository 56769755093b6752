-- The queue: what is open, newest first.
-- +goose Up
CREATE INDEX cases_state ON cases (state, found_at_us);
