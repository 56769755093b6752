-- The form that a session was launched from, so that the tab of the form finds the session that another tab opened.
-- +goose Up

ALTER TABLE game_sessions
  ADD COLUMN launch VARCHAR(32) CHARACTER SET ascii COLLATE ascii_bin NOT NULL DEFAULT '', -- random; says nothing about the game's address
  ADD INDEX game_sessions_launch (launch);
