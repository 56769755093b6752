-- Changes of limits and rules that a second administrator has to confirm.
-- +goose Up
CREATE TABLE change_requests (
  id BIGINT NOT NULL AUTO_INCREMENT PRIMARY KEY,
  at_us BIGINT NOT NULL,
  subject VARCHAR(64) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
  value_before TEXT CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL,
  value_after TEXT CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL,
  reason TEXT CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL,
  maker_id BIGINT NOT NULL,
  maker VARCHAR(255) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL,
  state TINYINT NOT NULL,
  checker_id BIGINT NOT NULL,
  checker VARCHAR(255) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL,
  decided_at_us BIGINT NOT NULL,
  KEY change_requests_state (state, id)
) ENGINE=InnoDB;
