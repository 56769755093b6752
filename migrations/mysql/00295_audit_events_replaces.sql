-- The event whose state of a row an event replaces: nobody can take an event out, have the program write on top of an older state, and put the
-- event back. Covered by the event's hash.
-- +goose Up
ALTER TABLE audit_events ADD COLUMN replaces BIGINT NOT NULL DEFAULT 0;
