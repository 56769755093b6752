-- Sums of the ledger by minute and by day, and closed days.
-- +goose Up

-- Stakes and wins per minute, for the comparison of today with yesterday until the same time. A day's minutes add up to its total.
CREATE TABLE money_minutes (
  minute_us INTEGER NOT NULL,
  currency TEXT NOT NULL,
  test INTEGER NOT NULL,
  day TEXT NOT NULL, -- on which the lines count
  bets INTEGER NOT NULL,
  stake_minor INTEGER NOT NULL,
  stake_reversed_minor INTEGER NOT NULL,
  win_minor INTEGER NOT NULL,
  win_reversed_minor INTEGER NOT NULL,
  spins INTEGER NOT NULL,
  spin_stake_minor INTEGER NOT NULL,
  spin_win_minor INTEGER NOT NULL,
  spin_win_reversed_minor INTEGER NOT NULL,
  PRIMARY KEY (minute_us, currency, test, day)
) STRICT, WITHOUT ROWID;

-- The last ledger row of each wallet that the daily sums include.
CREATE TABLE daily_heads (
  player_id INTEGER NOT NULL,
  currency TEXT NOT NULL,
  test INTEGER NOT NULL,
  seq INTEGER NOT NULL,
  balance_minor INTEGER NOT NULL, -- the balance after row seq
  held_minor INTEGER NOT NULL, -- the held amount after row seq
  day TEXT NOT NULL, -- the day of row seq
  spin_seq INTEGER NOT NULL,
  spin_day TEXT NOT NULL,
  PRIMARY KEY (player_id)
) STRICT, WITHOUT ROWID;

-- The one order of all events that clients of the API follow: ranges of the audit log (1), of a wallet's lines (2) and of its free
-- spins (3). Rows are only added (models/store/books/events.go).
CREATE TABLE event_order (
  number INTEGER NOT NULL PRIMARY KEY,
  ledger INTEGER NOT NULL,
  player_id INTEGER NOT NULL, -- 0 for the audit log
  from_seq INTEGER NOT NULL,
  to_seq INTEGER NOT NULL,
  mark INTEGER NOT NULL -- random, so that cursors show to which history they belong
) STRICT;
CREATE INDEX event_order_reached ON event_order (player_id, ledger, to_seq);

-- Figures of each player for each day of the operator's time zone. Open days can be recalculated; closed days never change.
CREATE TABLE daily_sums (
  day TEXT NOT NULL,
  player_id INTEGER NOT NULL,
  currency TEXT NOT NULL,
  test INTEGER NOT NULL,
  from_seq INTEGER NOT NULL, -- the row sums entries from_seq to to_seq
  to_seq INTEGER NOT NULL,
  from_spin_seq INTEGER NOT NULL,
  to_spin_seq INTEGER NOT NULL,
  bets INTEGER NOT NULL,
  stake_minor INTEGER NOT NULL,
  stake_reversed_minor INTEGER NOT NULL,
  win_minor INTEGER NOT NULL,
  win_reversed_minor INTEGER NOT NULL,
  spins INTEGER NOT NULL,
  spin_stake_minor INTEGER NOT NULL,
  spin_win_minor INTEGER NOT NULL,
  spin_win_reversed_minor INTEGER NOT NULL,
  reversals INTEGER NOT NULL, -- rollbacks
  opening_minor INTEGER NOT NULL,
  credit_minor INTEGER NOT NULL,
  debit_minor INTEGER NOT NULL,
  corrections INTEGER NOT NULL,
  deposit_minor INTEGER NOT NULL, -- cash deposits
  requested_minor INTEGER NOT NULL, -- cash-outs
  returned_minor INTEGER NOT NULL, -- cash-outs
  paid_minor INTEGER NOT NULL, -- cash-outs, less those that bounced
  moved_minor INTEGER NOT NULL, -- sum of all rows: the change of the balance
  players INTEGER NOT NULL, -- 1 if the player had a bet or free spin
  largest_win_minor INTEGER NOT NULL, -- of one transaction
  largest_win_seq INTEGER NOT NULL, -- its entry; 0 if there was no win
  PRIMARY KEY (day, player_id)
) STRICT, WITHOUT ROWID;
-- The largest wins of a day.
CREATE INDEX daily_sums_win ON daily_sums (day, currency, largest_win_minor);
-- One player's days.
CREATE INDEX daily_sums_player ON daily_sums (player_id, day);

-- Daily sums over all players: reports over months read only these.
CREATE TABLE daily_totals (
  day TEXT NOT NULL,
  currency TEXT NOT NULL,
  test INTEGER NOT NULL,
  bets INTEGER NOT NULL,
  stake_minor INTEGER NOT NULL,
  stake_reversed_minor INTEGER NOT NULL,
  win_minor INTEGER NOT NULL,
  win_reversed_minor INTEGER NOT NULL,
  spins INTEGER NOT NULL,
  spin_stake_minor INTEGER NOT NULL,
  spin_win_minor INTEGER NOT NULL,
  spin_win_reversed_minor INTEGER NOT NULL,
  reversals INTEGER NOT NULL,
  opening_minor INTEGER NOT NULL,
  credit_minor INTEGER NOT NULL,
  debit_minor INTEGER NOT NULL,
  corrections INTEGER NOT NULL,
  deposit_minor INTEGER NOT NULL, -- cash deposits
  requested_minor INTEGER NOT NULL, -- cash-outs
  returned_minor INTEGER NOT NULL, -- cash-outs
  paid_minor INTEGER NOT NULL, -- cash-outs, less those that bounced
  moved_minor INTEGER NOT NULL,
  players INTEGER NOT NULL, -- players with a bet or free spin
  PRIMARY KEY (day, currency, test)
) STRICT, WITHOUT ROWID;

-- Closed days, with their interval and the digest of their figures.
CREATE TABLE closed_days (
  day TEXT NOT NULL,
  zone TEXT NOT NULL,
  from_us INTEGER NOT NULL,
  until_us INTEGER NOT NULL,
  closed_at_us INTEGER NOT NULL,
  digest TEXT NOT NULL, -- of the day's figures; pitboss figures check recalculates it
  stakes TEXT NOT NULL, -- in play at its end, as JSON (models.Stakes): part of what is signed
  PRIMARY KEY (day)
) STRICT, WITHOUT ROWID;

-- Who signed a day, in which role, and what they saw when they signed.
CREATE TABLE day_signatures (
  day TEXT NOT NULL,
  role TEXT NOT NULL,
  signed_by TEXT NOT NULL,
  at_us INTEGER NOT NULL,
  note TEXT NOT NULL,
  digest TEXT NOT NULL,
  checkpoint INTEGER NOT NULL, -- the latest checkpoint at that time
  verification INTEGER NOT NULL, -- the latest verification that ended; 0 if none had
  statements TEXT NOT NULL, -- the platform's statements of the day, as JSON (models.SignedStatement)
  open_cases INTEGER NOT NULL, -- about this day and earlier ones
  unknown_grants INTEGER NOT NULL,
  faults INTEGER NOT NULL, -- that the latest verification found
  PRIMARY KEY (day, role)
) STRICT, WITHOUT ROWID;
