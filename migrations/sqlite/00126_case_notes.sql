-- What colleagues write to each other about a case.
-- +goose Up
CREATE TABLE case_notes (
  case_id INTEGER NOT NULL,
  number INTEGER NOT NULL,
  at_us INTEGER NOT NULL,
  actor TEXT NOT NULL,
  body TEXT NOT NULL,
  PRIMARY KEY (case_id, number)
) STRICT;
