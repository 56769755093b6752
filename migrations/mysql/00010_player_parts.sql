-- What the search for players looks in: every piece of every user ID.
-- +goose Up

-- For each place in a player's user ID, what follows from there on: folded to lower case and cut after a few letters. One row
-- more holds the ID's beginning, marked. Written in the transaction that creates, or erases, the player (models/store/players/search_players.go).
CREATE TABLE IF NOT EXISTS player_parts (
  part VARBINARY(13) NOT NULL,
  player_id BIGINT NOT NULL,
  PRIMARY KEY (part, player_id)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;
