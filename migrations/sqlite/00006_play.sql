-- Games, the sessions that staff open, and free spins.
-- +goose Up

-- The platform's games. A game that the platform removes is kept, because other rows refer to it.
CREATE TABLE games (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  game_id TEXT NOT NULL, -- the platform's ID
  name TEXT NOT NULL,
  type TEXT NOT NULL,
  provider TEXT NOT NULL,
  thumbnail TEXT NOT NULL,
  former_name TEXT NOT NULL,
  search TEXT NOT NULL, -- name, ID and provider, case-folded; lists are in this order
  added_at_us INTEGER NOT NULL,
  seen_at_us INTEGER NOT NULL,
  gone_at_us INTEGER NOT NULL, -- when it first was missing from the list; 0 while it is offered
  added_sync INTEGER NOT NULL DEFAULT 0, -- the synchronization that first offered it
  UNIQUE (game_id)
) STRICT;
CREATE INDEX games_search ON games (search);
CREATE INDEX games_provider ON games (provider);
CREATE INDEX games_type ON games (type);

-- Each synchronization of the games, including failed ones.
CREATE TABLE game_syncs (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  at_us INTEGER NOT NULL,
  actor TEXT NOT NULL,
  latency_us INTEGER NOT NULL,
  offered INTEGER NOT NULL,
  unusable INTEGER NOT NULL, -- entries without a usable ID, or with a duplicate ID
  added INTEGER NOT NULL,
  renamed INTEGER NOT NULL,
  changed INTEGER NOT NULL,
  gone INTEGER NOT NULL,
  returned INTEGER NOT NULL,
  error TEXT NOT NULL
) STRICT;
CREATE INDEX game_syncs_at ON game_syncs (at_us);

-- When each game was available: one row each time it appeared, disappeared, returned or was renamed. Append-only.
CREATE TABLE game_changes (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  at_us INTEGER NOT NULL,
  sync_id INTEGER NOT NULL,
  game INTEGER NOT NULL,
  kind INTEGER NOT NULL, -- models.GameChangeKind
  name TEXT NOT NULL,
  former_name TEXT NOT NULL
) STRICT;
CREATE INDEX game_changes_at ON game_changes (at_us);
CREATE INDEX game_changes_game ON game_changes (game, at_us);
CREATE INDEX game_changes_kind ON game_changes (kind, at_us);

-- Games opened by staff or API clients with a player's wallet. The address is kept without the parts that would open the game.
CREATE TABLE game_sessions (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  at_us INTEGER NOT NULL,
  actor TEXT NOT NULL,
  player_id INTEGER NOT NULL,
  game_id INTEGER NOT NULL,
  language TEXT NOT NULL,
  currency TEXT NOT NULL,
  reason TEXT NOT NULL,
  state INTEGER NOT NULL, -- models.GameSessionState
  failure TEXT NOT NULL,
  latency_us INTEGER NOT NULL,
  game_url TEXT NOT NULL, -- redacted
  -- random: the form's tab finds the session by it; it reveals nothing about the game's address
  launch TEXT NOT NULL DEFAULT '',
  answer_raw TEXT NOT NULL -- the platform's answer if it failed, truncated
) STRICT;
CREATE INDEX game_sessions_at ON game_sessions (at_us);
CREATE INDEX game_sessions_player ON game_sessions (player_id, at_us);
CREATE INDEX game_sessions_game ON game_sessions (game_id, at_us);
CREATE INDEX game_sessions_actor ON game_sessions (actor, at_us);
CREATE INDEX game_sessions_state ON game_sessions (state, at_us);
CREATE INDEX game_sessions_launch ON game_sessions (launch);

-- Free spins for one player on one game, from the moment they are requested. A line of an import gets at most one grant.
CREATE TABLE grants (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  at_us INTEGER NOT NULL,
  actor TEXT NOT NULL,
  role TEXT NOT NULL, -- of whoever requested it
  player_id INTEGER NOT NULL,
  game_id INTEGER NOT NULL,
  spins INTEGER NOT NULL,
  reason TEXT NOT NULL,
  again INTEGER NOT NULL, -- requested although an earlier outcome was unknown
  campaign_id INTEGER,
  campaign_line INTEGER,
  state INTEGER NOT NULL, -- models.GrantState
  free_spin_id TEXT, -- the platform's; NULL while it is unknown
  result INTEGER NOT NULL, -- the platform's, or -1
  message TEXT NOT NULL,
  latency_us INTEGER NOT NULL,
  answer_raw TEXT NOT NULL, -- the platform's answer, truncated
  sent_at_us INTEGER NOT NULL,
  answered_at_us INTEGER NOT NULL,
  finished_at_us INTEGER NOT NULL,
  resolution INTEGER NOT NULL, -- models.Resolution
  resolved_by TEXT NOT NULL,
  resolved_at_us INTEGER NOT NULL,
  resolution_note TEXT NOT NULL,
  used INTEGER NOT NULL, -- according to the platform's last answer, or -1
  remaining INTEGER NOT NULL, -- according to the platform's last answer, or -1
  observed_at_us INTEGER NOT NULL,
  next_poll_at_us INTEGER NOT NULL,
  polls INTEGER NOT NULL, -- answered queries; each doubles the wait for the next
  poll_error TEXT NOT NULL,
  ours INTEGER NOT NULL, -- spins in our ledger attributed to this grant
  apart INTEGER NOT NULL, -- consecutive answers in which used and ours differed
  compared_at_us INTEGER NOT NULL DEFAULT 0, -- when used and ours were last compared; 0: not yet
  disowned_at_us INTEGER NOT NULL DEFAULT 0, -- since when the platform no longer knows it; 0 while it does
  UNIQUE (free_spin_id),
  UNIQUE (campaign_id, campaign_line)
) STRICT;
CREATE INDEX grants_at ON grants (at_us);
CREATE INDEX grants_player ON grants (player_id, at_us);
CREATE INDEX grants_game ON grants (game_id, at_us);
CREATE INDEX grants_state ON grants (state, at_us);
-- what somebody granted, newest first
CREATE INDEX grants_list_actor ON grants (actor, at_us);
CREATE INDEX grants_list_campaign ON grants (campaign_id, at_us);
CREATE INDEX grants_next_poll ON grants (next_poll_at_us);
-- Grants whose counts differ become cases.
CREATE INDEX grants_apart ON grants (apart);
-- What somebody granted on a day is summed from this index alone.
CREATE INDEX grants_actor ON grants (actor, at_us, state, spins);
-- Limits for all staff are summed from this index alone.
CREATE INDEX grants_limits ON grants (at_us, state, spins, player_id);
-- Grants that the platform no longer knows become cases.
CREATE INDEX grants_disowned ON grants (disowned_at_us);

