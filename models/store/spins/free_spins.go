package spins

import (
	"context"
	"fmt"
	"slices"
	"time"

	"gorm.io/gorm"

	"pitboss/models"
	"pitboss/models/store/db"
	"pitboss/models/store/players"
)

// What the platform says about grants.

// GrantsToPoll lists, for at most limit players, all the grants about which the platform is to be asked: every grant of a
// player who has one that is due, since only all of them together can be compared with the spins.
func (s *Store) GrantsToPoll(ctx context.Context, limit int) (byPlayer [][]models.Grant, err error) {
	read := s.db.Read.WithContext(ctx)
	var players []int64
	err = read.Raw("SELECT player_id FROM grants WHERE next_poll_at_us > 0 AND next_poll_at_us <= ? GROUP BY player_id "+
		"ORDER BY MIN(next_poll_at_us) LIMIT ?",
		db.Micros(s.db.Now()), limit).Scan(&players).Error
	if err != nil {
		return nil, fmt.Errorf("list grants to ask about: %w", err)
	}
	for _, player := range players {
		grants, err := s.PolledGrants(ctx, player)
		if err != nil {
			return nil, err
		}
		byPlayer = append(byPlayer, grants)
	}
	return byPlayer, nil
}

// PolledGrants lists a player's grants about which the platform is still asked, the oldest first.
func (s *Store) PolledGrants(ctx context.Context, playerID int64) ([]models.Grant, error) {
	var list []models.Grant
	if err := SelectGrants(s.db.Read.WithContext(ctx)).Where("t.player_id = ? AND t.next_poll_at_us > 0", playerID).
		Order("t.at_us, t.id").Scan(&list).Error; err != nil {
		return nil, fmt.Errorf("list grants to ask about: %w", err)
	}
	return list, nil
}

// NotePollError records that the platform gave no answer about a grant, and when it is asked again.
func (s *Store) NotePollError(ctx context.Context, grantID int64, reason string, again time.Time) error {
	err := s.db.Change(ctx, func(tx *gorm.DB) error {
		return tx.Exec("UPDATE grants SET poll_error = ?, next_poll_at_us = CASE WHEN next_poll_at_us > 0 THEN ? ELSE 0 END "+
			"WHERE id = ?", reason, db.Micros(again), grantID).Error
	})
	if err != nil {
		return fmt.Errorf("note a question without answer: %w", err)
	}
	return nil
}

// ObserveGrants records what the platform said about grants of one player, and moves them to the states that follow: active to
// completed or expired, completed back to active where a spin was given back, expired nowhere. With compare the observations
// are of all the player's polled grants, so that the platform's count is compared with ours.
func (s *Store) ObserveGrants(ctx context.Context, playerID int64, seen []models.Observation, compare bool) error {
	err := s.db.Change(ctx, func(tx *gorm.DB) error {
		if err := s.LockWallet(tx, playerID); err != nil {
			return err
		}
		if err := s.attribute(tx, playerID, false); err != nil {
			return err
		}
		now := s.db.Now()
		rows := make([]models.Grant, len(seen))
		for i, o := range seen {
			var err error
			if rows[i], err = s.lockGrant(tx, o.GrantID); err != nil {
				return err
			}
			if err := s.observe(tx, &rows[i], o, now); err != nil {
				return err
			}
		}
		differ, err := false, error(nil)
		if compare {
			if differ, err = countsDiffer(tx, playerID, now); err != nil {
				return err
			}
		}
		for i := range rows {
			r := &rows[i]
			if compare {
				if r.Apart++; !differ {
					r.Apart = 0
				}
				if r.Used != models.NoCount {
					r.ComparedAt = now
				}
			}
			switch {
			case r.State == models.GrantActive && !r.NextPollAt.After(now):
				r.NextPollAt = now.Add(models.PollAfter(r.Polls))
			// a person asked before the next question was due, which leaves the schedule as it was
			case r.State == models.GrantActive:
			// only two polls make a disagreement: a grant that has ended with its counts apart is asked about once more
			case r.Apart == 1:
				r.NextPollAt = now.Add(models.PollAfter(0))
			default:
				r.NextPollAt = time.Time{}
			}
			if err := tx.Save(r).Error; err != nil {
				return fmt.Errorf("write grant: %w", err)
			}
		}
		return nil
	})
	if err != nil {
		return fmt.Errorf("record what the platform said of grants: %w", err)
	}
	return nil
}

