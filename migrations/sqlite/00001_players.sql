-- Players and their wallets.
-- +goose Up

-- A player, by the operator's ID. The ID is bytes: MySQL's text collations fold case and pad spaces.
CREATE TABLE players (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  user_id TEXT NOT NULL,
  test INTEGER NOT NULL DEFAULT 0, -- a test player: left out of reports unless asked for
  created_at_us INTEGER NOT NULL
) STRICT;
CREATE UNIQUE INDEX players_user_id ON players (user_id);
-- Test players are few, and listed by ID.
CREATE INDEX players_test ON players (test, user_id);

-- One wallet per player: the row that every change of money locks. It has the balance and the heads of both hash chains.
CREATE TABLE wallets (
  player_id INTEGER PRIMARY KEY,
  currency TEXT NOT NULL,
  blocked INTEGER NOT NULL DEFAULT 0,
  balance_minor INTEGER NOT NULL,
  seq INTEGER NOT NULL,
  head BLOB NOT NULL, -- hash of the last posting; seq is the number of its last line
  spin_seq INTEGER NOT NULL,
  spin_head BLOB NOT NULL, -- hash of the last row in spin_entries; spin_seq is its number
  erased INTEGER NOT NULL DEFAULT 0 -- the player's personal data were erased: callbacks treat the player as unknown
) STRICT;
-- Blocked players are few; no callback writes this index.
CREATE INDEX wallets_blocked ON wallets (blocked);
-- Rare currencies; no callback writes this index.
CREATE INDEX wallets_currency ON wallets (currency);

-- What the search for players looks in. For each place in a player's user ID, what follows from there on: folded to lower case and cut after a few letters. One row
-- more has the ID's beginning, marked. Written in the transaction that creates, or erases, the player
-- (models/store/players/search_players.go).
CREATE TABLE player_parts (
  part TEXT NOT NULL,
  player_id INTEGER NOT NULL,
  PRIMARY KEY (part, player_id)
) STRICT, WITHOUT ROWID;
