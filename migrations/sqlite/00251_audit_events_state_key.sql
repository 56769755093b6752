-- The latest event that says what a row must be is found in one step before the program acts on the row.
-- +goose Up
CREATE INDEX audit_events_state ON audit_events (object, object_id) WHERE stated = 1;
