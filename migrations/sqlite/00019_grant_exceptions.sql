-- Exceptions let a grant or an import exceed the limits on free spins once a second person approves.
-- +goose Up

CREATE TABLE grant_exceptions (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  at_us INTEGER NOT NULL,
  expires_at_us INTEGER NOT NULL,
  maker_id INTEGER NOT NULL,
  maker TEXT NOT NULL,
  maker_role TEXT NOT NULL,
  reason TEXT NOT NULL,
  exceeded TEXT NOT NULL, -- the first limit that was exceeded when it was requested, in words
  player_id INTEGER NOT NULL, -- of one grant; 0 for an import
  game_id INTEGER NOT NULL,
  spins INTEGER NOT NULL, -- of the grant, or of all lines of the import
  again INTEGER NOT NULL, -- also while an earlier outcome is unknown
  import_id INTEGER NOT NULL, -- 0 for one grant
  state INTEGER NOT NULL, -- models.ExceptionState
  checker_id INTEGER NOT NULL,
  checker TEXT NOT NULL,
  checker_role TEXT NOT NULL,
  decided_at_us INTEGER NOT NULL,
  note TEXT NOT NULL, -- why it was refused
  grant_id INTEGER NOT NULL -- what was granted; 0 before, and for an import
) STRICT;
CREATE INDEX grant_exceptions_at ON grant_exceptions (at_us);
CREATE INDEX grant_exceptions_state ON grant_exceptions (state, at_us);
CREATE INDEX grant_exceptions_player ON grant_exceptions (player_id, state);
