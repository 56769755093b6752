-- Each comparison of a statement with our transactions, how far it has come and what it found.
-- +goose Up
CREATE TABLE statement_runs (
  id BIGINT NOT NULL AUTO_INCREMENT PRIMARY KEY,
  statement_id BIGINT NOT NULL,
  at_us BIGINT NOT NULL,
  actor VARCHAR(255) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL,
  state TINYINT NOT NULL,
  phase TINYINT NOT NULL,
  permille INT NOT NULL,
  line_count BIGINT NOT NULL,
  bad_lines BIGINT NOT NULL,
  theirs BIGINT NOT NULL,
  ours BIGINT NOT NULL,
  differences BIGINT NOT NULL,
  edges BIGINT NOT NULL,
  failure TEXT CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL,
  finished_at_us BIGINT NOT NULL,
  took_us BIGINT NOT NULL,
  settled BIGINT NOT NULL,
  new_differences BIGINT NOT NULL,
  before_id BIGINT NOT NULL,
  cases TINYINT NOT NULL,
  sums MEDIUMTEXT CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL,
  KEY statement_runs_statement (statement_id, id),
  KEY statement_runs_state (state, id)
) ENGINE=InnoDB;
