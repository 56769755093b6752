-- The ledger: what every callback and correction did to a wallet. Rows of entries and spin_entries are only added;
-- triggers refuse UPDATE and DELETE (models/store/triggers.go).
-- +goose Up

-- One row: the fingerprint of the key that this ledger began with. A ledger keeps its key for life, so nobody can replace
-- keyed chains by unkeyed ones.
CREATE TABLE ledgers (
  id INTEGER PRIMARY KEY CHECK (id = 1),
  key_fingerprint TEXT NOT NULL,
  begun_at_us INTEGER NOT NULL
) STRICT;

-- What was applied, once per source and transaction ID: the idempotency key across all players.
CREATE TABLE transactions (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  source INTEGER NOT NULL, -- 1 the platform, 2 ourselves: two key spaces
  transaction_id TEXT NOT NULL,
  player_id INTEGER NOT NULL,
  kind INTEGER NOT NULL, -- models.OperationKind
  round_id TEXT NOT NULL,
  bet_minor INTEGER NOT NULL,
  win_minor INTEGER NOT NULL,
  free_spin INTEGER NOT NULL,
  state INTEGER NOT NULL, -- models.TransactionState
  at_us INTEGER NOT NULL,
  reversed_at_us INTEGER NOT NULL DEFAULT 0, -- 0 while it stands
  other_contents_at_us INTEGER NOT NULL DEFAULT 0, -- when the same ID first came with other contents; 0 never
  UNIQUE (source, transaction_id)
) STRICT;
CREATE INDEX transactions_player ON transactions (player_id);
CREATE INDEX transactions_round ON transactions (round_id);
-- Rolled-back ones, free spins and rare kinds, without reading the rest.
CREATE INDEX transactions_class ON transactions (state, kind, free_spin);

-- The money ledger, clustered by wallet: a wallet's history is one range, and only its end grows.
CREATE TABLE entries (
  player_id INTEGER NOT NULL,
  seq INTEGER NOT NULL, -- counts from 1 per wallet, without gaps
  kind INTEGER NOT NULL, -- models.EntryKind
  source INTEGER NOT NULL,
  transaction_id TEXT NOT NULL,
  round_id TEXT NOT NULL, -- the transaction's, also on a reversal
  amount_minor INTEGER NOT NULL, -- signed: after_minor - before_minor
  before_minor INTEGER NOT NULL,
  after_minor INTEGER NOT NULL,
  at_us INTEGER NOT NULL,
  hash BLOB NOT NULL, -- of this row and the hash of the row before
  PRIMARY KEY (player_id, seq)
) STRICT, WITHOUT ROWID;
-- Sums per minute are read from this index alone.
CREATE INDEX entries_at ON entries (at_us, kind, amount_minor);

-- The free-spin ledger, separate from money (specification, Callback service rule 3), with a hash chain of its own.
CREATE TABLE spin_entries (
  player_id INTEGER NOT NULL,
  seq INTEGER NOT NULL,
  kind INTEGER NOT NULL,
  transaction_id TEXT NOT NULL,
  round_id TEXT NOT NULL,
  spins INTEGER NOT NULL, -- +1 used, -1 given back
  stake_minor INTEGER NOT NULL, -- a figure; it never touched the balance
  grant_known INTEGER NOT NULL, -- whether a grant that explains it was known then
  at_us INTEGER NOT NULL,
  hash BLOB NOT NULL,
  PRIMARY KEY (player_id, seq)
) STRICT, WITHOUT ROWID;
-- Attribution looks for recent rows.
CREATE INDEX spin_entries_at ON spin_entries (at_us);
-- A win belongs to a free spin if its round had one.
CREATE INDEX spin_entries_round ON spin_entries (player_id, round_id);

-- Rollbacks that came before their transaction. When the transaction arrives late, it is refused.
CREATE TABLE tombstones (
  transaction_id TEXT NOT NULL,
  player_id INTEGER NOT NULL,
  at_us INTEGER NOT NULL,
  PRIMARY KEY (transaction_id, player_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX tombstones_player ON tombstones (player_id);

-- How long accepted transaction and round IDs have been, in bytes; round 0 for a rollback that came first. Other readings of
-- a signed text are looked for at these lengths (models/signed.go).
CREATE TABLE id_shapes (
  transaction_length INTEGER NOT NULL,
  round_length INTEGER NOT NULL,
  amount_first INTEGER NOT NULL, -- the transaction ID begins with an amount
  PRIMARY KEY (transaction_length, round_length, amount_first)
) STRICT, WITHOUT ROWID;

-- Signed texts of declined bets and wins, each with the only way in which it may be read again. Applied ones need no row:
-- their transaction tells.
CREATE TABLE declined_texts (
  digest BLOB NOT NULL PRIMARY KEY,
  kind INTEGER NOT NULL,
  user_length INTEGER NOT NULL,
  transaction_length INTEGER NOT NULL,
  at_us INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

-- Where a wallet's chains begin after a purge has archived the rows before: proved with the ledger's key.
CREATE TABLE ledger_beginnings (
  player_id INTEGER NOT NULL PRIMARY KEY,
  at_us INTEGER NOT NULL, -- time of the newest archived row
  balance_minor INTEGER NOT NULL,
  seq INTEGER NOT NULL,
  head BLOB NOT NULL,
  spin_seq INTEGER NOT NULL,
  spin_head BLOB NOT NULL,
  tombstones INTEGER NOT NULL,
  proof BLOB NOT NULL
) STRICT;

-- This row is no shape: whoever adds one locks it first.
INSERT INTO id_shapes (transaction_length, round_length, amount_first) VALUES (0, 0, 0);

-- SQLite plans without statistics unless it is told some: it would look for a round's transactions among all of one state.
ANALYZE ledgers;
DELETE FROM sqlite_stat1 WHERE tbl IN ('ledgers', 'transactions');
INSERT INTO sqlite_stat1 (tbl, idx, stat) VALUES
  ('transactions', 'sqlite_autoindex_transactions_1', '1000000 1000000 1'),
  ('transactions', 'transactions_player', '1000000 1000'),
  ('transactions', 'transactions_round', '1000000 3'),
  ('transactions', 'transactions_class', '1000000 400000 200000 100000');
ANALYZE sqlite_schema;