func (s *Store) observe(tx *gorm.DB, row *models.Grant, o models.Observation, now time.Time) error {
	kept := o
	kept.ID, kept.At, kept.Ours = 0, now, row.Ours
	if err := tx.Create(&kept).Error; err != nil {
		return fmt.Errorf("write observation: %w", err)
	}
	if !row.NextPollAt.After(now) {
		row.Polls++
	}
	row.PollError = ""
	before := row.State
	if o.Status == "" {
		row.PollError = fmt.Sprintf("the platform refused to tell, with result %d", o.Result)
		if o.Result == models.ResultUnknownGrant && row.DisownedAt.IsZero() {
			row.DisownedAt = now
		}
		return tx.Save(row).Error
	}
	row.DisownedAt = time.Time{}
	row.Used, row.Remaining, row.ObservedAt = o.Used, o.Remaining, now
	state := before
	switch {
	case o.Status == models.StatusActive && before == models.GrantCompleted:
		state = models.GrantActive
	case o.Status == models.StatusCompleted && before == models.GrantActive:
		state = models.GrantCompleted
	case o.Status == models.StatusExpired && before == models.GrantActive:
		state = models.GrantExpired
	}
	if state != before {
		row.State, row.FinishedAt = state, now
		if state == models.GrantActive {
			row.FinishedAt = time.Time{}
		}
	}
	if err := tx.Save(row).Error; err != nil || state == before {
		return err
	}
	return s.recordGrant(tx, models.System, row.ID, "grant "+state.String(), before.String(), map[string]any{
		"state": state.String(), "used": o.Used, "remaining": o.Remaining,
	}, "")
}

// countsDiffer compares the player's grants that are open, or ended lately, as a sum.
func countsDiffer(tx *gorm.DB, playerID int64, now time.Time) (bool, error) {
	var sums struct{ Used, Ours, OursOfUnknown int64 }
	err := tx.Raw(`SELECT COALESCE(SUM(CASE WHEN state <> ? AND used >= 0 THEN used ELSE 0 END), 0) AS used,
		COALESCE(SUM(CASE WHEN state <> ? AND used >= 0 THEN ours ELSE 0 END), 0) AS ours,
		COALESCE(SUM(CASE WHEN state = ? THEN ours ELSE 0 END), 0) AS ours_of_unknown
		FROM grants WHERE player_id = ? AND state IN (?, ?, ?, ?) AND (finished_at_us = 0 OR finished_at_us >= ?)`,
		models.GrantUnknown, models.GrantUnknown, models.GrantUnknown, playerID,
		models.GrantActive, models.GrantCompleted, models.GrantExpired, models.GrantUnknown,
		db.Micros(now.Add(-models.GrantLingers))).Scan(&sums).Error
	if err != nil {
		return false, fmt.Errorf("sum up spins: %w", err)
	}
	return models.CountsDiffer(sums.Used, sums.Ours, sums.OursOfUnknown), nil
}

// Observations lists what the platform said about a grant, the newest first.
func (s *Store) Observations(ctx context.Context, grantID int64, page models.Cursor,
	limit int) ([]models.Observation, bool, error) {
	var rows []models.Observation
	q := s.db.Along(s.db.Read.WithContext(ctx), "grant_observations", "grant_observations_grant").Where("grant_id = ?", grantID)
	if err := db.Keyset(q, "at_us", "id", page, limit).Find(&rows).Error; err != nil {
		return nil, false, fmt.Errorf("list observations: %w", err)
	}
	list, more := db.InOrder(rows, page, limit)
	return list, more, nil
}

// Which grant each free spin belongs to: inferred by models.Attributor, apart from the ledger.

const spinColumns = "e.player_id, e.seq, e.kind, e.transaction_id, e.round_id, e.spins, e.stake_minor, e.grant_known, e.at_us"

