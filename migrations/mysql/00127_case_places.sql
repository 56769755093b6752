-- How far each rule has looked: a time in microseconds, or a number, as the rule counts.
-- +goose Up
CREATE TABLE case_places (
  rule BIGINT NOT NULL PRIMARY KEY,
  place BIGINT NOT NULL
) ENGINE=InnoDB;
