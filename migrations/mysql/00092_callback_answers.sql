-- What the callbacks of receipts were told, and after how long, which is known only after the commit that holds the receipt: a line for each.
-- +goose Up
CREATE TABLE callback_answers (
  at_us BIGINT NOT NULL,
  first_request BIGINT NOT NULL,
  callbacks INT NOT NULL,
  packed MEDIUMTEXT CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
  PRIMARY KEY (at_us, first_request)
) ENGINE=InnoDB;
