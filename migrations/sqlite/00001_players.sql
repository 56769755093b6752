-- Players and their wallets.
-- +goose Up

-- No table has foreign keys: each would cost a callback a read and a shared lock on the player's row, and players and wallets are
-- never deleted. Erasing a player empties the row.

-- Players, by the operator's ID. IDs are stored as bytes, because MySQL's text collations fold case and pad spaces.
CREATE TABLE players (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  user_id TEXT NOT NULL,
  test INTEGER NOT NULL DEFAULT 0, -- a test player, excluded from reports by default
  created_at_us INTEGER NOT NULL,
  zone TEXT NOT NULL, -- the player's time zone, in which limits begin; empty: that of reports
  language TEXT NOT NULL DEFAULT '' -- in which staff answer the player; empty: not chosen
) STRICT;
CREATE UNIQUE INDEX players_user_id ON players (user_id);
-- Test players are few, and listed by ID.
CREATE INDEX players_test ON players (test, user_id);

-- One wallet per player: the row that every change of money locks. It has the balance and the heads of both hash chains.
CREATE TABLE wallets (
  player_id INTEGER PRIMARY KEY,
  currency TEXT NOT NULL,
  -- bets, free spins, cash deposits and cash-outs are refused before these times: the latest ends of the player's restrictions
  play_from_us INTEGER NOT NULL DEFAULT 0,
  bonuses_from_us INTEGER NOT NULL DEFAULT 0,
  deposits_from_us INTEGER NOT NULL DEFAULT 0,
  cash_outs_from_us INTEGER NOT NULL DEFAULT 0,
  limits TEXT NOT NULL DEFAULT '', -- the player's limits (models/player_limit.go), as JSON; empty: none
  limit_sums TEXT NOT NULL DEFAULT '', -- what is used of them: what the ledger has of the current periods, added up
  balance_minor INTEGER NOT NULL,
  held_minor INTEGER NOT NULL DEFAULT 0, -- by cash-outs that are neither paid nor returned
  seq INTEGER NOT NULL,
  head BLOB NOT NULL, -- hash of the last posting; seq is the number of its last line
  spin_seq INTEGER NOT NULL,
  spin_head BLOB NOT NULL, -- hash of the last row in spin_entries; spin_seq is its number
  erased INTEGER NOT NULL DEFAULT 0 -- the player's personal data were erased: callbacks treat the player as unknown
) STRICT;
-- Restricted players are few; no callback writes this index.
CREATE INDEX wallets_play_from ON wallets (play_from_us);
-- Rare currencies; no callback writes this index.
CREATE INDEX wallets_currency ON wallets (currency);
