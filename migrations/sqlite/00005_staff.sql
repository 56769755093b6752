-- Staff, sign-in and settings.
-- +goose Up

-- People who use the back office. Usernames are lower-case ASCII. Passwords are hashed; TOTP secrets are encrypted, because
-- checking a code needs the secret.
CREATE TABLE staff (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  username TEXT NOT NULL,
  name TEXT NOT NULL,
  role TEXT NOT NULL,
  password_hash TEXT NOT NULL,
  must_change_password INTEGER NOT NULL,
  totp_secret TEXT NOT NULL, -- encrypted with PITBOSS_SESSION_KEY
  totp_step INTEGER NOT NULL, -- the last step used: a code works once
  disabled INTEGER NOT NULL,
  zone TEXT NOT NULL,
  theme TEXT NOT NULL,
  density TEXT NOT NULL,
  quiet INTEGER NOT NULL DEFAULT 0, -- no e-mails about their own cases and requests
  created_at_us INTEGER NOT NULL,
  password_set_at_us INTEGER NOT NULL,
  signed_in_at_us INTEGER NOT NULL,
  email TEXT NOT NULL DEFAULT '', -- where one-time links are sent; empty: none
  enabled_at_us INTEGER NOT NULL DEFAULT 0, -- when it was last enabled: days of disuse count from here at the earliest
  unconfirmed TEXT NOT NULL, -- what an administrator still has to confirm, as JSON (models.Unconfirmed)
  identity TEXT, -- issuer#subject at the identity provider; NULL: not linked
  UNIQUE (username),
  UNIQUE (identity)
) STRICT;

-- One-time links with which staff set their own password. A newer link replaces an older one; a used one is deleted. Only a
-- keyed hash is stored.
CREATE TABLE staff_links (
  staff_id INTEGER PRIMARY KEY,
  code_hash TEXT NOT NULL,
  delivery TEXT NOT NULL,
  made_at_us INTEGER NOT NULL,
  expires_at_us INTEGER NOT NULL
) STRICT;

-- Hashes of earlier passwords: the last few are refused.
CREATE TABLE staff_passwords (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  staff_id INTEGER NOT NULL,
  password_hash TEXT NOT NULL
) STRICT;
CREATE INDEX staff_passwords_staff ON staff_passwords (staff_id);

-- Signed-in browsers, by the SHA-256 of their cookie: reading this table is not enough to take over a session. Deleting a row
-- ends the session.
CREATE TABLE staff_sessions (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  id_hash TEXT NOT NULL, -- SHA-256 of the cookie, in hexadecimal
  staff_id INTEGER NOT NULL,
  data TEXT NOT NULL, -- the session's values, as JSON
  address TEXT NOT NULL,
  agent TEXT NOT NULL,
  created_at_us INTEGER NOT NULL,
  seen_at_us INTEGER NOT NULL, -- last request by the person; polling does not count
  expires_at_us INTEGER NOT NULL,
  mac TEXT NOT NULL DEFAULT '', -- keyed hash of owner, times and values, so that a row changed with SQL signs nobody in
  -- SHA-256 of the last form that was sent, and where its answer led, so that a second click does nothing
  form TEXT NOT NULL DEFAULT '',
  form_led_to TEXT NOT NULL DEFAULT '',
  UNIQUE (id_hash)
) STRICT;
CREATE INDEX staff_sessions_staff ON staff_sessions (staff_id);
CREATE INDEX staff_sessions_expiry ON staff_sessions (expires_at_us);

-- Codes that replace a lost authenticator. Each works once: a used code is deleted.
CREATE TABLE staff_recovery_codes (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  staff_id INTEGER NOT NULL,
  code_hash TEXT NOT NULL,
  UNIQUE (staff_id, code_hash)
) STRICT;

-- Keys that authenticators of staff keep, as second factors. Only public keys are here.
CREATE TABLE staff_passkeys (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  staff_id INTEGER NOT NULL,
  name TEXT NOT NULL,
  credential TEXT NOT NULL, -- its ID and public key, as JSON
  sign_count INTEGER NOT NULL, -- that the authenticator last sent: a copy of the key would repeat it
  added_at_us INTEGER NOT NULL,
  used_at_us INTEGER NOT NULL
) STRICT;
CREATE INDEX staff_passkeys_staff ON staff_passkeys (staff_id);

-- Browsers and addresses from which staff have signed in. Failed attempts from elsewhere do not lock these out.
CREATE TABLE staff_devices (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  staff_id INTEGER NOT NULL,
  device_hash TEXT NOT NULL,
  address TEXT NOT NULL,
  seen_at_us INTEGER NOT NULL,
  UNIQUE (staff_id, device_hash)
) STRICT;
CREATE INDEX staff_devices_address ON staff_devices (staff_id, address);

