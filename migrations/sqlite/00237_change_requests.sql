-- Changes of limits and rules that a second administrator has to confirm.
-- +goose Up
CREATE TABLE change_requests (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  at_us INTEGER NOT NULL,
  subject TEXT NOT NULL,
  value_before TEXT NOT NULL,
  value_after TEXT NOT NULL,
  reason TEXT NOT NULL,
  maker_id INTEGER NOT NULL,
  maker TEXT NOT NULL,
  state INTEGER NOT NULL,
  checker_id INTEGER NOT NULL,
  checker TEXT NOT NULL,
  decided_at_us INTEGER NOT NULL
) STRICT;
CREATE INDEX change_requests_state ON change_requests (state, id);
