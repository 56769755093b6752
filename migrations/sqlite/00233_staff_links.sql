-- One-time links with which staff set their own password. A new link replaces the earlier one; a used one is deleted. Only a keyed hash is stored.
-- +goose Up
CREATE TABLE staff_links (
  staff_id INTEGER PRIMARY KEY,
  code_hash TEXT NOT NULL,
  delivery TEXT NOT NULL,
  made_at_us INTEGER NOT NULL,
  expires_at_us INTEGER NOT NULL
) STRICT;
