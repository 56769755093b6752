-- Players and their wallets.
-- +goose Up

-- A player, by the operator's ID. The ID is bytes: MySQL's text collations fold case and pad spaces.
CREATE TABLE IF NOT EXISTS players (
  id BIGINT NOT NULL AUTO_INCREMENT PRIMARY KEY,
  user_id VARBINARY(255) NOT NULL,
  test TINYINT NOT NULL DEFAULT 0, -- a test player: left out of reports unless asked for
  created_at_us BIGINT NOT NULL,
  UNIQUE KEY players_user_id (user_id),
  KEY players_test (test, user_id) -- test players are few, and listed by ID
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;

-- One wallet per player: the row that every change of money locks. It has the balance and the heads of both hash chains.
CREATE TABLE IF NOT EXISTS wallets (
  player_id BIGINT NOT NULL PRIMARY KEY,
  currency VARBINARY(8) NOT NULL,
  blocked TINYINT NOT NULL DEFAULT 0,
  balance_minor BIGINT NOT NULL,
  seq BIGINT NOT NULL,
  head BINARY(32) NOT NULL, -- hash of the last posting; seq is the number of its last line
  spin_seq BIGINT NOT NULL,
  spin_head BINARY(32) NOT NULL, -- hash of the last row in spin_entries; spin_seq is its number
  erased TINYINT NOT NULL DEFAULT 0, -- the player's personal data were erased: callbacks treat the player as unknown
  KEY wallets_blocked (blocked), -- blocked players are few; no callback writes this index
  KEY wallets_currency (currency) -- rare currencies; no callback writes this index
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;

-- What the search for players looks in. For each place in a player's user ID, what follows from there on: folded to lower case and cut after a few letters. One row
-- more has the ID's beginning, marked. Written in the transaction that creates, or erases, the player
-- (models/store/players/search_players.go).
CREATE TABLE IF NOT EXISTS player_parts (
  part VARBINARY(13) NOT NULL,
  player_id BIGINT NOT NULL,
  PRIMARY KEY (part, player_id)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;
