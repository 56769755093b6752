-- See the migration before this one.
-- +goose Up
ALTER TABLE grant_budgets DROP COLUMN spins;
