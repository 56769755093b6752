-- Each synchronisation of the games, also those that failed.
-- +goose Up
CREATE TABLE game_syncs (
  id BIGINT NOT NULL AUTO_INCREMENT PRIMARY KEY,
  at_us BIGINT NOT NULL,
  actor VARCHAR(255) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL,
  latency_us BIGINT NOT NULL,
  offered BIGINT NOT NULL,
  unusable BIGINT NOT NULL,
  added BIGINT NOT NULL,
  renamed BIGINT NOT NULL,
  changed BIGINT NOT NULL,
  gone BIGINT NOT NULL,
  returned BIGINT NOT NULL,
  error TEXT CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL,
  KEY game_syncs_at (at_us)
) ENGINE=InnoDB;