// AttributeSpins attributes the free spins of a player that are not attributed yet, or, from scratch, all of them.
func (s *Store) AttributeSpins(ctx context.Context, playerID int64, fromScratch bool) error {
	err := s.db.Change(ctx, func(tx *gorm.DB) error {
		if err := s.LockWallet(tx, playerID); err != nil {
			return err
		}
		return s.attribute(tx, playerID, fromScratch)
	})
	if err != nil {
		return fmt.Errorf("attribute free spins: %w", err)
	}
	return nil
}

// maxLaunches is how many of a player's latest game sessions are looked at.
const maxLaunches = 1000

// attribute runs under the player's lock, by which it knows that no line can appear before the last one it has seen.
func (s *Store) attribute(tx *gorm.DB, playerID int64, fromScratch bool) error {
	if fromScratch {
		if err := tx.Exec("DELETE FROM spin_attributions WHERE player_id = ?", playerID).Error; err != nil {
			return fmt.Errorf("forget attributions: %w", err)
		}
		if err := tx.Exec("UPDATE grants SET ours = 0 WHERE player_id = ?", playerID).Error; err != nil {
			return fmt.Errorf("forget attributions: %w", err)
		}
	}
	var lines []models.SpinEntry
	err := tx.Raw("SELECT "+spinColumns+
		" FROM spin_entries e WHERE e.player_id = ? AND e.seq > (SELECT COALESCE(MAX(a.seq), 0) FROM spin_attributions a "+
		"WHERE a.player_id = ?) ORDER BY e.seq",
		playerID, playerID).Scan(&lines).Error
	if err != nil {
		return fmt.Errorf("read free spins: %w", err)
	}
	if len(lines) == 0 {
		return nil
	}
	a, err := s.attributor(tx, playerID, lines)
	if err != nil {
		return err
	}
	before := slices.Clone(a.Grants)
	rows := make([]models.Attribution, len(lines))
	for i, l := range lines {
		rows[i] = a.Attribute(l)
	}
	if err := tx.CreateInBatches(rows, players.ImportChunk).Error; err != nil {
		return fmt.Errorf("write attributions: %w", err)
	}
	for i, g := range a.Grants {
		if g.Ours != before[i].Ours {
			if err := tx.Exec("UPDATE grants SET ours = ? WHERE id = ?", g.Ours, g.ID).Error; err != nil {
				return fmt.Errorf("write spins of grant: %w", err)
			}
		}
	}
	return nil
}

// attributor loads what the lines are attributed by.
func (s *Store) attributor(tx *gorm.DB, playerID int64, lines []models.SpinEntry) (*models.Attributor, error) {
	a := &models.Attributor{Originals: map[models.TransactionID]int64{}}
	if err := s.db.Locking(tx).Where("player_id = ? AND state <> ?", playerID, models.GrantRefused).Order("at_us, id").
		Find(&a.Grants).Error; err != nil {
		return nil, fmt.Errorf("read grants: %w", err)
	}
	var sessions []models.GameSession
	err := tx.Where("player_id = ? AND state = ?", playerID, models.GameSessionOpened).Order("at_us DESC").Limit(maxLaunches).
		Find(&sessions).Error
	if err != nil {
		return nil, fmt.Errorf("read game sessions: %w", err)
	}
	for _, r := range sessions {
		a.Launches = append(a.Launches, models.Launch{At: r.At, GameID: r.Game.ID})
	}
	var reversed []models.TransactionID
	for _, l := range lines {
		if l.Kind == models.EntrySpinReversed {
			reversed = append(reversed, l.TransactionID)
		}
	}
	for chunk := range slices.Chunk(reversed, players.ImportChunk) {
		var originals []struct {
			TransactionID string
			GrantID       int64
		}
		err := tx.Raw(`SELECT e.transaction_id, a.grant_id FROM spin_entries e
			JOIN spin_attributions a ON a.player_id = e.player_id AND a.seq = e.seq
			WHERE e.player_id = ? AND e.kind = ? AND e.transaction_id IN ?`, playerID, models.EntrySpin, chunk).
			Scan(&originals).Error
		if err != nil {
			return nil, fmt.Errorf("read spins that were rolled back: %w", err)
		}
		for _, o := range originals {
			a.Originals[models.TransactionID(o.TransactionID)] = o.GrantID
		}
	}
	return a, nil
}

