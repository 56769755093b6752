-- SQLite is told how little the transactions' class tells them apart: unaware of it, it looks a round's transactions up among all of one kind and state.
-- +goose Up
ANALYZE ledgers;
DELETE FROM sqlite_stat1 WHERE tbl IN ('ledgers', 'transactions');
INSERT INTO sqlite_stat1 (tbl, idx, stat) VALUES
  ('transactions', 'sqlite_autoindex_transactions_1', '1000000 1000000 1'),
  ('transactions', 'transactions_player', '1000000 1000'),
  ('transactions', 'transactions_round', '1000000 3'),
  ('transactions', 'transactions_class', '1000000 400000 200000 100000');
ANALYZE sqlite_schema;
