-- Up to which line of each wallet the sums of days have come, and what it held there.
-- +goose Up
CREATE TABLE daily_heads (
  player_id BIGINT NOT NULL,
  currency VARBINARY(8) NOT NULL,
  test TINYINT NOT NULL,
  seq BIGINT NOT NULL,
  balance_minor BIGINT NOT NULL,
  day VARCHAR(10) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
  spin_seq BIGINT NOT NULL,
  spin_day VARCHAR(10) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
  PRIMARY KEY (player_id)
) ENGINE=InnoDB;
