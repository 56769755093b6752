-- Statements of the platform: whose file, where it lies, how it is read, and the period that it covers.
-- +goose Up
CREATE TABLE statements (
  id BIGINT NOT NULL AUTO_INCREMENT PRIMARY KEY,
  at_us BIGINT NOT NULL,
  actor VARCHAR(255) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL,
  file_name VARCHAR(255) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL,
  digest VARCHAR(64) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
  file_bytes BIGINT NOT NULL,
  header MEDIUMTEXT CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL,
  header_digest VARCHAR(64) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
  folder VARCHAR(64) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
  stored_name VARCHAR(255) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
  layout TEXT CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL,
  since_us BIGINT NOT NULL,
  until_us BIGINT NOT NULL,
  margin_us BIGINT NOT NULL,
  KEY statements_at (at_us),
  KEY statements_digest (digest),
  KEY statements_header (header_digest, at_us)
) ENGINE=InnoDB;
