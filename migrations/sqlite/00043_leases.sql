-- Which instance does a job of which there is one, until when, and how far the job has come.
-- +goose Up
CREATE TABLE leases (
  name TEXT NOT NULL,
  holder TEXT NOT NULL,
  until_us INTEGER NOT NULL,
  position INTEGER NOT NULL,
  PRIMARY KEY (name)
) STRICT, WITHOUT ROWID;
