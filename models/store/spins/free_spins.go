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

// The platform's answers about grants.

// GrantsToPoll returns the grants to ask the platform about, for at most limit players: if one of a player's grants is due, all
// of them, because only their sum can be compared with the player's spins.
func (s *Store) GrantsToPoll(ctx context.Context, limit int) (byPlayer [][]models.Grant, err error) {
	read := s.db.Read.WithContext(ctx)
	players, err := db.All[int64](read, "SELECT player_id FROM grants WHERE next_poll_at_us > 0 AND next_poll_at_us <= ? "+
		"GROUP BY player_id ORDER BY MIN(next_poll_at_us) LIMIT ?", db.Micros(s.db.Now()), limit)
	if err != nil {
		return nil, err
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

// PolledGrants returns a player's grants that are still polled, oldest first.
func (s *Store) PolledGrants(ctx context.Context, playerID int64) ([]models.Grant, error) {
	return db.Find[models.Grant](SelectGrants(s.db.Read.WithContext(ctx)).
		Where("t.player_id = ? AND t.next_poll_at_us > 0", playerID).Order("t.at_us, t.id"))
}

// NotePollError records that the platform gave no answer about a grant, and when to ask again.
func (s *Store) NotePollError(ctx context.Context, grantID int64, reason string, again time.Time) error {
	return s.db.Change(ctx, func(tx *gorm.DB) error {
		return tx.Exec("UPDATE grants SET poll_error = ?, next_poll_at_us = CASE WHEN next_poll_at_us > 0 THEN ? ELSE 0 END "+
			"WHERE id = ?", reason, db.Micros(again), grantID).Error
	})
}

// ObserveGrants records the platform's answers about one player's grants, and changes their states accordingly: active to
// completed or expired, and completed back to active if a spin was returned; expired is final. If compare is true, the
// observations are of all the player's polled grants, and the platform's counts are compared with ours.
func (s *Store) ObserveGrants(ctx context.Context, playerID int64, seen []models.Observation, compare bool) error {
	return s.db.Change(ctx, func(tx *gorm.DB) error {
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
			if rows[i], err = db.Locked[models.Grant](s.db, tx, o.GrantID, models.ErrGrantUnknown); err != nil {
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
		// The sum does not say whose counts differ. If some grants differ by themselves, the others are not to blame.
		own := func(r models.Grant) bool { return r.Used != models.NoCount && r.Used != r.Ours }
		some := slices.ContainsFunc(rows, own)
		for i := range rows {
			r := &rows[i]
			if compare {
				if r.Apart++; !differ || some && !own(*r) {
					r.Apart = 0
				}
				if r.Used != models.NoCount {
					r.ComparedAt = now
				}
			}
			switch {
			case r.State == models.GrantActive && !r.NextPollAt.After(now):
				r.NextPollAt = now.Add(models.PollAfter(r.Polls))
			// a person polled it before the next poll was due; the schedule stays the same
			case r.State == models.GrantActive:
			// a disagreement needs two polls: a grant that has ended with different counts is polled once more
			case r.Apart == 1:
				r.NextPollAt = now.Add(models.PollAfter(0))
			default:
				r.NextPollAt = time.Time{}
			}
			if err := tx.Save(r).Error; err != nil {
				return err
			}
		}
		return nil
	})
}

func (s *Store) observe(tx *gorm.DB, row *models.Grant, o models.Observation, now time.Time) error {
	kept := o
	kept.ID, kept.At, kept.Ours = 0, now, row.Ours
	if err := tx.Create(&kept).Error; err != nil {
		return err
	}
	if !row.NextPollAt.After(now) {
		row.Polls++
	}
	row.PollError = ""
	before := row.State
	if o.Status == "" {
		row.PollError = fmt.Sprintf("the platform refused to answer, with result %d", o.Result)
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
	return s.db.Record(tx, models.AuditEvent{
		Actor: models.System, Action: "grant " + state.String(), Object: "grant", ObjectID: db.Numbered(row.ID),
		Before: before.String(),
		After:  db.JsonText(map[string]any{"state": state.String(), "used": o.Used, "remaining": o.Remaining}),
	})
}

// countsDiffer reports whether the platform's counts and ours differ in sum, over the player's grants that are active or ended
// recently. Grants whose counts differed once are included however long ago they ended, because their second comparison decides
// and may come late.
func countsDiffer(tx *gorm.DB, playerID int64, now time.Time) (bool, error) {
	var sums struct{ Used, Ours, OursOfUnknown int64 }
	err := tx.Raw(`SELECT COALESCE(SUM(CASE WHEN state <> ? AND used >= 0 THEN used ELSE 0 END), 0) AS used,
		COALESCE(SUM(CASE WHEN state <> ? AND used >= 0 THEN ours ELSE 0 END), 0) AS ours,
		COALESCE(SUM(CASE WHEN state = ? THEN ours ELSE 0 END), 0) AS ours_of_unknown
		FROM grants WHERE player_id = ? AND state IN (?, ?, ?, ?) AND (finished_at_us = 0 OR finished_at_us >= ? OR apart = 1)`,
		models.GrantUnknown, models.GrantUnknown, models.GrantUnknown, playerID,
		models.GrantActive, models.GrantCompleted, models.GrantExpired, models.GrantUnknown,
		db.Micros(now.Add(-models.GrantLingers))).Scan(&sums).Error
	if err != nil {
		return false, err
	}
	return models.CountsDiffer(sums.Used, sums.Ours, sums.OursOfUnknown), nil
}

// Observations returns a page of the platform's answers about a grant, newest first.
func (s *Store) Observations(ctx context.Context, grantID int64, span models.Span) (models.Page[models.Observation], error) {
	list := db.List{Table: "grant_observations", At: "at_us", ID: "id", Span: span,
		Filters: []db.Filter{db.If(true, "grant_observations_grant", "grant_id = ?", grantID)}}
	return db.FindPage[models.Observation](s.db, s.db.Read.WithContext(ctx), list)
}

// Which grant each free spin belongs to. models.Attributor infers it; the ledger does not know.

const spinColumns = "e.player_id, e.seq, e.kind, e.transaction_id, e.round_id, e.spins, e.stake_minor, e.grant_known, e.at_us"

// AttributeSpins attributes the free spins of a player that have not been attributed yet, or all of them if fromScratch is
// true.
func (s *Store) AttributeSpins(ctx context.Context, playerID int64, fromScratch bool) error {
	return s.db.Change(ctx, func(tx *gorm.DB) error {
		if err := s.LockWallet(tx, playerID); err != nil {
			return err
		}
		return s.attribute(tx, playerID, fromScratch)
	})
}

// maxLaunches is how many of a player's latest game sessions are considered.
const maxLaunches = 1000

// attribute runs under the player's lock, so no line can appear before the last one it has read.
func (s *Store) attribute(tx *gorm.DB, playerID int64, fromScratch bool) error {
	if fromScratch {
		if err := tx.Exec("DELETE FROM spin_attributions WHERE player_id = ?", playerID).Error; err != nil {
			return err
		}
		if err := tx.Exec("UPDATE grants SET ours = 0 WHERE player_id = ?", playerID).Error; err != nil {
			return err
		}
	}
	lines, err := db.All[models.SpinEntry](tx, "SELECT "+spinColumns+
		" FROM spin_entries e WHERE e.player_id = ? AND e.seq > (SELECT COALESCE(MAX(a.seq), 0) FROM spin_attributions a "+
		"WHERE a.player_id = ?) ORDER BY e.seq",
		playerID, playerID)
	if err != nil {
		return err
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
		return err
	}
	for i, g := range a.Grants {
		if g.Ours == before[i].Ours {
			continue
		}
		set := map[string]any{"ours": g.Ours}
		if g.State == models.GrantActive && before[i].Ours < g.Spins && g.Ours >= g.Spins {
			// The platform can confirm now that the spins are used. If it has not counted the last one yet, it is soon asked
			// again.
			set["next_poll_at_us"], set["polls"] = db.Micros(s.db.Now()), 0
		}
		if err := tx.Table("grants").Where("id = ?", g.ID).Updates(set).Error; err != nil {
			return err
		}
	}
	return nil
}

// attributor loads the data for attributing lines.
func (s *Store) attributor(tx *gorm.DB, playerID int64, lines []models.SpinEntry) (*models.Attributor, error) {
	a := &models.Attributor{Originals: map[models.TransactionID]int64{}}
	if err := s.db.Locking(tx).Where("player_id = ? AND state <> ?", playerID, models.GrantRefused).Order("at_us, id").
		Find(&a.Grants).Error; err != nil {
		return nil, err
	}
	sessions, err := db.Find[models.GameSession](tx.Where("player_id = ? AND state = ?", playerID, models.GameSessionOpened).
		Order("at_us DESC").Limit(maxLaunches))
	if err != nil {
		return nil, err
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
			return nil, err
		}
		for _, o := range originals {
			a.Originals[models.TransactionID(o.TransactionID)] = o.GrantID
		}
	}
	return a, nil
}

const (
	spinFollower   = db.Follower("free spins")
	followerWindow = 2 * time.Minute // a line may be committed up to this long after a newer one
)

// FollowSpins attributes lines that any instance has added to the free-spin ledger since its last call, and returns how many
// players they belong to.
func (s *Store) FollowSpins(ctx context.Context) (players int, err error) {
	if err := s.db.ReadClock(ctx); err != nil {
		return 0, err
	}
	position, err := spinFollower.Position(s.db, s.db.Read.WithContext(ctx))
	if err != nil {
		return 0, err
	}
	now := s.db.Now()
	position = min(position, db.Micros(now)) // the database's clock may have been put back
	ids, err := db.All[int64](s.db.Read.WithContext(ctx), `SELECT DISTINCT e.player_id FROM spin_entries e
		LEFT JOIN spin_attributions a ON a.player_id = e.player_id AND a.seq = e.seq
		WHERE e.at_us >= ? AND a.player_id IS NULL ORDER BY e.player_id`, position-followerWindow.Microseconds())
	if err != nil {
		return 0, err
	}
	for _, id := range ids {
		if err := s.AttributeSpins(ctx, id, false); err != nil {
			return 0, err
		}
	}
	err = s.db.Change(ctx, func(tx *gorm.DB) error {
		if _, err := spinFollower.Lock(s.db, tx); err != nil {
			return err
		}
		return spinFollower.Move(s.db, tx, db.Micros(now))
	})
	if err != nil {
		return 0, err
	}
	return len(ids), nil
}

// AttributedSpins returns the lines of the free-spin ledger that are attributed to a grant, newest first.
func (s *Store) AttributedSpins(ctx context.Context, grantID int64, limit int) ([]models.AttributedSpin, error) {
	return db.All[models.AttributedSpin](s.db.Read.WithContext(ctx),
		"SELECT "+spinColumns+`, a.grant_id, a.rule FROM spin_attributions a
		JOIN spin_entries e ON e.player_id = a.player_id AND e.seq = a.seq WHERE a.grant_id = ? ORDER BY e.seq DESC LIMIT ?`,
		grantID, limit)
}

// spinWins selects the wins of free spins: wins greater than 0 that are not rolled back, in rounds whose only stake is a free
// spin. Each row has the grant that the round's spins are attributed to.
//
// It goes from the rounds of the grants to their transactions. In another order SQLite would read every win and, for each,
// every bet.
func (s *Store) spinWins() string {
	joins, where := s.winsOfRounds()
	return "FROM (SELECT DISTINCT a.grant_id, r.player_id, r.round_id " + spinsOfGrants + " WHERE " + theseGrants + ") r" + joins +
		" WHERE " + where
}

// hasWon is the condition that a grant has a win of a free spin. It takes the same arguments as spinWins; its grants may be a
// column of the query around it, which MariaDB does not allow in a table that is derived, as in spinWins.
func (s *Store) hasWon() string {
	joins, where := s.winsOfRounds()
	return "EXISTS (SELECT 1 " + spinsOfGrants + joins + " WHERE " + theseGrants + " AND " + where + ")"
}

const (
	spinsOfGrants = `FROM spin_attributions a JOIN spin_entries r ON r.player_id = a.player_id AND r.seq = a.seq
		LEFT JOIN postings b ON b.source = ? AND b.transaction_id = r.transaction_id AND b.claim = 2`
	theseGrants = "a.grant_id IN ? AND r.kind = ? AND b.id IS NULL"
)

// winsOfRounds joins the wins w of rounds r whose only stake is a free spin.
func (s *Store) winsOfRounds() (joins, where string) {
	byRound := db.Path{Index: "postings_round"}.Hint(s.db.Dialect)
	return ` CROSS JOIN postings w` + byRound + ` ON w.round_id = r.round_id AND w.player_id = r.player_id
	LEFT JOIN postings v ON v.source = w.source AND v.transaction_id = w.transaction_id AND v.claim = 2`,
		`w.kind = ? AND w.claim = 1 AND w.win_minor > 0 AND v.id IS NULL
	AND (SELECT COALESCE(SUM(3 - 2 * m.claim), 0) FROM postings m` + byRound + `
		WHERE m.round_id = w.round_id AND m.player_id = w.player_id AND m.free_spin = 0 AND m.kind IN (?, ?)) = 0`
}

// spinWinsArgs returns the arguments of spinWins. grants are numbers of grants, or a query for them.
func spinWinsArgs(grants any) []any {
	return []any{
		models.SourcePlatform, grants, models.EntrySpin, models.Win, models.Bet, models.BetWin,
	}
}

// SpinWins sums the wins of a grant's free spins: wins that are not rolled back, in rounds whose only stake is a free spin.
func (s *Store) SpinWins(ctx context.Context, grantID int64) (models.SpinWins, error) {
	sums, err := s.SpinWinsOf(ctx, []int64{grantID})
	return sums[grantID], err
}

// SpinWinsOf sums the wins of each grant's free spins, like SpinWins. Grants without wins are left out.
func (s *Store) SpinWinsOf(ctx context.Context, grants []int64) (map[int64]models.SpinWins, error) {
	sums := map[int64]models.SpinWins{}
	if len(grants) == 0 {
		return sums, nil
	}
	var rows []struct {
		GrantID, Rounds int64
		Won, Stake      models.Amount
	}
	read := s.db.Read.WithContext(ctx)
	err := read.Raw("SELECT a.grant_id, SUM(e.stake_minor) AS stake FROM spin_attributions a "+
		"JOIN spin_entries e ON e.player_id = a.player_id AND e.seq = a.seq "+
		"WHERE a.grant_id IN ? GROUP BY a.grant_id",
		grants).Scan(&rows).Error
	for _, r := range rows {
		sums[r.GrantID] = models.SpinWins{Stake: r.Stake}
	}
	if err == nil {
		rows = nil
		err = read.Raw("SELECT r.grant_id, COUNT(DISTINCT w.round_id) AS rounds, SUM(w.win_minor) AS won "+
			s.spinWins()+" GROUP BY r.grant_id", spinWinsArgs(grants)...).Scan(&rows).Error
	}
	if err != nil {
		return nil, err
	}
	for _, r := range rows {
		sum := sums[r.GrantID]
		sum.Rounds, sum.Won = r.Rounds, r.Won
		sums[r.GrantID] = sum
	}
	return sums, nil
}

// ListSpinWins returns the wins that SpinWins sums, newest first.
func (s *Store) ListSpinWins(ctx context.Context, grantID int64, limit int) ([]models.SpinWin, error) {
	return db.All[models.SpinWin](s.db.Read.WithContext(ctx), "SELECT w.id, w.transaction_id, w.round_id, w.win_minor AS won, w.at_us "+
		s.spinWins()+" ORDER BY w.id DESC LIMIT ?", append(spinWinsArgs([]int64{grantID}), limit)...)
}

// UnattributedSpins counts a player's free spins since a time that belong to no grant.
func (s *Store) UnattributedSpins(ctx context.Context, playerID int64, since time.Time) (n int64, err error) {
	return db.Value[int64](s.db.Read.WithContext(ctx), `SELECT COUNT(*) FROM spin_attributions a
		JOIN spin_entries e ON e.player_id = a.player_id AND e.seq = a.seq WHERE a.player_id = ? AND a.grant_id = 0 AND e.kind = ? AND e.at_us >= ?`, playerID, models.EntrySpin,
		db.Micros(since))
}
