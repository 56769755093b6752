-- Up to when an administrator has seen what other administrators changed about staff and limits.
-- +goose Up
ALTER TABLE staff ADD COLUMN looked_at_us BIGINT NOT NULL DEFAULT 0;
