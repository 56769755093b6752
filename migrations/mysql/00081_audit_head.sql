-- Where the audit chain begins and ends: the one row that every change locks last.
-- +goose Up
CREATE TABLE audit_head (
  id TINYINT NOT NULL PRIMARY KEY,
  begin_seq BIGINT NOT NULL,
  begin_hash BINARY(32) NOT NULL,
  proof VARBINARY(32) NOT NULL,
  seq BIGINT NOT NULL,
  hash BINARY(32) NOT NULL
) ENGINE=InnoDB;
