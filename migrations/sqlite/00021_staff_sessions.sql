-- Signed-in browsers, under the SHA-256 of the name in their cookie, so that whoever reads this table cannot take one over. A row that is gone ends its session.
-- +goose Up
CREATE TABLE staff_sessions (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  id_hash TEXT NOT NULL,
  staff_id INTEGER NOT NULL,
  data TEXT NOT NULL,
  address TEXT NOT NULL,
  agent TEXT NOT NULL,
  created_at_us INTEGER NOT NULL,
  seen_at_us INTEGER NOT NULL,
  expires_at_us INTEGER NOT NULL,
  UNIQUE (id_hash)
) STRICT;
CREATE INDEX staff_sessions_staff ON staff_sessions (staff_id);
CREATE INDEX staff_sessions_expiry ON staff_sessions (expires_at_us);
