-- Receipts of callbacks that were plainly applied, written with their effect: a row for each batch, a line in it for each callback.
-- +goose Up
CREATE TABLE callback_receipts (
  at_us BIGINT NOT NULL,
  first_request BIGINT NOT NULL,
  callbacks INT NOT NULL,
  packed MEDIUMTEXT CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
  PRIMARY KEY (at_us, first_request)
) ENGINE=InnoDB;
