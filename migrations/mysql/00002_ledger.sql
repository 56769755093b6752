-- The ledger: what every callback and correction did to a wallet. Rows of entries and spin_entries are only added;
-- triggers refuse UPDATE and DELETE (models/store/triggers.go).
-- +goose Up

-- One row: the fingerprint of the key that this ledger began with. A ledger keeps its key for life, so nobody can replace
-- keyed chains by unkeyed ones.
CREATE TABLE IF NOT EXISTS ledgers (
  id TINYINT NOT NULL PRIMARY KEY,
  key_fingerprint VARBINARY(64) NOT NULL,
  begun_at_us BIGINT NOT NULL
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;

-- What was applied, once per source and transaction ID: the idempotency key across all players.
CREATE TABLE IF NOT EXISTS transactions (
  id BIGINT NOT NULL AUTO_INCREMENT PRIMARY KEY,
  source TINYINT NOT NULL, -- 1 the platform, 2 ourselves: two key spaces
  transaction_id VARBINARY(255) NOT NULL,
  player_id BIGINT NOT NULL,
  kind TINYINT NOT NULL, -- models.OperationKind
  round_id VARBINARY(255) NOT NULL,
  bet_minor BIGINT NOT NULL,
  win_minor BIGINT NOT NULL,
  free_spin TINYINT NOT NULL,
  state TINYINT NOT NULL, -- models.TransactionState
  at_us BIGINT NOT NULL,
  reversed_at_us BIGINT NOT NULL DEFAULT 0, -- 0 while it stands
  other_contents_at_us BIGINT NOT NULL DEFAULT 0, -- when the same ID first came with other contents; 0 never
  UNIQUE KEY transactions_key (source, transaction_id),
  KEY transactions_player (player_id),
  KEY transactions_round (round_id),
  KEY transactions_class (state, kind, free_spin) -- rolled-back ones, free spins and rare kinds, without reading the rest
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;

-- The money ledger, clustered by wallet: a wallet's history is one range, and only its end grows.
CREATE TABLE IF NOT EXISTS entries (
  player_id BIGINT NOT NULL,
  seq BIGINT NOT NULL, -- counts from 1 per wallet, without gaps
  kind TINYINT NOT NULL, -- models.EntryKind
  source TINYINT NOT NULL,
  transaction_id VARBINARY(255) NOT NULL,
  round_id VARBINARY(255) NOT NULL, -- the transaction's, also on a reversal
  amount_minor BIGINT NOT NULL, -- signed: after_minor - before_minor
  before_minor BIGINT NOT NULL,
  after_minor BIGINT NOT NULL,
  at_us BIGINT NOT NULL,
  hash BINARY(32) NOT NULL, -- of this row and the hash of the row before
  PRIMARY KEY (player_id, seq),
  KEY entries_at (at_us, kind, amount_minor) -- sums per minute are read from this index alone
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;

-- The free-spin ledger, separate from money (specification, Callback service rule 3), with a hash chain of its own.
CREATE TABLE IF NOT EXISTS spin_entries (
  player_id BIGINT NOT NULL,
  seq BIGINT NOT NULL,
  kind TINYINT NOT NULL,
  transaction_id VARBINARY(255) NOT NULL,
  round_id VARBINARY(255) NOT NULL,
  spins TINYINT NOT NULL, -- +1 used, -1 given back
  stake_minor BIGINT NOT NULL, -- a figure; it never touched the balance
  grant_known TINYINT NOT NULL, -- whether a grant that explains it was known then
  at_us BIGINT NOT NULL,
  hash BINARY(32) NOT NULL,
  PRIMARY KEY (player_id, seq),
  KEY spin_entries_at (at_us), -- attribution looks for recent rows
  KEY spin_entries_round (player_id, round_id) -- a win belongs to a free spin if its round had one
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;

-- Rollbacks that came before their transaction. When the transaction arrives late, it is refused.
CREATE TABLE IF NOT EXISTS tombstones (
  transaction_id VARBINARY(255) NOT NULL,
  player_id BIGINT NOT NULL,
  at_us BIGINT NOT NULL,
  PRIMARY KEY (transaction_id, player_id),
  KEY tombstones_player (player_id)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;

-- How long accepted transaction and round IDs have been, in bytes; round 0 for a rollback that came first. Other readings of
-- a signed text are looked for at these lengths (models/signed.go).
CREATE TABLE IF NOT EXISTS id_shapes (
  transaction_length SMALLINT NOT NULL,
  round_length SMALLINT NOT NULL,
  amount_first TINYINT NOT NULL, -- the transaction ID begins with an amount
  PRIMARY KEY (transaction_length, round_length, amount_first)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;

-- Signed texts of declined bets and wins, each with the only way in which it may be read again. Applied ones need no row:
-- their transaction tells.
CREATE TABLE IF NOT EXISTS declined_texts (
  digest BINARY(16) NOT NULL PRIMARY KEY,
  kind TINYINT NOT NULL,
  user_length SMALLINT NOT NULL,
  transaction_length SMALLINT NOT NULL,
  at_us BIGINT NOT NULL
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;

-- Where a wallet's chains begin after a purge has archived the rows before: proved with the ledger's key.
CREATE TABLE IF NOT EXISTS ledger_beginnings (
  player_id BIGINT NOT NULL PRIMARY KEY,
  at_us BIGINT NOT NULL, -- time of the newest archived row
  balance_minor BIGINT NOT NULL,
  seq BIGINT NOT NULL,
  head BINARY(32) NOT NULL,
  spin_seq BIGINT NOT NULL,
  spin_head BINARY(32) NOT NULL,
  tombstones BIGINT NOT NULL,
  proof BINARY(32) NOT NULL
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;

-- This row is no shape: whoever adds one locks it first.
INSERT IGNORE INTO id_shapes (transaction_length, round_length, amount_first) VALUES (0, 0, 0);
