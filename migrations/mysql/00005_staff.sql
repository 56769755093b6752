-- Staff, sign-in and settings.
-- +goose Up

-- People who use the back office. Usernames are lower-case ASCII. Passwords are hashed; TOTP secrets are encrypted, because
-- checking a code needs the secret.
CREATE TABLE IF NOT EXISTS staff (
  id BIGINT NOT NULL AUTO_INCREMENT PRIMARY KEY,
  username VARCHAR(32) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
  name VARCHAR(255) NOT NULL,
  role VARCHAR(16) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
  password_hash VARCHAR(255) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
  must_change_password TINYINT NOT NULL,
  totp_secret VARCHAR(255) CHARACTER SET ascii COLLATE ascii_bin NOT NULL, -- encrypted with PITBOSS_SESSION_KEY
  totp_step BIGINT NOT NULL, -- the last step used: a code works once
  disabled TINYINT NOT NULL,
  zone VARCHAR(64) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
  theme VARCHAR(16) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
  density VARCHAR(16) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
  quiet TINYINT NOT NULL DEFAULT 0, -- no e-mails about their own cases and requests
  created_at_us BIGINT NOT NULL,
  password_set_at_us BIGINT NOT NULL,
  signed_in_at_us BIGINT NOT NULL,
  email VARCHAR(254) CHARACTER SET ascii COLLATE ascii_bin NOT NULL DEFAULT '', -- where one-time links are sent; empty: none
  enabled_at_us BIGINT NOT NULL DEFAULT 0, -- when it was last enabled: days of disuse count from here at the earliest
  unconfirmed TEXT NOT NULL, -- what an administrator still has to confirm, as JSON (models.Unconfirmed)
  identity VARBINARY(512), -- issuer#subject at the identity provider; NULL: not linked
  UNIQUE KEY staff_username (username),
  UNIQUE KEY staff_identity (identity)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;

-- One-time links with which staff set their own password. A newer link replaces an older one; a used one is deleted. Only a
-- keyed hash is stored.
CREATE TABLE IF NOT EXISTS staff_links (
  staff_id BIGINT NOT NULL PRIMARY KEY,
  code_hash CHAR(64) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
  delivery VARCHAR(16) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
  made_at_us BIGINT NOT NULL,
  expires_at_us BIGINT NOT NULL
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;

-- Hashes of earlier passwords: the last few are refused.
CREATE TABLE IF NOT EXISTS staff_passwords (
  id BIGINT NOT NULL AUTO_INCREMENT PRIMARY KEY,
  staff_id BIGINT NOT NULL,
  password_hash VARCHAR(255) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
  KEY staff_passwords_staff (staff_id)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;

-- Signed-in browsers, by the SHA-256 of their cookie: reading this table is not enough to take over a session. Deleting a row
-- ends the session.
CREATE TABLE IF NOT EXISTS staff_sessions (
  id BIGINT NOT NULL AUTO_INCREMENT PRIMARY KEY,
  id_hash CHAR(64) CHARACTER SET ascii COLLATE ascii_bin NOT NULL, -- SHA-256 of the cookie, in hexadecimal
  staff_id BIGINT NOT NULL,
  data TEXT NOT NULL, -- the session's values, as JSON
  address VARCHAR(64) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
  agent VARCHAR(255) NOT NULL,
  created_at_us BIGINT NOT NULL,
  seen_at_us BIGINT NOT NULL, -- last request by the person; polling does not count
  expires_at_us BIGINT NOT NULL,
  -- keyed hash of owner, times and values, so that a row changed with SQL signs nobody in
  mac CHAR(64) CHARACTER SET ascii COLLATE ascii_bin NOT NULL DEFAULT '',
  -- SHA-256 of the last form that was sent, and where its answer led, so that a second click does nothing
  form CHAR(64) CHARACTER SET ascii COLLATE ascii_bin NOT NULL DEFAULT '',
  form_led_to TEXT NOT NULL DEFAULT (''),
  UNIQUE KEY staff_sessions_hash (id_hash),
  KEY staff_sessions_staff (staff_id),
  KEY staff_sessions_expiry (expires_at_us)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;

-- Codes that replace a lost authenticator. Each works once: a used code is deleted.
CREATE TABLE IF NOT EXISTS staff_recovery_codes (
  id BIGINT NOT NULL AUTO_INCREMENT PRIMARY KEY,
  staff_id BIGINT NOT NULL,
  code_hash CHAR(64) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
  UNIQUE KEY staff_recovery_codes_code (staff_id, code_hash)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;

-- Keys that authenticators of staff keep, as second factors. Only public keys are here.
CREATE TABLE IF NOT EXISTS staff_passkeys (
  id BIGINT NOT NULL AUTO_INCREMENT PRIMARY KEY,
  staff_id BIGINT NOT NULL,
  name VARCHAR(255) NOT NULL,
  credential TEXT NOT NULL, -- its ID and public key, as JSON
  sign_count BIGINT NOT NULL, -- that the authenticator last sent: a copy of the key would repeat it
  added_at_us BIGINT NOT NULL,
  used_at_us BIGINT NOT NULL,
  KEY staff_passkeys_staff (staff_id)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;

-- Browsers and addresses from which staff have signed in. Failed attempts from elsewhere do not lock these out.
CREATE TABLE IF NOT EXISTS staff_devices (
  id BIGINT NOT NULL AUTO_INCREMENT PRIMARY KEY,
  staff_id BIGINT NOT NULL,
  device_hash CHAR(64) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
  address VARCHAR(64) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
  seen_at_us BIGINT NOT NULL,
  UNIQUE KEY staff_devices_device (staff_id, device_hash),
  KEY staff_devices_address (staff_id, address)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;

-- Failed sign-ins, counted before the password is checked, so that simultaneous attempts gain nothing. Unknown names are
-- counted too.
CREATE TABLE IF NOT EXISTS sign_in_counters (
  scope VARCHAR(16) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
  username VARCHAR(32) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
  origin VARCHAR(64) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
  failures BIGINT NOT NULL,
  last_at_us BIGINT NOT NULL,
  until_us BIGINT NOT NULL, -- no attempt is accepted before this time
  PRIMARY KEY (scope, username, origin),
  KEY sign_in_counters_username (username),
  KEY sign_in_counters_last (last_at_us)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;

-- Settings that administrators make in the browser. Every change is in the audit log.
CREATE TABLE IF NOT EXISTS settings (
  name VARCHAR(64) CHARACTER SET ascii COLLATE ascii_bin NOT NULL PRIMARY KEY,
  value TEXT NOT NULL,
  changed_at_us BIGINT NOT NULL
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;

-- Changes of limits, rules and rates that wait for a second person, or were decided.
CREATE TABLE IF NOT EXISTS change_requests (
  id BIGINT NOT NULL AUTO_INCREMENT PRIMARY KEY,
  at_us BIGINT NOT NULL,
  subject VARCHAR(64) CHARACTER SET ascii COLLATE ascii_bin NOT NULL, -- models.ChangeSubject
  value_before MEDIUMTEXT NOT NULL,
  value_after MEDIUMTEXT NOT NULL,
  reason TEXT NOT NULL,
  day VARCHAR(10) CHARACTER SET ascii COLLATE ascii_bin NOT NULL DEFAULT '', -- the first day of exchange rates; otherwise empty
  maker_id BIGINT NOT NULL,
  maker VARCHAR(255) NOT NULL,
  maker_role VARCHAR(16) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
  state TINYINT NOT NULL, -- models.ApprovalState
  checker_id BIGINT NOT NULL,
  checker VARCHAR(255) NOT NULL,
  checker_role VARCHAR(16) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
  decided_at_us BIGINT NOT NULL,
  decision_note TEXT NOT NULL, -- why it was refused
  KEY change_requests_state (state, id),
  KEY change_requests_day (subject, day) -- reports read the rates of their days
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;

-- Saved filters of a list. A view is an address, so it can be shared.
CREATE TABLE IF NOT EXISTS saved_views (
  id BIGINT NOT NULL AUTO_INCREMENT PRIMARY KEY,
  staff_id BIGINT NOT NULL,
  page VARCHAR(64) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
  name VARCHAR(64) NOT NULL,
  query VARCHAR(2048) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
  shared TINYINT NOT NULL,
  created_at_us BIGINT NOT NULL,
  KEY saved_views_page (page, staff_id)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;

-- Systems of the operator that call its API (models.APIClient). Their secrets are only here as hashes.
CREATE TABLE IF NOT EXISTS api_clients (
  id BIGINT NOT NULL AUTO_INCREMENT PRIMARY KEY,
  at_us BIGINT NOT NULL,
  name VARCHAR(40) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
  scopes TEXT NOT NULL, -- JSON
  networks TEXT NOT NULL, -- from which it may call; empty for any
  test TINYINT NOT NULL, -- it only reaches test players
  per_minute INT NOT NULL, -- calls
  cash TEXT NOT NULL, -- the largest deposit or cash-out, by currency
  cash_per_day TEXT NOT NULL, -- the most in a day, by currency: deposits and cash-outs each
  cash_per_player TEXT NOT NULL, -- likewise, with one player
  approve_above TEXT NOT NULL, -- larger cash-outs wait for approval, by currency
  webhook TEXT NOT NULL, -- to which its events are sent
  events TEXT NOT NULL, -- JSON: which
  secret_hash BINARY(32) NOT NULL,
  secret_at_us BIGINT NOT NULL,
  previous_hash BINARY(32) NOT NULL,
  previous_until_us BIGINT NOT NULL, -- until when the previous secret is accepted
  revoked_at_us BIGINT NOT NULL,
  UNIQUE KEY api_clients_name (name),
  KEY api_clients_at (at_us, id)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;

-- What clients with limits per day have moved today (models/store/ledger/client_cash.go).
CREATE TABLE IF NOT EXISTS client_cash (
  client_id BIGINT NOT NULL,
  day_us BIGINT NOT NULL, -- its beginning, UTC
  player_id BIGINT NOT NULL, -- 0: the client's sum
  kind TINYINT NOT NULL, -- models.OperationKind; 0: the day's sums are there
  currency VARBINARY(8) NOT NULL,
  amount_minor BIGINT NOT NULL,
  PRIMARY KEY (client_id, day_us, player_id, kind, currency)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;

-- The requests of API clients that changed something (models.APIRequest), so that a repeat changes nothing.
CREATE TABLE IF NOT EXISTS api_requests (
  client_id BIGINT NOT NULL,
  idem_key VARBINARY(72) NOT NULL, -- Idempotency-Key; with a blank and a number for parts of a request
  route VARCHAR(64) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
  digest BINARY(32) NOT NULL, -- of its contents
  object VARCHAR(32) CHARACTER SET ascii COLLATE ascii_bin NOT NULL, -- what it made, as in audit_events
  object_id VARCHAR(64) NOT NULL,
  number VARCHAR(32) CHARACTER SET ascii COLLATE ascii_bin NOT NULL, -- of the request that made it: the session of its audit events
  at_us BIGINT NOT NULL,
  PRIMARY KEY (client_id, idem_key)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;
