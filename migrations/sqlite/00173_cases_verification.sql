-- A verification's page leads to its cases.
-- +goose Up
CREATE INDEX cases_verification ON cases (verification_id);
