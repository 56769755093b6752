-- The ledger: the effect of every callback and correction on a wallet. postings and spin_entries are append-only: triggers
-- refuse UPDATE and DELETE (models/store/db/triggers.go).
-- +goose Up

-- One row, with the fingerprint of the key that this ledger was begun with. The key never changes, so nobody can replace keyed
-- chains with unkeyed ones.
CREATE TABLE IF NOT EXISTS ledgers (
  id TINYINT NOT NULL PRIMARY KEY,
  key_fingerprint VARBINARY(64) NOT NULL,
  begun_at_us BIGINT NOT NULL
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;

-- The money ledger: one row for the effect of one operation on one wallet. A rollback is another row, with the same transaction
-- ID and the amounts that it reverses, so no row is ever changed. models/store/ledger/postings.go explains the layout.
CREATE TABLE IF NOT EXISTS postings (
  id BIGINT NOT NULL AUTO_INCREMENT PRIMARY KEY, -- the order of booking across all wallets
  source TINYINT NOT NULL, -- 1 the platform, 2 Pitboss, 3 clients of the API: three key spaces
  transaction_id VARBINARY(255) NOT NULL,
  -- 1 applied, 2 rolled back, or the end of a cash-out; NULL for a rollback that came first: several players may have one for
  -- the same ID
  claim TINYINT NULL,
  -- INT, not BIGINT, because these columns are both in the row and in an index. There is room for 2,147 million players and for
  -- as many lines per wallet, which take almost 7 years at ten lines a second. ALTER TABLE can widen both
  player_id INT NOT NULL,
  -- the number of the row's last line. A wallet's lines are numbered from 1 without gaps. A free spin has no line here, so its
  -- row has the number of the line before it
  seq INT NOT NULL,
  kind TINYINT NOT NULL, -- models.OperationKind of the operation that was applied or rolled back
  round_id VARBINARY(255) NOT NULL,
  bet_minor BIGINT NOT NULL,
  win_minor BIGINT NOT NULL,
  free_spin TINYINT NOT NULL, -- 1: the stake is only a figure, and the line is in spin_entries
  after_minor BIGINT NOT NULL, -- the wallet's balance
  at_us BIGINT NOT NULL,
  -- hash of this row and of the hash of the wallet's previous row; for a free spin, the hash of its line in spin_entries
  hash BINARY(32) NOT NULL,
  held_minor BIGINT NULL, -- held by cash-outs, after cash; NULL for everything else
  -- the callback that it comes from, as the callback log shows it; NULL for everything else
  request BIGINT NULL, -- models.RequestID, without its time
  received_us BIGINT NULL,
  address VARBINARY(16) NULL,
  -- of its callback's signed text (models/signed.go), so that no text is applied twice; NULL if no callback brought it
  signed_digest BINARY(16) NULL,
  -- each operation is applied once and rolled back once, across all players
  UNIQUE KEY postings_key (source, transaction_id, claim),
  UNIQUE KEY postings_signed (signed_digest),
  KEY postings_player (player_id, seq),
  KEY postings_round (round_id),
  KEY postings_at (at_us), -- only this index finds all rows of a period, because clocks differ
  KEY postings_class (claim, kind, free_spin) -- rollbacks, free spins and rare kinds, without reading the rest
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;

-- The free-spin ledger, separate from money (specification, Callback service rule 3), with a hash chain of its own.
CREATE TABLE IF NOT EXISTS spin_entries (
  player_id BIGINT NOT NULL,
  seq BIGINT NOT NULL,
  kind TINYINT NOT NULL,
  transaction_id VARBINARY(255) NOT NULL,
  round_id VARBINARY(255) NOT NULL,
  spins TINYINT NOT NULL, -- +1 used, -1 given back
  stake_minor BIGINT NOT NULL, -- only a figure: it never changed the balance
  grant_known TINYINT NOT NULL, -- whether a grant that explains it was known at the time
  at_us BIGINT NOT NULL,
  hash BINARY(32) NOT NULL,
  signed_digest BINARY(16) NULL, -- as in its posting
  PRIMARY KEY (player_id, seq),
  KEY spin_entries_at (at_us), -- attribution looks for recent rows
  KEY spin_entries_round (player_id, round_id) -- a win belongs to a free spin if its round had one
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;

-- Digests of the signed texts of declined and refused callbacks, each with the only reading in which it may be repeated. Rows
-- are only added (models/store/db/triggers.go): a signature has no date, so without its row, the signature of an old declined
-- bet could be used to credit its stake as a win. Only a new secret key invalidates signatures, and the old key might be used
-- again.
CREATE TABLE IF NOT EXISTS declined_texts (
  digest BINARY(16) NOT NULL PRIMARY KEY,
  kind TINYINT NOT NULL,
  user_length SMALLINT NOT NULL,
  transaction_length SMALLINT NOT NULL,
  at_us BIGINT NOT NULL
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;
