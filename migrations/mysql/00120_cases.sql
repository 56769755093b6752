-- What somebody has to look at, found by rules. The same finding is there once.
-- +goose Up
CREATE TABLE cases (
  id BIGINT NOT NULL AUTO_INCREMENT PRIMARY KEY,
  rule TINYINT NOT NULL,
  key_digest BINARY(32) NOT NULL,
  state TINYINT NOT NULL,
  at_us BIGINT NOT NULL,
  found_at_us BIGINT NOT NULL,
  player_id BIGINT NOT NULL,
  transaction_number BIGINT NOT NULL,
  transaction_id VARBINARY(255) NOT NULL,
  grant_id BIGINT NOT NULL,
  statement_id BIGINT NOT NULL,
  verification_id BIGINT NOT NULL,
  amount_minor BIGINT NOT NULL,
  currency VARBINARY(8) NOT NULL,
  owner VARCHAR(255) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL,
  decided_by VARCHAR(255) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL,
  decided_at_us BIGINT NOT NULL,
  reason TEXT CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL,
  facts TEXT CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL
) ENGINE=InnoDB;
