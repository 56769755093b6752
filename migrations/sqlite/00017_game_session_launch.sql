-- The form that a session was launched from, so that the tab of the form finds the session that another tab opened.
-- +goose Up

ALTER TABLE game_sessions ADD COLUMN launch TEXT NOT NULL DEFAULT ''; -- random; says nothing about the game's address
CREATE INDEX game_sessions_launch ON game_sessions (launch);
