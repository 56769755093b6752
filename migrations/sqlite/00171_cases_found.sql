-- All cases, closed or not, newest first.
-- +goose Up
CREATE INDEX cases_found ON cases (found_at_us);
