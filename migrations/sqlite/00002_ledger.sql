-- The ledger: the effect of every callback and correction on a wallet. postings and spin_entries are append-only: triggers
-- refuse UPDATE and DELETE (models/store/db/triggers.go).
-- +goose Up

-- One row, with the fingerprint of the key that this ledger was begun with. The key never changes, so nobody can replace keyed
-- chains with unkeyed ones.
CREATE TABLE ledgers (
  id INTEGER PRIMARY KEY CHECK (id = 1),
  key_fingerprint TEXT NOT NULL,
  begun_at_us INTEGER NOT NULL
) STRICT;

-- The money ledger: one row for the effect of one operation on one wallet. A rollback is another row, with the same transaction
-- ID and the amounts that it reverses, so no row is ever changed. models/store/ledger/postings.go explains the layout.
CREATE TABLE postings (
  id INTEGER PRIMARY KEY AUTOINCREMENT, -- the order of booking across all wallets
  source INTEGER NOT NULL, -- 1 the platform, 2 Pitboss, 3 clients of the API: three key spaces
  transaction_id TEXT NOT NULL,
  -- 1 applied, 2 rolled back, or the end of a cash-out; NULL for a rollback that came first: several players may have one for
  -- the same ID
  claim INTEGER,
  player_id INTEGER NOT NULL,
  -- the number of the row's last line. A wallet's lines are numbered from 1 without gaps. A free spin has no line here, so its
  -- row has the number of the line before it
  seq INTEGER NOT NULL,
  kind INTEGER NOT NULL, -- models.OperationKind of the operation that was applied or rolled back
  round_id TEXT NOT NULL,
  bet_minor INTEGER NOT NULL,
  win_minor INTEGER NOT NULL,
  free_spin INTEGER NOT NULL, -- 1: the stake is only a figure, and the line is in spin_entries
  after_minor INTEGER NOT NULL, -- the wallet's balance
  at_us INTEGER NOT NULL,
  -- hash of this row and of the hash of the wallet's previous row; for a free spin, the hash of its line in spin_entries
  hash BLOB NOT NULL,
  held_minor INTEGER, -- held by cash-outs, after cash; NULL for everything else
  -- the callback that it comes from, as the callback log shows it; NULL for everything else
  request INTEGER, -- models.RequestID, without its time
  received_us INTEGER,
  address BLOB,
  -- of its callback's signed text (models/signed.go), so that no text is applied twice; NULL if no callback brought it
  signed_digest BLOB
) STRICT;
-- Each operation is applied once and rolled back once, across all players.
CREATE UNIQUE INDEX postings_key ON postings (source, transaction_id, claim);
CREATE UNIQUE INDEX postings_signed ON postings (signed_digest);
CREATE INDEX postings_player ON postings (player_id, seq);
CREATE INDEX postings_round ON postings (round_id);
CREATE INDEX postings_at ON postings (at_us); -- only this index finds all rows of a period, because clocks differ
-- Rollbacks, free spins and rare kinds, without reading the rest.
CREATE INDEX postings_class ON postings (claim, kind, free_spin);

-- The free-spin ledger, separate from money (specification, Callback service rule 3), with a hash chain of its own.
CREATE TABLE spin_entries (
  player_id INTEGER NOT NULL,
  seq INTEGER NOT NULL,
  kind INTEGER NOT NULL,
  transaction_id TEXT NOT NULL,
  round_id TEXT NOT NULL,
  spins INTEGER NOT NULL, -- +1 used, -1 given back
  stake_minor INTEGER NOT NULL, -- only a figure: it never changed the balance
  grant_known INTEGER NOT NULL, -- whether a grant that explains it was known at the time
  at_us INTEGER NOT NULL,
  hash BLOB NOT NULL,
  signed_digest BLOB, -- as in its posting
  PRIMARY KEY (player_id, seq)
) STRICT, WITHOUT ROWID;
-- Attribution looks for recent rows.
CREATE INDEX spin_entries_at ON spin_entries (at_us);
-- A win belongs to a free spin if its round had one.
CREATE INDEX spin_entries_round ON spin_entries (player_id, round_id);

-- Digests of the signed texts of declined and refused callbacks, each with the only reading in which it may be repeated. Rows
-- are only added (models/store/db/triggers.go): a signature has no date, so without its row, the signature of an old declined
-- bet could be used to credit its stake as a win. Only a new secret key invalidates signatures, and the old key might be used
-- again.
CREATE TABLE declined_texts (
  digest BLOB NOT NULL PRIMARY KEY,
  kind INTEGER NOT NULL,
  user_length INTEGER NOT NULL,
  transaction_length INTEGER NOT NULL,
  at_us INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
