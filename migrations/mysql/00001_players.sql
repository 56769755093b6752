-- Players by the operator's own name for them, kept as bytes: MySQL's text collations fold case and pad spaces.
-- +goose Up
CREATE TABLE players (
  id BIGINT NOT NULL AUTO_INCREMENT PRIMARY KEY,
  user_id VARBINARY(255) NOT NULL,
  test TINYINT NOT NULL DEFAULT 0,
  created_at_us BIGINT NOT NULL,
  UNIQUE KEY players_user_id (user_id)
) ENGINE=InnoDB;
