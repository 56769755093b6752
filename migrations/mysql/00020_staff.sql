-- Who operates Pitboss: usernames are ASCII in lower case, secrets are hashes but for the TOTP secret, which has to be known to check a code.
-- +goose Up
CREATE TABLE staff (
  id BIGINT NOT NULL AUTO_INCREMENT PRIMARY KEY,
  username VARCHAR(32) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
  name VARCHAR(255) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL,
  role VARCHAR(16) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
  password_hash VARCHAR(255) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
  must_change_password TINYINT NOT NULL,
  totp_secret VARCHAR(64) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
  totp_step BIGINT NOT NULL,
  disabled TINYINT NOT NULL,
  zone VARCHAR(64) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
  theme VARCHAR(16) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
  density VARCHAR(16) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
  created_at_us BIGINT NOT NULL,
  password_set_at_us BIGINT NOT NULL,
  signed_in_at_us BIGINT NOT NULL,
  UNIQUE KEY staff_username (username)
) ENGINE=InnoDB;
