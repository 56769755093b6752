-- Up to which line of each wallet the sums of days have come, and what it held there.
-- +goose Up
CREATE TABLE daily_heads (
  player_id INTEGER NOT NULL,
  currency TEXT NOT NULL,
  test INTEGER NOT NULL,
  seq INTEGER NOT NULL,
  balance_minor INTEGER NOT NULL,
  day TEXT NOT NULL,
  spin_seq INTEGER NOT NULL,
  spin_day TEXT NOT NULL,
  PRIMARY KEY (player_id)
) STRICT, WITHOUT ROWID;
