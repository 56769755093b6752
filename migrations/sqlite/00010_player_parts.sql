-- What the search for players looks in: every piece of every user ID.
-- +goose Up

-- For each place in a player's user ID, what follows from there on: folded to lower case and cut after a few letters. One row
-- more holds the ID's beginning, marked. Written in the transaction that creates, or erases, the player (models/store/players/search_players.go).
CREATE TABLE player_parts (
  part TEXT NOT NULL,
  player_id INTEGER NOT NULL,
  PRIMARY KEY (part, player_id)
) STRICT, WITHOUT ROWID;
