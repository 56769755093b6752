-- Hashes of earlier passwords, so that none of the last few is taken again.
-- +goose Up
CREATE TABLE staff_passwords (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  staff_id INTEGER NOT NULL,
  password_hash TEXT NOT NULL
) STRICT;
CREATE INDEX staff_passwords_staff ON staff_passwords (staff_id);
