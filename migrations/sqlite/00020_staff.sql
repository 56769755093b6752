-- Who operates Pitboss: usernames are ASCII in lower case, secrets are hashes but for the TOTP secret, which has to be known to check a code.
-- +goose Up
CREATE TABLE staff (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  username TEXT NOT NULL,
  name TEXT NOT NULL,
  role TEXT NOT NULL,
  password_hash TEXT NOT NULL,
  must_change_password INTEGER NOT NULL,
  totp_secret TEXT NOT NULL,
  totp_step INTEGER NOT NULL,
  disabled INTEGER NOT NULL,
  zone TEXT NOT NULL,
  theme TEXT NOT NULL,
  density TEXT NOT NULL,
  created_at_us INTEGER NOT NULL,
  password_set_at_us INTEGER NOT NULL,
  signed_in_at_us INTEGER NOT NULL,
  UNIQUE (username)
) STRICT;
