-- Sums of the ledger by minute and by day, and closed days.
-- +goose Up

-- Stakes and wins per minute, for the comparison of today with yesterday until the same time. A day's minutes add up to its total.
CREATE TABLE IF NOT EXISTS money_minutes (
  minute_us BIGINT NOT NULL,
  currency VARBINARY(8) NOT NULL,
  test TINYINT NOT NULL,
  day VARCHAR(10) CHARACTER SET ascii COLLATE ascii_bin NOT NULL, -- on which the lines count
  bets BIGINT NOT NULL,
  stake_minor BIGINT NOT NULL,
  stake_reversed_minor BIGINT NOT NULL,
  win_minor BIGINT NOT NULL,
  win_reversed_minor BIGINT NOT NULL,
  spins BIGINT NOT NULL,
  spin_stake_minor BIGINT NOT NULL,
  spin_win_minor BIGINT NOT NULL,
  spin_win_reversed_minor BIGINT NOT NULL,
  PRIMARY KEY (minute_us, currency, test, day)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;

-- The last ledger row of each wallet that the daily sums include.
CREATE TABLE IF NOT EXISTS daily_heads (
  player_id BIGINT NOT NULL,
  currency VARBINARY(8) NOT NULL,
  test TINYINT NOT NULL,
  seq BIGINT NOT NULL,
  balance_minor BIGINT NOT NULL, -- the balance after row seq
  held_minor BIGINT NOT NULL, -- the held amount after row seq
  day VARCHAR(10) CHARACTER SET ascii COLLATE ascii_bin NOT NULL, -- the day of row seq
  spin_seq BIGINT NOT NULL,
  spin_day VARCHAR(10) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
  PRIMARY KEY (player_id)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;

-- The one order of all events that clients of the API follow: ranges of the audit log (1), of a wallet's lines (2) and of its free
-- spins (3). Rows are only added (models/store/books/events.go).
CREATE TABLE IF NOT EXISTS event_order (
  number BIGINT NOT NULL PRIMARY KEY,
  ledger TINYINT NOT NULL,
  player_id BIGINT NOT NULL, -- 0 for the audit log
  from_seq BIGINT NOT NULL,
  to_seq BIGINT NOT NULL,
  mark BIGINT NOT NULL, -- random, so that cursors show to which history they belong
  KEY event_order_reached (player_id, ledger, to_seq)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;

-- Figures of each player for each day of the operator's time zone. Open days can be recalculated; closed days never change.
CREATE TABLE IF NOT EXISTS daily_sums (
  day VARCHAR(10) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
  player_id BIGINT NOT NULL,
  currency VARBINARY(8) NOT NULL,
  test TINYINT NOT NULL,
  from_seq BIGINT NOT NULL, -- the row sums entries from_seq to to_seq
  to_seq BIGINT NOT NULL,
  from_spin_seq BIGINT NOT NULL,
  to_spin_seq BIGINT NOT NULL,
  bets BIGINT NOT NULL,
  stake_minor BIGINT NOT NULL,
  stake_reversed_minor BIGINT NOT NULL,
  win_minor BIGINT NOT NULL,
  win_reversed_minor BIGINT NOT NULL,
  spins BIGINT NOT NULL,
  spin_stake_minor BIGINT NOT NULL,
  spin_win_minor BIGINT NOT NULL,
  spin_win_reversed_minor BIGINT NOT NULL,
  reversals BIGINT NOT NULL, -- rollbacks
  opening_minor BIGINT NOT NULL,
  credit_minor BIGINT NOT NULL,
  debit_minor BIGINT NOT NULL,
  corrections BIGINT NOT NULL,
  deposit_minor BIGINT NOT NULL, -- cash deposits
  requested_minor BIGINT NOT NULL, -- cash-outs
  returned_minor BIGINT NOT NULL, -- cash-outs
  paid_minor BIGINT NOT NULL, -- cash-outs, less those that bounced
  moved_minor BIGINT NOT NULL, -- sum of all rows: the change of the balance
  players BIGINT NOT NULL, -- 1 if the player had a bet or free spin
  largest_win_minor BIGINT NOT NULL, -- of one transaction
  largest_win_seq BIGINT NOT NULL, -- its entry; 0 if there was no win
  PRIMARY KEY (day, player_id),
  KEY daily_sums_win (day, currency, largest_win_minor), -- the largest wins of a day
  KEY daily_sums_player (player_id, day) -- one player's days
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;

-- Daily sums over all players: reports over months read only these.
CREATE TABLE IF NOT EXISTS daily_totals (
  day VARCHAR(10) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
  currency VARBINARY(8) NOT NULL,
  test TINYINT NOT NULL,
  bets BIGINT NOT NULL,
  stake_minor BIGINT NOT NULL,
  stake_reversed_minor BIGINT NOT NULL,
  win_minor BIGINT NOT NULL,
  win_reversed_minor BIGINT NOT NULL,
  spins BIGINT NOT NULL,
  spin_stake_minor BIGINT NOT NULL,
  spin_win_minor BIGINT NOT NULL,
  spin_win_reversed_minor BIGINT NOT NULL,
  reversals BIGINT NOT NULL,
  opening_minor BIGINT NOT NULL,
  credit_minor BIGINT NOT NULL,
  debit_minor BIGINT NOT NULL,
  corrections BIGINT NOT NULL,
  deposit_minor BIGINT NOT NULL, -- cash deposits
  requested_minor BIGINT NOT NULL, -- cash-outs
  returned_minor BIGINT NOT NULL, -- cash-outs
  paid_minor BIGINT NOT NULL, -- cash-outs, less those that bounced
  moved_minor BIGINT NOT NULL,
  players BIGINT NOT NULL, -- players with a bet or free spin
  PRIMARY KEY (day, currency, test)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;

-- Closed days, with their interval and the digest of their figures.
CREATE TABLE IF NOT EXISTS closed_days (
  day VARCHAR(10) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
  zone VARCHAR(64) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
  from_us BIGINT NOT NULL,
  until_us BIGINT NOT NULL,
  closed_at_us BIGINT NOT NULL,
  -- of the day's figures; pitboss figures check recalculates it
  digest VARCHAR(64) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
  stakes TEXT NOT NULL, -- in play at its end, as JSON (models.Stakes): part of what is signed
  PRIMARY KEY (day)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;

-- Who signed a day, in which role, and what they saw when they signed.
CREATE TABLE IF NOT EXISTS day_signatures (
  day VARCHAR(10) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
  role VARCHAR(64) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
  signed_by VARCHAR(255) NOT NULL,
  at_us BIGINT NOT NULL,
  note TEXT NOT NULL,
  digest VARCHAR(64) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
  checkpoint BIGINT NOT NULL, -- the latest checkpoint at that time
  verification BIGINT NOT NULL, -- the latest verification that ended; 0 if none had
  statements TEXT NOT NULL, -- the platform's statements of the day, as JSON (models.SignedStatement)
  open_cases BIGINT NOT NULL, -- about this day and earlier ones
  unknown_grants BIGINT NOT NULL,
  faults BIGINT NOT NULL, -- that the latest verification found
  PRIMARY KEY (day, role)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;
