-- Counts how often a lease's row was locked: Galera compares what transactions of two nodes have written.
-- +goose Up

ALTER TABLE leases ADD COLUMN turns BIGINT NOT NULL DEFAULT 0;
