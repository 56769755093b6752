-- When each game was available: a row for each time that it appeared, disappeared, returned or was renamed. Rows are only added.
-- +goose Up
CREATE TABLE game_changes (
  id BIGINT NOT NULL AUTO_INCREMENT PRIMARY KEY,
  at_us BIGINT NOT NULL,
  sync_id BIGINT NOT NULL,
  game BIGINT NOT NULL,
  kind TINYINT NOT NULL,
  name VARCHAR(255) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL,
  former_name VARCHAR(255) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL,
  KEY game_changes_at (at_us),
  KEY game_changes_game (game, at_us)
) ENGINE=InnoDB;
