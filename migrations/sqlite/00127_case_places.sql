-- How far each rule has looked: a time in microseconds, or a number, as the rule counts.
-- +goose Up
CREATE TABLE case_places (
  rule INTEGER NOT NULL PRIMARY KEY,
  place INTEGER NOT NULL
) STRICT;
