-- What people outside are told of: an outbox, a row for each occasion and channel, and the log of what was sent.
-- +goose Up
CREATE TABLE notices (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  at_us INTEGER NOT NULL,
  event_id INTEGER NOT NULL,
  kind TEXT NOT NULL,
  object_id TEXT NOT NULL,
  channel TEXT NOT NULL,
  state INTEGER NOT NULL,
  tries INTEGER NOT NULL,
  next_us INTEGER NOT NULL,
  sent_at_us INTEGER NOT NULL,
  error TEXT NOT NULL,
  UNIQUE (event_id, channel)
) STRICT;
CREATE INDEX notices_at ON notices (at_us);
CREATE INDEX notices_due ON notices (state, next_us);
