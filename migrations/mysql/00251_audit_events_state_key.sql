-- The latest event that says what a row must be is found in one step before the program acts on the row.
-- +goose Up
ALTER TABLE audit_events ADD KEY audit_events_state (object, stated, object_id);
