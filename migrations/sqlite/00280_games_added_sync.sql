-- The synchronisation that first offered a game: it is new while that is the latest one, unless it was the first of all.
-- +goose Up
ALTER TABLE games ADD COLUMN added_sync INTEGER NOT NULL DEFAULT 0;
