-- Which instance does a job of which there is one, until when, and how far the job has come.
-- +goose Up
CREATE TABLE leases (
  name VARCHAR(64) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
  holder VARCHAR(64) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
  until_us BIGINT NOT NULL,
  position BIGINT NOT NULL,
  PRIMARY KEY (name)
) ENGINE=InnoDB;