const (
	spinFollower   = db.Follower("free spins")
	followerWindow = 2 * time.Minute // within which a line may be committed after another that is younger
)

// FollowSpins attributes what was added to the free-spin ledger since it was last called, on whatever instance, and returns how
// many players that concerned.
func (s *Store) FollowSpins(ctx context.Context) (players int, err error) {
	if err := s.db.ReadClock(ctx); err != nil {
		return 0, err
	}
	position, err := spinFollower.Position(s.db.Read.WithContext(ctx))
	if err != nil {
		return 0, fmt.Errorf("follow free spins: %w", err)
	}
	now := s.db.Now()
	var ids []int64
	err = s.db.Read.WithContext(ctx).
		Raw(`SELECT DISTINCT e.player_id FROM spin_entries e LEFT JOIN spin_attributions a ON a.player_id = e.player_id
			AND a.seq = e.seq
		WHERE e.at_us >= ? AND a.player_id IS NULL ORDER BY e.player_id`, position-followerWindow.Microseconds()).Scan(&ids).
		Error
	if err != nil {
		return 0, fmt.Errorf("follow free spins: %w", err)
	}
	for _, id := range ids {
		if err := s.AttributeSpins(ctx, id, false); err != nil {
			return 0, err
		}
	}
	err = s.db.Change(ctx, func(tx *gorm.DB) error {
		if at, err := spinFollower.Lock(s.db, tx); err != nil || at >= db.Micros(now) {
			return err
		}
		return spinFollower.Move(tx, db.Micros(now))
	})
	if err != nil {
		return 0, fmt.Errorf("follow free spins: %w", err)
	}
	return len(ids), nil
}

// AttributedSpins lists the lines of the free-spin ledger that are attributed to a grant, the newest first.
func (s *Store) AttributedSpins(ctx context.Context, grantID int64, limit int) ([]models.AttributedSpin, error) {
	var list []models.AttributedSpin
	err := s.db.Read.WithContext(ctx).Raw("SELECT "+spinColumns+`, a.grant_id, a.rule FROM spin_attributions a
		JOIN spin_entries e ON e.player_id = a.player_id AND e.seq = a.seq WHERE a.grant_id = ? ORDER BY e.seq DESC LIMIT ?`,
		grantID, limit).Scan(&list).Error
	if err != nil {
		return nil, fmt.Errorf("list free spins of a grant: %w", err)
	}
	return list, nil
}

// spinWins are the wins of free spins: wins that stand and paid something, in rounds whose only stake that stands was a free
// spin. Each line names the grant that the round's spins are attributed to.
//
// It goes from the grants' rounds to their transactions: left to itself, SQLite reads every win there is, and for each of them
// every bet.
func (s *Store) spinWins() string {
	byRound := db.Path{Index: "postings_round"}.Hint(s.db.Dialect)
	return `FROM (SELECT DISTINCT a.grant_id, e.player_id, e.round_id FROM spin_attributions a
		JOIN spin_entries e ON e.player_id = a.player_id AND e.seq = a.seq
		LEFT JOIN postings b ON b.source = ? AND b.transaction_id = e.transaction_id AND b.claim = 2
		WHERE a.grant_id IN ? AND e.kind = ? AND b.id IS NULL) r
	CROSS JOIN postings w` + byRound + ` ON w.round_id = r.round_id AND w.player_id = r.player_id
	LEFT JOIN postings v ON v.source = w.source AND v.transaction_id = w.transaction_id AND v.claim = 2
	WHERE w.kind = ? AND w.claim = 1 AND w.win_minor > 0 AND v.id IS NULL
	AND (SELECT COALESCE(SUM(3 - 2 * m.claim), 0) FROM postings m` +
		byRound + `
		WHERE m.round_id = w.round_id AND m.player_id = w.player_id AND m.free_spin = 0 AND m.kind IN (?, ?)) = 0`
}

