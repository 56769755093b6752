-- Who is to decide a correction. It gives nobody a right: who may approve is decided when they do.
-- +goose Up

ALTER TABLE corrections ADD COLUMN assignee TEXT NOT NULL DEFAULT ''; -- username; empty: nobody
