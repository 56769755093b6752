-- Which grant a line of the free-spin ledger belongs to, by inference: no part of the ledger, and made again at will.
-- +goose Up
CREATE TABLE spin_attributions (
  player_id BIGINT NOT NULL,
  seq BIGINT NOT NULL,
  grant_id BIGINT NOT NULL,
  rule TINYINT NOT NULL,
  PRIMARY KEY (player_id, seq),
  KEY spin_attributions_grant (grant_id)
) ENGINE=InnoDB;
