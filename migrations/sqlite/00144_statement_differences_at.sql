-- The differences of a run are listed in the order of their times.
-- +goose Up
CREATE INDEX statement_differences_at ON statement_differences (run_id, at_us, number);
