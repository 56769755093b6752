-- Lines of a statement that could not be read, by their numbers.
-- +goose Up
CREATE TABLE statement_bad_lines (
  run_id INTEGER NOT NULL,
  line INTEGER NOT NULL,
  why TEXT NOT NULL,
  PRIMARY KEY (run_id, line)
) STRICT;
