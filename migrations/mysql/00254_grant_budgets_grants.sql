-- As with corrections, the row is only what two grants at once wait for.
-- +goose Up
ALTER TABLE grant_budgets DROP COLUMN grants;
