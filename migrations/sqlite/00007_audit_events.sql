-- Who changed what, and why: written in the transaction of the change itself.
-- +goose Up
CREATE TABLE audit_events (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  at_us INTEGER NOT NULL,
  actor TEXT NOT NULL,
  address TEXT NOT NULL,
  session TEXT NOT NULL,
  action TEXT NOT NULL,
  object TEXT NOT NULL,
  object_id TEXT NOT NULL,
  before_text TEXT NOT NULL,
  after_text TEXT NOT NULL,
  reason TEXT NOT NULL
) STRICT;
CREATE INDEX audit_events_object ON audit_events (object, object_id);
