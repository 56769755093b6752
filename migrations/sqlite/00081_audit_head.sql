-- Where the audit chain begins and ends: the one row that every change locks last.
-- +goose Up
CREATE TABLE audit_head (
  id INTEGER NOT NULL PRIMARY KEY,
  begin_seq INTEGER NOT NULL,
  begin_hash BLOB NOT NULL,
  proof BLOB NOT NULL,
  seq INTEGER NOT NULL,
  hash BLOB NOT NULL
) STRICT;
