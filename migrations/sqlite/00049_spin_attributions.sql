-- Which grant a line of the free-spin ledger belongs to, by inference: no part of the ledger, and made again at will.
-- +goose Up
CREATE TABLE spin_attributions (
  player_id INTEGER NOT NULL,
  seq INTEGER NOT NULL,
  grant_id INTEGER NOT NULL,
  rule INTEGER NOT NULL,
  PRIMARY KEY (player_id, seq)
) STRICT, WITHOUT ROWID;
CREATE INDEX spin_attributions_grant ON spin_attributions (grant_id);
