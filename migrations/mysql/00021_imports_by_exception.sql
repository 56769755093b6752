-- An import beyond the limits names the exception that it waits for or runs under.
-- +goose Up

ALTER TABLE grant_imports ADD COLUMN exception_id BIGINT NOT NULL DEFAULT 0; -- 0 for an import within the limits
