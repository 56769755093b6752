-- Who played in each quarter of an hour, and from when on: every zone's day is made of whole quarters.
-- +goose Up
CREATE TABLE active_players (
  quarter_us INTEGER NOT NULL,
  player_id INTEGER NOT NULL,
  currency TEXT NOT NULL,
  test INTEGER NOT NULL,
  first_at_us INTEGER NOT NULL,
  PRIMARY KEY (quarter_us, player_id)
) STRICT, WITHOUT ROWID;
