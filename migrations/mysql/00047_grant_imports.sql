-- Files of grants and how far each has come.
-- +goose Up
CREATE TABLE grant_imports (
  id BIGINT NOT NULL AUTO_INCREMENT PRIMARY KEY,
  at_us BIGINT NOT NULL,
  actor VARCHAR(255) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL,
  role VARCHAR(16) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
  file_name VARCHAR(255) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL,
  digest VARCHAR(64) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
  reason TEXT CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL,
  again TINYINT NOT NULL,
  state TINYINT NOT NULL,
  row_count BIGINT NOT NULL,
  spins BIGINT NOT NULL,
  finished_at_us BIGINT NOT NULL,
  KEY grant_imports_at (at_us),
  KEY grant_imports_digest (digest),
  KEY grant_imports_state (state, at_us)
) ENGINE=InnoDB;
