-- What administrators set in the browser; each change stands in the audit log.
-- +goose Up
CREATE TABLE settings (
  name TEXT NOT NULL PRIMARY KEY,
  value TEXT NOT NULL,
  changed_at_us INTEGER NOT NULL
) STRICT;
