-- Signed-in browsers, under the SHA-256 of the name in their cookie, so that whoever reads this table cannot take one over. A row that is gone ends its session.
-- +goose Up
CREATE TABLE staff_sessions (
  id BIGINT NOT NULL AUTO_INCREMENT PRIMARY KEY,
  id_hash CHAR(64) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
  staff_id BIGINT NOT NULL,
  data TEXT CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL,
  address VARCHAR(64) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
  agent VARCHAR(255) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL,
  created_at_us BIGINT NOT NULL,
  seen_at_us BIGINT NOT NULL,
  expires_at_us BIGINT NOT NULL,
  UNIQUE KEY staff_sessions_hash (id_hash),
  KEY staff_sessions_staff (staff_id),
  KEY staff_sessions_expiry (expires_at_us)
) ENGINE=InnoDB;
