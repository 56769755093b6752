-- The ledger: what every callback and correction did to a wallet. Rows of postings and spin_entries are only added;
-- triggers refuse UPDATE and DELETE (models/store/db/triggers.go).
-- +goose Up

-- One row: the fingerprint of the key that this ledger began with. A ledger keeps its key for life, so nobody can replace
-- keyed chains by unkeyed ones.
CREATE TABLE ledgers (
  id INTEGER PRIMARY KEY CHECK (id = 1),
  key_fingerprint TEXT NOT NULL,
  begun_at_us INTEGER NOT NULL,
  -- how many rows id_shapes and user_lengths have: an instance that knows fewer reads them again
  shapes INTEGER NOT NULL DEFAULT 0,
  retired INTEGER NOT NULL DEFAULT 0 -- whether anything stands in retired_postings: most ledgers are never purged
) STRICT;

-- The money ledger: one row for what one operation did to one wallet. A rollback is another row with the same transaction ID, which
-- repeats what it takes back, so no row is ever changed. models/store/ledger/postings.go explains the layout.
CREATE TABLE postings (
  id INTEGER PRIMARY KEY AUTOINCREMENT, -- the order of booking, over all wallets
  source INTEGER NOT NULL, -- 1 the platform, 2 ourselves: two key spaces
  transaction_id TEXT NOT NULL,
  claim INTEGER, -- 1 applied, 2 rolled back; NULL a rollback that came first, which several players may have sent
  player_id INTEGER NOT NULL,
  -- lines of a wallet are counted from 1 without gaps; this row's last. A free spin has none: the last before it
  seq INTEGER NOT NULL,
  kind INTEGER NOT NULL, -- models.OperationKind, of what was applied or taken back
  round_id TEXT NOT NULL,
  bet_minor INTEGER NOT NULL,
  win_minor INTEGER NOT NULL,
  free_spin INTEGER NOT NULL, -- 1: the stake is a figure, and the line stands in spin_entries
  after_minor INTEGER NOT NULL, -- the wallet's balance
  at_us INTEGER NOT NULL,
  hash BLOB NOT NULL -- of this row and the hash of the wallet's row before; a free spin's line has it
) STRICT;
-- Each operation is applied once and rolled back once, whoever the player.
CREATE UNIQUE INDEX postings_key ON postings (source, transaction_id, claim);
CREATE INDEX postings_player ON postings (player_id, seq);
CREATE INDEX postings_round ON postings (round_id);
CREATE INDEX postings_at ON postings (at_us); -- clocks differ: only this finds every row of a stretch of time
-- Rollbacks, free spins and rare kinds, without reading the rest.
CREATE INDEX postings_class ON postings (claim, kind, free_spin);

-- What a purge leaves of the postings that it archived: enough to refuse an old ID again.
CREATE TABLE retired_postings (
  source INTEGER NOT NULL,
  transaction_id TEXT NOT NULL,
  claim INTEGER NOT NULL, -- as in postings; 0 a rollback that came first
  player_id INTEGER NOT NULL,
  kind INTEGER NOT NULL,
  round_id TEXT NOT NULL,
  bet_minor INTEGER NOT NULL,
  win_minor INTEGER NOT NULL,
  free_spin INTEGER NOT NULL,
  at_us INTEGER NOT NULL,
  PRIMARY KEY (source, transaction_id, claim, player_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX retired_postings_player ON retired_postings (player_id, claim);

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

-- Lengths of accepted transaction and round IDs, in bytes; round 0 for a rollback that came first. Other readings of
-- a signed text are looked up at these lengths (models/signed.go).
CREATE TABLE id_shapes (
  transaction_length INTEGER NOT NULL,
  round_length INTEGER NOT NULL,
  amount_first INTEGER NOT NULL, -- the transaction ID begins with an amount
  PRIMARY KEY (transaction_length, round_length, amount_first)
) STRICT, WITHOUT ROWID;

-- Lengths of the user IDs in accepted callbacks, in bytes. Other readings of a signed text are looked up for users of these
-- lengths.
CREATE TABLE user_lengths (
  length INTEGER NOT NULL PRIMARY KEY
) STRICT, WITHOUT ROWID;

-- Signed texts of declined bets and wins, each with the only way in which it may be read again. Applied ones need no row:
-- their posting tells. No purge deletes any: a signature has no date, so without its row that of a declined bet could credit its stake
-- as a win, however old it is. Only a new secret key invalidates signatures, and the old key might be used again.
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
  retired BLOB NOT NULL, -- of the wallet's rows in retired_postings
  proof BLOB NOT NULL
) STRICT;
