-- Exceptions let a grant or an import exceed the limits on free spins once a second person approves.
-- +goose Up

CREATE TABLE IF NOT EXISTS grant_exceptions (
  id BIGINT NOT NULL AUTO_INCREMENT PRIMARY KEY,
  at_us BIGINT NOT NULL,
  expires_at_us BIGINT NOT NULL,
  maker_id BIGINT NOT NULL,
  maker VARCHAR(255) NOT NULL,
  maker_role VARCHAR(16) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
  reason TEXT NOT NULL,
  exceeded VARCHAR(255) NOT NULL, -- the first limit that was exceeded when it was requested, in words
  player_id BIGINT NOT NULL, -- of one grant; 0 for an import
  game_id BIGINT NOT NULL,
  spins BIGINT NOT NULL, -- of the grant, or of all lines of the import
  again TINYINT NOT NULL, -- also while an earlier outcome is unknown
  import_id BIGINT NOT NULL, -- 0 for one grant
  state TINYINT NOT NULL, -- models.ExceptionState
  checker_id BIGINT NOT NULL,
  checker VARCHAR(255) NOT NULL,
  checker_role VARCHAR(16) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
  decided_at_us BIGINT NOT NULL,
  note TEXT NOT NULL, -- why it was refused
  grant_id BIGINT NOT NULL, -- what was granted; 0 before, and for an import
  KEY grant_exceptions_at (at_us),
  KEY grant_exceptions_state (state, at_us),
  KEY grant_exceptions_player (player_id, state)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;
