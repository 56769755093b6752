-- A finding is found again and opens no second case.
-- +goose Up
CREATE UNIQUE INDEX cases_key ON cases (rule, key_digest);
