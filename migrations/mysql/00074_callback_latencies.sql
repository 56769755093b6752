-- How long the answers of each minute took: a histogram, over all instances. A bound of 0 is none.
-- +goose Up
CREATE TABLE callback_latencies (
  minute_us BIGINT NOT NULL,
  endpoint VARCHAR(32) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
  over_us BIGINT NOT NULL,
  bound_us BIGINT NOT NULL,
  answers BIGINT NOT NULL,
  PRIMARY KEY (minute_us, endpoint, over_us, bound_us)
) ENGINE=InnoDB;
