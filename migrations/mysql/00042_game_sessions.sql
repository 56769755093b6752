-- Games opened by staff with a player's wallet. The address is kept without what would open it.
-- +goose Up
CREATE TABLE game_sessions (
  id BIGINT NOT NULL AUTO_INCREMENT PRIMARY KEY,
  at_us BIGINT NOT NULL,
  actor VARCHAR(255) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL,
  player_id BIGINT NOT NULL,
  game_id BIGINT NOT NULL,
  language VARCHAR(8) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
  currency VARBINARY(8) NOT NULL,
  reason TEXT CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL,
  state TINYINT NOT NULL,
  failure TEXT CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL,
  latency_us BIGINT NOT NULL,
  game_url TEXT CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL,
  answer_raw TEXT CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL,
  KEY game_sessions_at (at_us),
  KEY game_sessions_player (player_id, at_us),
  KEY game_sessions_game (game_id, at_us)
) ENGINE=InnoDB;
