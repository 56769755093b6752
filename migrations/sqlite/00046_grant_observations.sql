-- What the platform said about a grant, each time.
-- +goose Up
CREATE TABLE grant_observations (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  grant_id INTEGER NOT NULL,
  at_us INTEGER NOT NULL,
  result INTEGER NOT NULL,
  status TEXT NOT NULL,
  total INTEGER NOT NULL,
  used INTEGER NOT NULL,
  remaining INTEGER NOT NULL,
  ours INTEGER NOT NULL,
  answer_raw TEXT NOT NULL
) STRICT;
CREATE INDEX grant_observations_grant ON grant_observations (grant_id, at_us);
