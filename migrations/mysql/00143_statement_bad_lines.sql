-- Lines of a statement that could not be read, by their numbers.
-- +goose Up
CREATE TABLE statement_bad_lines (
  run_id BIGINT NOT NULL,
  line BIGINT NOT NULL,
  why TEXT CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL,
  PRIMARY KEY (run_id, line)
) ENGINE=InnoDB;