func spinWinsArgs(grants []int64) []any {
	return []any{
		models.SourcePlatform, grants, models.EntrySpin, models.Win, models.Bet, models.BetWin,
	}
}

// SpinWins sums up what the free spins of a grant have won: wins that stand, in rounds whose only stake that stands was a free
// spin.
func (s *Store) SpinWins(ctx context.Context, grantID int64) (models.SpinWins, error) {
	sums, err := s.SpinWinsOf(ctx, []int64{grantID})
	return sums[grantID], err
}

// SpinWinsOf sums up what the free spins of each grant have won, as SpinWins does. Grants without any are left out.
func (s *Store) SpinWinsOf(ctx context.Context, grants []int64) (map[int64]models.SpinWins, error) {
	sums := map[int64]models.SpinWins{}
	if len(grants) == 0 {
		return sums, nil
	}
	var rows []struct {
		GrantID, Rounds int64
		Won, Stake      models.Sum
	}
	read := s.db.Read.WithContext(ctx)
	err := read.Raw("SELECT a.grant_id, "+s.db.Dialect.Sum("e.stake_minor")+
		" AS stake FROM spin_attributions a JOIN spin_entries e ON e.player_id = a.player_id AND e.seq = a.seq "+
		"WHERE a.grant_id IN ? GROUP BY a.grant_id",
		grants).Scan(&rows).Error
	for _, r := range rows {
		sums[r.GrantID] = models.SpinWins{Stake: r.Stake}
	}
	if err == nil {
		rows = nil
		err = read.Raw("SELECT r.grant_id, COUNT(DISTINCT w.round_id) AS rounds, "+s.db.Dialect.Sum("w.win_minor")+" AS won "+
			s.spinWins()+" GROUP BY r.grant_id", spinWinsArgs(grants)...).Scan(&rows).Error
	}
	if err != nil {
		return nil, fmt.Errorf("sum up wins of free spins: %w", err)
	}
	for _, r := range rows {
		sum := sums[r.GrantID]
		sum.Rounds, sum.Won = r.Rounds, r.Won
		sums[r.GrantID] = sum
	}
	return sums, nil
}

// ListSpinWins lists the wins that SpinWins sums up, the newest first.
func (s *Store) ListSpinWins(ctx context.Context, grantID int64, limit int) ([]models.SpinWin, error) {
	var rows []struct {
		ID            int64
		TransactionID string
		RoundID       string
		WinMinor      int64
		AtUs          int64
	}
	err := s.db.Read.WithContext(ctx).
		Raw("SELECT w.id, w.transaction_id, w.round_id, w.win_minor, w.at_us "+s.spinWins()+" ORDER BY w.id DESC LIMIT ?",
			append(spinWinsArgs([]int64{grantID}), limit)...).Scan(&rows).Error
	if err != nil {
		return nil, fmt.Errorf("list wins of free spins: %w", err)
	}
	list := make([]models.SpinWin, len(rows))
	for i, r := range rows {
		list[i] = models.SpinWin{
			ID: r.ID, TransactionID: models.TransactionID(r.TransactionID), RoundID: models.RoundID(r.RoundID),
			Won: models.Amount(r.WinMinor), At: db.FromMicros(r.AtUs),
		}
	}
	return list, nil
}

// UnattributedSpins counts the free spins of a player, since a time, that no grant explains.
func (s *Store) UnattributedSpins(ctx context.Context, playerID int64, since time.Time) (n int64, err error) {
	err = s.db.Read.WithContext(ctx).
		Raw(`SELECT COUNT(*) FROM spin_attributions a JOIN spin_entries e ON e.player_id = a.player_id AND e.seq = a.seq
		WHERE a.player_id = ? AND a.grant_id = 0 AND e.kind = ? AND e.at_us >= ?`, playerID, models.EntrySpin,
			db.Micros(since)).Scan(&n).Error
	if err != nil {
		return 0, fmt.Errorf("count free spins that no grant explains: %w", err)
	}
	return n, nil
}
