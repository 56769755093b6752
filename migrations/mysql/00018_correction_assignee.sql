-- Who is to decide a correction. It gives nobody a right: who may approve is decided when they do.
-- +goose Up

ALTER TABLE corrections ADD COLUMN assignee VARCHAR(32) CHARACTER SET ascii COLLATE ascii_bin NOT NULL DEFAULT ''; -- username; empty: nobody
