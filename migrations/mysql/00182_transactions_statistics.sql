-- SQLite is told here how selective the transactions' indices are. MySQL finds out by itself.
-- +goose Up
DO 0;
