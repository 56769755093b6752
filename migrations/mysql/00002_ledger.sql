-- The ledger: what every callback and correction did to a wallet. Rows of postings and spin_entries are only added;
-- triggers refuse UPDATE and DELETE (models/store/db/triggers.go).
-- +goose Up

-- One row: the fingerprint of the key that this ledger began with. A ledger keeps its key for life, so nobody can replace
-- keyed chains by unkeyed ones.
CREATE TABLE IF NOT EXISTS ledgers (
  id TINYINT NOT NULL PRIMARY KEY,
  key_fingerprint VARBINARY(64) NOT NULL,
  begun_at_us BIGINT NOT NULL,
  -- how many rows id_shapes and user_lengths have: an instance that knows fewer reads them again
  shapes BIGINT NOT NULL DEFAULT 0,
  retired TINYINT NOT NULL DEFAULT 0 -- whether anything stands in retired_postings: most ledgers are never purged
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;

-- The money ledger: one row for what one operation did to one wallet. A rollback is another row with the same transaction ID, which
-- repeats what it takes back, so no row is ever changed. models/store/ledger/postings.go explains the layout.
CREATE TABLE IF NOT EXISTS postings (
  id BIGINT NOT NULL AUTO_INCREMENT PRIMARY KEY, -- the order of booking, over all wallets
  source TINYINT NOT NULL, -- 1 the platform, 2 ourselves: two key spaces
  transaction_id VARBINARY(255) NOT NULL,
  claim TINYINT NULL, -- 1 applied, 2 rolled back; NULL a rollback that came first, which several players may have sent
  -- INT, not BIGINT, in what is both in the row and in an index: room for 2,147 million players, and for as many lines of one
  -- wallet, which take almost 7 years at ten lines a second, day and night. ALTER TABLE can widen both
  player_id INT NOT NULL,
  -- lines of a wallet are counted from 1 without gaps; this row's last. A free spin has none: the last before it
  seq INT NOT NULL,
  kind TINYINT NOT NULL, -- models.OperationKind, of what was applied or taken back
  round_id VARBINARY(255) NOT NULL,
  bet_minor BIGINT NOT NULL,
  win_minor BIGINT NOT NULL,
  free_spin TINYINT NOT NULL, -- 1: the stake is a figure, and the line stands in spin_entries
  after_minor BIGINT NOT NULL, -- the wallet's balance
  at_us BIGINT NOT NULL,
  hash BINARY(32) NOT NULL, -- of this row and the hash of the wallet's row before; a free spin's line has it
  -- each operation is applied once and rolled back once, for all players together
  UNIQUE KEY postings_key (source, transaction_id, claim),
  KEY postings_player (player_id, seq),
  KEY postings_round (round_id),
  KEY postings_at (at_us), -- clocks differ: only this finds every row of a stretch of time
  KEY postings_class (claim, kind, free_spin) -- rollbacks, free spins and rare kinds, without reading the rest
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;

-- What a purge leaves of the postings that it archived: enough to refuse an old ID again.
CREATE TABLE IF NOT EXISTS retired_postings (
  source TINYINT NOT NULL,
  transaction_id VARBINARY(255) NOT NULL,
  claim TINYINT NOT NULL, -- as in postings; 0 a rollback that came first
  player_id BIGINT NOT NULL,
  kind TINYINT NOT NULL,
  round_id VARBINARY(255) NOT NULL,
  bet_minor BIGINT NOT NULL,
  win_minor BIGINT NOT NULL,
  free_spin TINYINT NOT NULL,
  at_us BIGINT NOT NULL,
  PRIMARY KEY (source, transaction_id, claim, player_id),
  KEY retired_postings_player (player_id, claim)
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

-- Lengths of accepted transaction and round IDs, in bytes; round 0 for a rollback that came first. Other readings of
-- a signed text are looked up at these lengths (models/signed.go).
CREATE TABLE IF NOT EXISTS id_shapes (
  transaction_length SMALLINT NOT NULL,
  round_length SMALLINT NOT NULL,
  amount_first TINYINT NOT NULL, -- the transaction ID begins with an amount
  PRIMARY KEY (transaction_length, round_length, amount_first)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;

-- Lengths of the user IDs in accepted callbacks, in bytes. Other readings of a signed text are looked up for users of these
-- lengths.
CREATE TABLE IF NOT EXISTS user_lengths (
  length SMALLINT NOT NULL PRIMARY KEY
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;

-- Signed texts of declined bets and wins, each with the only way in which it may be read again. Applied ones need no row:
-- their posting tells. No purge deletes any: a signature has no date, so without its row that of a declined bet could credit its stake
-- as a win, however old it is. Only a new secret key invalidates signatures, and the old key might be used again.
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
  retired BINARY(32) NOT NULL, -- of the wallet's rows in retired_postings
  proof BINARY(32) NOT NULL
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;

-- Signed texts that an attempt on a Galera node is about to accept. A row is deleted by the transaction that inserted it, so the
-- table is always empty (models/store/db/galera.go).
CREATE TABLE IF NOT EXISTS text_turns (
  digest BINARY(16) NOT NULL PRIMARY KEY
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;
