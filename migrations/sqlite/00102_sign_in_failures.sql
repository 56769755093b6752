-- How often an account was tried in vain in its last such minute, so that the audit log holds a few events of a flood and not all of it.
-- +goose Up
CREATE TABLE sign_in_failures (
  staff_id INTEGER NOT NULL,
  action TEXT NOT NULL,
  minute_us INTEGER NOT NULL,
  tries INTEGER NOT NULL,
  PRIMARY KEY (staff_id, action)
) STRICT;
