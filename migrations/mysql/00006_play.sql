-- Games, the sessions that staff open, and free spins.
-- +goose Up

-- The platform's games. A game that the platform removes is kept, because other rows refer to it.
CREATE TABLE IF NOT EXISTS games (
  id BIGINT NOT NULL AUTO_INCREMENT PRIMARY KEY,
  game_id VARBINARY(255) NOT NULL, -- the platform's ID
  name VARCHAR(255) NOT NULL,
  type VARCHAR(255) NOT NULL,
  provider VARCHAR(255) NOT NULL,
  thumbnail VARCHAR(1024) NOT NULL,
  former_name VARCHAR(255) NOT NULL,
  search VARBINARY(2400) NOT NULL, -- name, ID and provider, case-folded; lists are in this order
  added_at_us BIGINT NOT NULL,
  seen_at_us BIGINT NOT NULL,
  gone_at_us BIGINT NOT NULL, -- when it first was missing from the list; 0 while it is offered
  added_sync BIGINT NOT NULL DEFAULT 0, -- the synchronization that first offered it
  UNIQUE KEY games_game_id (game_id),
  KEY games_search (search),
  KEY games_provider (provider),
  KEY games_type (type)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;

-- Each synchronization of the games, including failed ones.
CREATE TABLE IF NOT EXISTS game_syncs (
  id BIGINT NOT NULL AUTO_INCREMENT PRIMARY KEY,
  at_us BIGINT NOT NULL,
  actor VARCHAR(255) NOT NULL,
  latency_us BIGINT NOT NULL,
  offered BIGINT NOT NULL,
  unusable BIGINT NOT NULL, -- entries without a usable ID, or with a duplicate ID
  added BIGINT NOT NULL,
  renamed BIGINT NOT NULL,
  changed BIGINT NOT NULL,
  gone BIGINT NOT NULL,
  returned BIGINT NOT NULL,
  error TEXT NOT NULL,
  KEY game_syncs_at (at_us)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;

-- When each game was available: one row each time it appeared, disappeared, returned or was renamed. Append-only.
CREATE TABLE IF NOT EXISTS game_changes (
  id BIGINT NOT NULL AUTO_INCREMENT PRIMARY KEY,
  at_us BIGINT NOT NULL,
  sync_id BIGINT NOT NULL,
  game BIGINT NOT NULL,
  kind TINYINT NOT NULL, -- models.GameChangeKind
  name VARCHAR(255) NOT NULL,
  former_name VARCHAR(255) NOT NULL,
  KEY game_changes_at (at_us),
  KEY game_changes_game (game, at_us),
  KEY game_changes_kind (kind, at_us)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;

-- Games opened by staff or API clients with a player's wallet. The address is kept without the parts that would open the game.
CREATE TABLE IF NOT EXISTS game_sessions (
  id BIGINT NOT NULL AUTO_INCREMENT PRIMARY KEY,
  at_us BIGINT NOT NULL,
  actor VARCHAR(255) NOT NULL,
  player_id BIGINT NOT NULL,
  game_id BIGINT NOT NULL,
  language VARCHAR(8) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
  currency VARBINARY(8) NOT NULL,
  reason TEXT NOT NULL,
  state TINYINT NOT NULL, -- models.GameSessionState
  failure TEXT NOT NULL,
  latency_us BIGINT NOT NULL,
  game_url TEXT NOT NULL, -- redacted
  -- random: the form's tab finds the session by it; it reveals nothing about the game's address
  launch VARCHAR(32) CHARACTER SET ascii COLLATE ascii_bin NOT NULL DEFAULT '',
  answer_raw TEXT NOT NULL, -- the platform's answer if it failed, truncated
  KEY game_sessions_at (at_us),
  KEY game_sessions_player (player_id, at_us),
  KEY game_sessions_game (game_id, at_us),
  KEY game_sessions_actor (actor, at_us),
  KEY game_sessions_state (state, at_us),
  KEY game_sessions_launch (launch)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;

-- Free spins for one player on one game, from the moment they are requested. A line of an import gets at most one grant.
CREATE TABLE IF NOT EXISTS grants (
  id BIGINT NOT NULL AUTO_INCREMENT PRIMARY KEY,
  at_us BIGINT NOT NULL,
  actor VARCHAR(255) NOT NULL,
  role VARCHAR(16) CHARACTER SET ascii COLLATE ascii_bin NOT NULL, -- of whoever requested it
  player_id BIGINT NOT NULL,
  game_id BIGINT NOT NULL,
  spins BIGINT NOT NULL,
  reason TEXT NOT NULL,
  again TINYINT NOT NULL, -- requested although an earlier outcome was unknown
  campaign_id BIGINT,
  campaign_line BIGINT,
  state TINYINT NOT NULL, -- models.GrantState
  free_spin_id VARBINARY(255), -- the platform's; NULL while it is unknown
  result BIGINT NOT NULL, -- the platform's, or -1
  message TEXT NOT NULL,
  latency_us BIGINT NOT NULL,
  answer_raw TEXT NOT NULL, -- the platform's answer, truncated
  sent_at_us BIGINT NOT NULL,
  answered_at_us BIGINT NOT NULL,
  finished_at_us BIGINT NOT NULL,
  resolution TINYINT NOT NULL, -- models.Resolution
  resolved_by VARCHAR(255) NOT NULL,
  resolved_at_us BIGINT NOT NULL,
  resolution_note TEXT NOT NULL,
  used BIGINT NOT NULL, -- according to the platform's last answer, or -1
  remaining BIGINT NOT NULL, -- according to the platform's last answer, or -1
  observed_at_us BIGINT NOT NULL,
  next_poll_at_us BIGINT NOT NULL,
  polls BIGINT NOT NULL, -- answered queries; each doubles the wait for the next
  poll_error TEXT NOT NULL,
  ours BIGINT NOT NULL, -- spins in our ledger attributed to this grant
  apart BIGINT NOT NULL, -- consecutive answers in which used and ours differed
  compared_at_us BIGINT NOT NULL DEFAULT 0, -- when used and ours were last compared; 0: not yet
  disowned_at_us BIGINT NOT NULL DEFAULT 0, -- since when the platform no longer knows it; 0 while it does
  UNIQUE KEY grants_free_spin_id (free_spin_id),
  UNIQUE KEY grants_import (campaign_id, campaign_line),
  KEY grants_at (at_us),
  KEY grants_player (player_id, at_us),
  KEY grants_game (game_id, at_us),
  KEY grants_state (state, at_us),
  KEY grants_list_actor (actor, at_us), -- what somebody granted, newest first
  KEY grants_list_campaign (campaign_id, at_us),
  KEY grants_next_poll (next_poll_at_us),
  KEY grants_apart (apart), -- grants whose counts differ become cases
  KEY grants_limits (at_us, state, spins, player_id), -- limits for all staff are summed from this index alone
  KEY grants_actor (actor, at_us, state, spins), -- what somebody granted on a day is summed from this index alone
  KEY grants_disowned (disowned_at_us) -- grants that the platform no longer knows become cases
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;

-- Each answer of the platform about a grant.
CREATE TABLE IF NOT EXISTS grant_observations (
  id BIGINT NOT NULL AUTO_INCREMENT PRIMARY KEY,
  grant_id BIGINT NOT NULL,
  at_us BIGINT NOT NULL,
  result BIGINT NOT NULL,
  status VARCHAR(255) NOT NULL,
  total BIGINT NOT NULL,
  used BIGINT NOT NULL,
  remaining BIGINT NOT NULL,
  ours BIGINT NOT NULL,
  answer_raw TEXT NOT NULL,
  KEY grant_observations_grant (grant_id, at_us)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;

-- Grants to many players.
CREATE TABLE IF NOT EXISTS campaigns (
  id BIGINT NOT NULL AUTO_INCREMENT PRIMARY KEY,
  at_us BIGINT NOT NULL,
  actor VARCHAR(255) NOT NULL,
  role VARCHAR(16) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
  file_name VARCHAR(255) NOT NULL,
  -- SHA-256 of the lines, so that they are not granted twice by mistake
  digest VARCHAR(64) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
  name TEXT NOT NULL, -- also the reason of its grants
  starts_at_us BIGINT NOT NULL, -- nothing is granted before; 0 for at once
  ends_at_us BIGINT NOT NULL, -- nothing is granted from then on; 0 for no end
  budget_spins BIGINT NOT NULL, -- 0 for no budget
  budget_cost TEXT NOT NULL, -- by currency, as JSON
  stopped_for TEXT NOT NULL, -- why it was stopped before all lines had an outcome
  again TINYINT NOT NULL,
  job_state TINYINT NOT NULL,
  row_count BIGINT NOT NULL,
  spins BIGINT NOT NULL,
  exceeded TEXT NOT NULL DEFAULT (''), -- the limits that were exceeded when it was requested, in words
  expires_at_us BIGINT NOT NULL DEFAULT 0,
  -- Who requested and approved a campaign beyond the limits.
  maker_id BIGINT NOT NULL DEFAULT 0,
  maker VARCHAR(255) NOT NULL DEFAULT '',
  maker_role VARCHAR(16) CHARACTER SET ascii COLLATE ascii_bin NOT NULL DEFAULT '',
  state TINYINT NOT NULL DEFAULT 0, -- models.ApprovalState; 0 for a campaign within the limits
  checker_id BIGINT NOT NULL DEFAULT 0,
  checker VARCHAR(255) NOT NULL DEFAULT '',
  checker_role VARCHAR(16) CHARACTER SET ascii COLLATE ascii_bin NOT NULL DEFAULT '',
  decided_at_us BIGINT NOT NULL DEFAULT 0,
  decision_note TEXT NOT NULL DEFAULT (''), -- why it was refused
  finished_at_us BIGINT NOT NULL,
  KEY campaigns_at (at_us),
  KEY campaigns_digest (digest),
  KEY campaigns_job_state (job_state, at_us),
  KEY campaigns_state (state, maker_id),
  KEY campaigns_maker (maker_id, at_us)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;

-- The players of a campaign. A line with neither a grant nor a refusal is still to do.
CREATE TABLE IF NOT EXISTS campaign_lines (
  campaign_id BIGINT NOT NULL,
  line BIGINT NOT NULL,
  player_id BIGINT NOT NULL,
  game_id BIGINT NOT NULL,
  spins BIGINT NOT NULL,
  mac BINARY(32) NOT NULL DEFAULT '', -- keyed hash of what was uploaded, so that a line that nobody uploaded grants nothing
  grant_id BIGINT NOT NULL,
  refused_at_us BIGINT NOT NULL, -- 0 while the line is not refused
  message TEXT NOT NULL,
  PRIMARY KEY (campaign_id, line),
  KEY campaign_lines_player (campaign_id, player_id),
  KEY campaign_lines_to_go (campaign_id, grant_id, refused_at_us, line) -- the lines still to do
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;

-- Which grant a row of spin_entries most likely belongs to. This is inferred, is not part of the ledger, and can be
-- recalculated.
CREATE TABLE IF NOT EXISTS spin_attributions (
  player_id BIGINT NOT NULL,
  seq BIGINT NOT NULL,
  grant_id BIGINT NOT NULL,
  rule TINYINT NOT NULL, -- how it was inferred
  PRIMARY KEY (player_id, seq),
  KEY spin_attributions_grant (grant_id)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;
