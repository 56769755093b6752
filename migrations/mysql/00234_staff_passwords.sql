-- Hashes of earlier passwords, so that none of the last few is taken again.
-- +goose Up
CREATE TABLE staff_passwords (
  id BIGINT NOT NULL AUTO_INCREMENT PRIMARY KEY,
  staff_id BIGINT NOT NULL,
  password_hash VARCHAR(255) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
  KEY staff_passwords_staff (staff_id)
) ENGINE=InnoDB;
