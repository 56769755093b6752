-- Since when the platform says that it does not know a grant which it gave; 0 while it knows it.
-- +goose Up
ALTER TABLE grants ADD COLUMN disowned_at_us BIGINT NOT NULL DEFAULT 0;