-- Each answer of the platform about a grant.
CREATE TABLE grant_observations (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  grant_id INTEGER NOT NULL,
  at_us INTEGER NOT NULL,
  result INTEGER NOT NULL,
  status TEXT NOT NULL,
  total INTEGER NOT NULL,
  used INTEGER NOT NULL,
  remaining INTEGER NOT NULL,
  ours INTEGER NOT NULL,
  answer_raw TEXT NOT NULL
) STRICT;
CREATE INDEX grant_observations_grant ON grant_observations (grant_id, at_us);

-- Grants to many players.
CREATE TABLE campaigns (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  at_us INTEGER NOT NULL,
  actor TEXT NOT NULL,
  role TEXT NOT NULL,
  file_name TEXT NOT NULL,
  digest TEXT NOT NULL, -- SHA-256 of the lines, so that they are not granted twice by mistake
  name TEXT NOT NULL, -- also the reason of its grants
  starts_at_us INTEGER NOT NULL, -- nothing is granted before; 0 for at once
  ends_at_us INTEGER NOT NULL, -- nothing is granted from then on; 0 for no end
  budget_spins INTEGER NOT NULL, -- 0 for no budget
  budget_cost TEXT NOT NULL, -- by currency, as JSON
  stopped_for TEXT NOT NULL, -- why it was stopped before all lines had an outcome
  again INTEGER NOT NULL,
  job_state INTEGER NOT NULL,
  row_count INTEGER NOT NULL,
  spins INTEGER NOT NULL,
  exceeded TEXT NOT NULL DEFAULT '', -- the limits that were exceeded when it was requested, in words
  expires_at_us INTEGER NOT NULL DEFAULT 0,
  -- Who requested and approved a campaign beyond the limits.
  maker_id INTEGER NOT NULL DEFAULT 0,
  maker TEXT NOT NULL DEFAULT '',
  maker_role TEXT NOT NULL DEFAULT '',
  state INTEGER NOT NULL DEFAULT 0, -- models.ApprovalState; 0 for a campaign within the limits
  checker_id INTEGER NOT NULL DEFAULT 0,
  checker TEXT NOT NULL DEFAULT '',
  checker_role TEXT NOT NULL DEFAULT '',
  decided_at_us INTEGER NOT NULL DEFAULT 0,
  decision_note TEXT NOT NULL DEFAULT '', -- why it was refused
  finished_at_us INTEGER NOT NULL
) STRICT;
CREATE INDEX campaigns_at ON campaigns (at_us);
CREATE INDEX campaigns_digest ON campaigns (digest);
CREATE INDEX campaigns_job_state ON campaigns (job_state, at_us);
CREATE INDEX campaigns_state ON campaigns (state, maker_id);
CREATE INDEX campaigns_maker ON campaigns (maker_id, at_us);

-- The players of a campaign. A line with neither a grant nor a refusal is still to do.
CREATE TABLE campaign_lines (
  campaign_id INTEGER NOT NULL,
  line INTEGER NOT NULL,
  player_id INTEGER NOT NULL,
  game_id INTEGER NOT NULL,
  spins INTEGER NOT NULL,
  mac BLOB NOT NULL DEFAULT x'', -- keyed hash of what was uploaded, so that a line that nobody uploaded grants nothing
  grant_id INTEGER NOT NULL,
  refused_at_us INTEGER NOT NULL, -- 0 while the line is not refused
  message TEXT NOT NULL,
  PRIMARY KEY (campaign_id, line)
) STRICT, WITHOUT ROWID;
CREATE INDEX campaign_lines_player ON campaign_lines (campaign_id, player_id);
-- The lines still to do.
CREATE INDEX campaign_lines_to_go ON campaign_lines (campaign_id, grant_id, refused_at_us, line);

-- Which grant a row of spin_entries most likely belongs to. This is inferred, is not part of the ledger, and can be
-- recalculated.
CREATE TABLE spin_attributions (
  player_id INTEGER NOT NULL,
  seq INTEGER NOT NULL,
  grant_id INTEGER NOT NULL,
  rule INTEGER NOT NULL, -- how it was inferred
  PRIMARY KEY (player_id, seq)
) STRICT, WITHOUT ROWID;
CREATE INDEX spin_attributions_grant ON spin_attributions (grant_id);
