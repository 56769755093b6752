-- Who created, reset, unlocked or otherwise changed whose account. For a while these two cannot approve each other's requests. by_id 0 is somebody at the command line.
-- +goose Up
CREATE TABLE staff_ties (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  staff_id INTEGER NOT NULL,
  by_id INTEGER NOT NULL,
  act TEXT NOT NULL,
  at_us INTEGER NOT NULL
) STRICT;
CREATE INDEX staff_ties_at ON staff_ties (at_us);
