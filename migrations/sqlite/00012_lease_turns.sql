-- Counts how often a lease's row was locked, as on MySQL.
-- +goose Up

ALTER TABLE leases ADD COLUMN turns INTEGER NOT NULL DEFAULT 0;
