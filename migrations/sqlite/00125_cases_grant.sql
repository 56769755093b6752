-- A grant's cases stand on its page.
-- +goose Up
CREATE INDEX cases_grant ON cases (grant_id);
