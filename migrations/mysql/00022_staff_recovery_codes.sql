-- Codes that stand in for a lost authenticator, each good once: a used one is deleted.
-- +goose Up
CREATE TABLE staff_recovery_codes (
  id BIGINT NOT NULL AUTO_INCREMENT PRIMARY KEY,
  staff_id BIGINT NOT NULL,
  code_hash CHAR(64) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
  UNIQUE KEY staff_recovery_codes_code (staff_id, code_hash)
) ENGINE=InnoDB;
