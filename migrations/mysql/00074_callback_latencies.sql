-- How long the answers of each minute took: a histogram by upper bounds, over all instances. Bound 0: longer than all.
-- +goose Up
CREATE TABLE callback_latencies (
  minute_us BIGINT NOT NULL,
  endpoint VARCHAR(32) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
  bound_us BIGINT NOT NULL,
  answers BIGINT NOT NULL,
  PRIMARY KEY (minute_us, endpoint, bound_us)
) ENGINE=InnoDB;
