-- A keyed hash of the session's name, owner, times and values: a row that was changed with SQL signs nobody in. Sessions from before this column end.
-- +goose Up
ALTER TABLE staff_sessions ADD COLUMN mac CHAR(64) CHARACTER SET ascii COLLATE ascii_bin NOT NULL DEFAULT '';
