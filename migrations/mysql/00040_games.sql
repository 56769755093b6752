-- The platform's games, kept when they vanish. search holds name, ID and provider, folded; pages are listed in its order.
-- +goose Up
CREATE TABLE games (
  id BIGINT NOT NULL AUTO_INCREMENT PRIMARY KEY,
  game_id VARBINARY(255) NOT NULL,
  name VARCHAR(255) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL,
  type VARCHAR(255) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL,
  provider VARCHAR(255) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL,
  thumbnail VARCHAR(1024) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL,
  former_name VARCHAR(255) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL,
  search VARBINARY(2400) NOT NULL,
  added_at_us BIGINT NOT NULL,
  seen_at_us BIGINT NOT NULL,
  gone_at_us BIGINT NOT NULL,
  UNIQUE KEY games_game_id (game_id),
  KEY games_search (search),
  KEY games_provider (provider),
  KEY games_type (type)
) ENGINE=InnoDB;
