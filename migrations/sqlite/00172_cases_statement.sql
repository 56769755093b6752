-- A statement's page leads to its cases.
-- +goose Up
CREATE INDEX cases_statement ON cases (statement_id);
