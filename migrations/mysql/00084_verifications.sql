-- Who had the ledger verified, when, and what came of it.
-- +goose Up
CREATE TABLE verifications (
  id BIGINT NOT NULL AUTO_INCREMENT PRIMARY KEY,
  asked_at_us BIGINT NOT NULL,
  actor VARCHAR(255) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL,
  state TINYINT NOT NULL,
  started_at_us BIGINT NOT NULL DEFAULT 0,
  ended_at_us BIGINT NOT NULL DEFAULT 0,
  lines_read BIGINT NOT NULL DEFAULT 0,
  lines_expected BIGINT NOT NULL DEFAULT 0,
  faults BIGINT NOT NULL DEFAULT 0,
  report MEDIUMTEXT CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL,
  error TEXT CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL,
  KEY verifications_state (state)
) ENGINE=InnoDB;
