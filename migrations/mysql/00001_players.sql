-- Players and their wallets.
-- +goose Up

-- No table has foreign keys: each would cost a callback a read and a shared lock on the player's row, and players and wallets are
-- never deleted. Erasing a player empties the row.

-- Players, by the operator's ID. IDs are stored as bytes, because MySQL's text collations fold case and pad spaces.
CREATE TABLE IF NOT EXISTS players (
  id BIGINT NOT NULL AUTO_INCREMENT PRIMARY KEY,
  user_id VARBINARY(255) NOT NULL,
  test TINYINT NOT NULL DEFAULT 0, -- a test player, excluded from reports by default
  created_at_us BIGINT NOT NULL,
  zone VARCHAR(64) NOT NULL, -- the player's time zone, in which limits begin; empty: that of reports
  language VARCHAR(8) NOT NULL DEFAULT '', -- in which staff answer the player; empty: not chosen
  UNIQUE KEY players_user_id (user_id),
  KEY players_test (test, user_id) -- test players are few, and listed by ID
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;

-- One wallet per player: the row that every change of money locks. It has the balance and the heads of both hash chains.
CREATE TABLE IF NOT EXISTS wallets (
  player_id BIGINT NOT NULL PRIMARY KEY,
  currency VARBINARY(8) NOT NULL,
  -- bets, free spins, cash deposits and cash-outs are refused before these times: the latest ends of the player's restrictions
  play_from_us BIGINT NOT NULL DEFAULT 0,
  bonuses_from_us BIGINT NOT NULL DEFAULT 0,
  deposits_from_us BIGINT NOT NULL DEFAULT 0,
  cash_outs_from_us BIGINT NOT NULL DEFAULT 0,
  limits VARBINARY(2048) NOT NULL DEFAULT '', -- the player's limits (models/player_limit.go), as JSON; empty: none
  limit_sums VARBINARY(2048) NOT NULL DEFAULT '', -- what is used of them: what the ledger has of the current periods, added up
  balance_minor BIGINT NOT NULL,
  held_minor BIGINT NOT NULL DEFAULT 0, -- by cash-outs that are neither paid nor returned
  seq BIGINT NOT NULL,
  head BINARY(32) NOT NULL, -- hash of the last posting; seq is the number of its last line
  spin_seq BIGINT NOT NULL,
  spin_head BINARY(32) NOT NULL, -- hash of the last row in spin_entries; spin_seq is its number
  erased TINYINT NOT NULL DEFAULT 0, -- the player's personal data were erased: callbacks treat the player as unknown
  KEY wallets_play_from (play_from_us), -- restricted players are few; no callback writes this index
  KEY wallets_currency (currency) -- rare currencies; no callback writes this index
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;