-- Failed sign-ins, counted before the password is checked, so that simultaneous attempts gain nothing. Unknown names are
-- counted too.
CREATE TABLE sign_in_counters (
  scope TEXT NOT NULL,
  username TEXT NOT NULL,
  origin TEXT NOT NULL,
  failures INTEGER NOT NULL,
  last_at_us INTEGER NOT NULL,
  until_us INTEGER NOT NULL, -- no attempt is accepted before this time
  PRIMARY KEY (scope, username, origin)
) STRICT;
CREATE INDEX sign_in_counters_username ON sign_in_counters (username);
CREATE INDEX sign_in_counters_last ON sign_in_counters (last_at_us);

-- Settings that administrators make in the browser. Every change is in the audit log.
CREATE TABLE settings (
  name TEXT NOT NULL PRIMARY KEY,
  value TEXT NOT NULL,
  changed_at_us INTEGER NOT NULL
) STRICT;

-- Changes of limits, rules and rates that wait for a second person, or were decided.
CREATE TABLE change_requests (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  at_us INTEGER NOT NULL,
  subject TEXT NOT NULL, -- models.ChangeSubject
  value_before TEXT NOT NULL,
  value_after TEXT NOT NULL,
  reason TEXT NOT NULL,
  day TEXT NOT NULL DEFAULT '', -- the first day of exchange rates; otherwise empty
  maker_id INTEGER NOT NULL,
  maker TEXT NOT NULL,
  maker_role TEXT NOT NULL,
  state INTEGER NOT NULL, -- models.ApprovalState
  checker_id INTEGER NOT NULL,
  checker TEXT NOT NULL,
  checker_role TEXT NOT NULL,
  decided_at_us INTEGER NOT NULL,
  decision_note TEXT NOT NULL -- why it was refused
) STRICT;
CREATE INDEX change_requests_state ON change_requests (state, id);
-- Reports read the rates of their days.
CREATE INDEX change_requests_day ON change_requests (subject, day);

-- Saved filters of a list. A view is an address, so it can be shared.
CREATE TABLE saved_views (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  staff_id INTEGER NOT NULL,
  page TEXT NOT NULL,
  name TEXT NOT NULL,
  query TEXT NOT NULL,
  shared INTEGER NOT NULL,
  created_at_us INTEGER NOT NULL
) STRICT;
CREATE INDEX saved_views_page ON saved_views (page, staff_id);

-- Systems of the operator that call its API (models.APIClient). Their secrets are only here as hashes.
CREATE TABLE api_clients (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  at_us INTEGER NOT NULL,
  name TEXT NOT NULL,
  scopes TEXT NOT NULL, -- JSON
  networks TEXT NOT NULL, -- from which it may call; empty for any
  test INTEGER NOT NULL, -- it only reaches test players
  per_minute INTEGER NOT NULL, -- calls
  cash TEXT NOT NULL, -- the largest deposit or cash-out, by currency
  cash_per_day TEXT NOT NULL, -- the most in a day, by currency: deposits and cash-outs each
  cash_per_player TEXT NOT NULL, -- likewise, with one player
  approve_above TEXT NOT NULL, -- larger cash-outs wait for approval, by currency
  webhook TEXT NOT NULL, -- to which its events are sent
  events TEXT NOT NULL, -- JSON: which
  secret_hash BLOB NOT NULL,
  secret_at_us INTEGER NOT NULL,
  previous_hash BLOB NOT NULL,
  previous_until_us INTEGER NOT NULL, -- until when the previous secret is accepted
  revoked_at_us INTEGER NOT NULL,
  UNIQUE (name)
) STRICT;
CREATE INDEX api_clients_at ON api_clients (at_us, id);

-- What clients with limits per day have moved today (models/store/ledger/client_cash.go).
CREATE TABLE client_cash (
  client_id INTEGER NOT NULL,
  day_us INTEGER NOT NULL, -- its beginning, UTC
  player_id INTEGER NOT NULL, -- 0: the client's sum
  kind INTEGER NOT NULL, -- models.OperationKind; 0: the day's sums are there
  currency TEXT NOT NULL,
  amount_minor INTEGER NOT NULL,
  PRIMARY KEY (client_id, day_us, player_id, kind, currency)
) STRICT, WITHOUT ROWID;

-- The requests of API clients that changed something (models.APIRequest), so that a repeat changes nothing.
CREATE TABLE api_requests (
  client_id INTEGER NOT NULL,
  idem_key TEXT NOT NULL, -- Idempotency-Key; with a blank and a number for parts of a request
  route TEXT NOT NULL,
  digest BLOB NOT NULL, -- of its contents
  object TEXT NOT NULL, -- what it made, as in audit_events
  object_id TEXT NOT NULL,
  number TEXT NOT NULL, -- of the request that made it: the session of its audit events
  at_us INTEGER NOT NULL,
  PRIMARY KEY (client_id, idem_key)
) STRICT;
