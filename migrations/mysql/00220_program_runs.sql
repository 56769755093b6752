-- Each start of the program: its version and configuration, to tell an upgrade or a change of settings at the next one, and whether it ended in order.
-- +goose Up
CREATE TABLE program_runs (
  id BIGINT NOT NULL AUTO_INCREMENT PRIMARY KEY,
  place VARCHAR(255) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL,
  version VARCHAR(64) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL,
  settings TEXT CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
  secrets CHAR(64) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
  schema_no BIGINT NOT NULL,
  started_at_us BIGINT NOT NULL,
  seen_at_us BIGINT NOT NULL,
  ended_at_us BIGINT NOT NULL,
  KEY program_runs_ended (ended_at_us, seen_at_us)
) ENGINE=InnoDB;
