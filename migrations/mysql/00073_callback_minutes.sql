-- How the callbacks of each minute were answered, over all instances. An empty endpoint: no callback, and result is the HTTP status.
-- +goose Up
CREATE TABLE callback_minutes (
  minute_us BIGINT NOT NULL,
  endpoint VARCHAR(32) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
  result INT NOT NULL,
  answers BIGINT NOT NULL,
  PRIMARY KEY (minute_us, endpoint, result)
) ENGINE=InnoDB;
