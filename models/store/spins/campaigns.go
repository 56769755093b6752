package spins

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"gorm.io/gorm"

	"pitboss/models"
	"pitboss/models/store/db"
	"pitboss/models/store/players"
)

// UploadedLine is a line of a campaign as it was uploaded, and its outcome. models.CampaignLine is the same for pages, joined
// with names and the grant.
type UploadedLine struct {
	CampaignID int64 `gorm:"primaryKey"`
	Line       int   `gorm:"primaryKey"`
	PlayerID   int64
	GameID     int64
	Spins      int64
	MAC        models.Hash
	GrantID    int64
	RefusedAt  time.Time `gorm:"column:refused_at_us;serializer:micros"`
	Message    string
}

// TableName returns the table's name for GORM.
func (UploadedLine) TableName() string { return "campaign_lines" }

// ComputeMAC returns the code that proves that the line is as it was uploaded (Chain.CampaignLine).
func (r *UploadedLine) ComputeMAC(c *models.Chain) models.Hash {
	return c.CampaignLine(r.CampaignID, r.Line, r.PlayerID, r.GameID, r.Spins)
}

// CheckGrantLines checks which lines could be granted now. Lines are left out if their players are not eligible. There is a
// LineError for each other line that could not be granted: the player is unknown, the game is unknown or gone, a limit is
// exceeded by today's grants and the lines before it, or, unless again is true, the player has a grant of unknown outcome on
// the game, or the line repeats a grant or another line.
func (s *Store) CheckGrantLines(ctx context.Context, by models.Actor, again bool,
	lines []models.GrantLine) (check models.GrantCheck, err error) {
	rows, _, check, err := s.checkGrantLines(s.db.Read.WithContext(ctx), by, lineRules{again: again}, lines)
	if err != nil {
		return check, err
	}
	for _, r := range rows {
		if !r.RefusedAt.IsZero() {
			check.LeftOut = append(check.LeftOut, r.Line)
		}
	}
	return check, nil
}

// lineRules are checks that lines may skip.
type lineRules struct {
	again    bool // for grants of unknown outcome, and for repeated ones
	excepted bool // for limits
}

// checkGrantLines returns the lines as rows, still without a campaign, or their errors. If limits are skipped, exceeded has
// each limit that the lines exceed, as its first line does.
func (s *Store) checkGrantLines(tx *gorm.DB, by models.Actor, over lineRules,
	lines []models.GrantLine) (rows []UploadedLine, exceeded models.LimitErrors, check models.GrantCheck, err error) {
	rules, err := s.readGrantRules(tx)
	if err != nil {
		return nil, nil, check, err
	}
	day, err := s.grantDay(tx)
	if err != nil {
		return nil, nil, check, err
	}
	budget, err := day.budget(tx, by.Name)
	if err != nil {
		return nil, nil, check, err
	}
	known, err := s.knownForGrants(tx, lines, day)
	if err != nil {
		return nil, nil, check, err
	}
	check.Currencies = map[int]models.Currency{}
	lineOf := map[models.GrantLine]int{} // by what it grants
	for _, l := range lines {
		player, ok := known.players[string(l.UserID)]
		game, offered := known.games[string(l.GameID)]
		granted := models.GrantLine{UserID: l.UserID, GameID: l.GameID, Spins: l.Spins}
		earlier := lineOf[granted]
		if earlier == 0 {
			lineOf[granted] = l.Line
		}
		if ok {
			check.Currencies[l.Line] = models.Currency(player.Currency)
		}
		var why error
		switch {
		case !ok:
			why = fmt.Errorf("user_id %.60q: %w", l.UserID, models.ErrPlayerUnknown)
		case !offered:
			why = fmt.Errorf("game_id %.60q: %w", l.GameID, models.ErrGameUnknown)
		case game.Gone():
			why = fmt.Errorf("game_id %.60q: %w", l.GameID, models.ErrGameGone)
		case !over.again && known.pending[[2]int64{player.ID, game.ID}] != 0:
			why = models.PendingGrantError{ID: known.pending[[2]int64{player.ID, game.ID}]}
		case !over.again && earlier != 0:
			why = models.RepeatedGrantError{Line: earlier}
		case !over.again && known.repeated[[3]int64{player.ID, game.ID, l.Spins}] != 0:
			why = models.RepeatedGrantError{ID: known.repeated[[3]int64{player.ID, game.ID, l.Spins}]}
		case over.excepted && !player.Restricted:
			exceeded = exceeded.With(rules.Exceeded(budget.taken(*player), models.Currency(player.Currency), l.Spins))
		case !player.Restricted:
			why = rules.Allow(budget.taken(*player), models.Currency(player.Currency), l.Spins)
		}
		if why != nil {
			check.Bad = append(check.Bad, models.LineError{Line: l.Line, Err: why})
			continue
		}
		row := UploadedLine{Line: l.Line, PlayerID: player.ID, GameID: game.ID, Spins: l.Spins}
		if player.Restricted {
			row.RefusedAt, row.Message = s.db.Now(), models.NotEligible
		} else {
			player.Grants, player.Spins = player.Grants+1, player.Spins+l.Spins
			budget.add(models.Currency(player.Currency), l.Spins)
		}
		rows = append(rows, row)
	}
	return rows, exceeded, check, nil
}

type grantee struct {
	ID         int64
	UserID     string
	Restricted bool // from play or bonuses
	Currency   string
	Grants     int64 // today
	Spins      int64 // today
}

type knownForLines struct {
	players  map[string]*grantee
	games    map[string]models.Game
	pending  map[[2]int64]int64 // by player and game: a grant of unknown outcome
	repeated map[[3]int64]int64 // by player, game and spins: a grant within models.RepeatsWithin
}

// knownForGrants reads the data about a file's players and games that the checks need.
func (s *Store) knownForGrants(tx *gorm.DB, lines []models.GrantLine, day grantDay) (knownForLines, error) {
	k := knownForLines{map[string]*grantee{}, map[string]models.Game{}, map[[2]int64]int64{}, map[[3]int64]int64{}}
	now := db.Micros(s.db.Now())
	for chunk := range slices.Chunk(lines, players.ImportChunk) {
		users, games := make([]string, len(chunk)), make([]string, len(chunk))
		for i, l := range chunk {
			users[i], games[i] = string(l.UserID), string(l.GameID)
		}
		players, err := db.All[grantee](tx, `SELECT p.id, p.user_id, w.play_from_us > ? OR w.bonuses_from_us > ? AS restricted, w.currency,
			(SELECT COUNT(*) FROM grants t WHERE t.player_id = p.id AND t.at_us >= ? AND t.state <> ?) AS grants,
			(SELECT COALESCE(SUM(t.spins), 0) FROM grants t WHERE t.player_id = p.id AND t.at_us >= ? AND t.state <> ?) AS spins
			FROM players p JOIN wallets w ON w.player_id = p.id WHERE p.user_id IN ?`,
			now, now, day.from, uint8(models.GrantRefused), day.from, uint8(models.GrantRefused), users)
		if err != nil {
			return k, err
		}
		ids := []int64{0}
		for _, p := range players {
			if _, seen := k.players[p.UserID]; !seen {
				k.players[p.UserID] = &p
			}
			ids = append(ids, p.ID)
		}
		rows, err := db.Find[models.Game](tx.Where("game_id IN ?", games))
		if err != nil {
			return k, err
		}
		for _, r := range rows {
			k.games[string(r.GameID)] = r
		}
		pending, err := db.Find[models.Grant](tx.Where("player_id IN ? AND (state IN ? OR state = ? AND resolution = ?)", ids,
			[]int{int(models.GrantRequested), int(models.GrantSent)}, models.GrantUnknown, models.Unresolved))
		if err != nil {
			return k, err
		}
		for _, g := range pending {
			k.pending[[2]int64{g.PlayerID, g.Game.ID}] = g.ID
		}
		lately, err := db.Find[models.Grant](tx.Where("player_id IN ? AND at_us >= ? AND state <> ?", ids,
			day.from-models.RepeatsWithin.Microseconds(), models.GrantRefused))
		if err != nil {
			return k, err
		}
		for _, g := range lately {
			k.repeated[[3]int64{g.PlayerID, g.Game.ID, g.Spins}] = g.ID
		}
	}
	return k, nil
}

// CreateCampaign stores a campaign, ready to run, if all its lines are valid; otherwise it returns their errors and stores
// nothing. Lines whose players are not eligible are stored as left out. If an earlier campaign had the same lines, it returns a
// GrantedBeforeError unless campaign.Repeats is the newest such campaign.
func (s *Store) CreateCampaign(ctx context.Context, by models.Actor, campaign models.Campaign,
	lines []models.GrantLine) (models.Campaign, []models.LineError, error) {
	campaign.State, campaign.Approval = models.JobRunning, models.Approval{}
	return s.newCampaign(ctx, by, campaign, lines, func(*gorm.DB) error { return nil })
}

func (s *Store) newCampaign(ctx context.Context, by models.Actor, campaign models.Campaign, lines []models.GrantLine,
	allowed func(*gorm.DB) error) (models.Campaign, []models.LineError, error) {
	var id int64
	var bad []models.LineError
	err := s.db.Change(ctx, func(tx *gorm.DB) (err error) {
		if err := allowed(tx); err != nil {
			return err
		}
		id, bad, err = s.createCampaign(tx, by, campaign, lines)
		return err
	})
	if err != nil {
		return models.Campaign{}, nil, err
	}
	if len(bad) > 0 {
		return models.Campaign{}, bad, nil
	}
	created, _, err := s.Campaign(ctx, id)
	return created, nil, err
}

// proveLines returns a models.TamperedError unless the rows have the numbers of the players and games that the lines name,
// according to the audit log. Each row's code covers its numbers, not the names that somebody uploaded.
func (s *Store) proveLines(tx *gorm.DB, lines []models.GrantLine, rows []UploadedLine) error {
	var ids []int64
	for _, r := range rows {
		ids = append(ids, r.PlayerID)
	}
	slices.Sort(ids)
	loaded, err := db.LoadMany[models.Player](s.db, tx, slices.Compact(ids))
	if err != nil {
		return err
	}
	names := map[int64]models.UserID{}
	for _, p := range loaded {
		names[p.ID] = p.UserID
	}
	games := map[int64]bool{}
	for i, r := range rows {
		if names[r.PlayerID] != lines[i].UserID {
			return models.TamperedError{Object: "player", ObjectID: db.Numbered(r.PlayerID)}
		}
		if games[r.GameID] {
			continue
		}
		named := models.Game{ID: r.GameID}
		named.GameID = lines[i].GameID
		if err := s.proveGame(tx, named); err != nil {
			return err
		}
		games[r.GameID] = true
	}
	return nil
}

// createCampaign writes a campaign and its lines. Limits do not apply to one that waits for approval (models.JobHeld).
func (s *Store) createCampaign(tx *gorm.DB, by models.Actor, campaign models.Campaign,
	lines []models.GrantLine) (id int64, bad []models.LineError, err error) {
	if err := campaign.Check(s.db.Now()); err != nil {
		return 0, nil, err
	}
	// With this lock, two uploads of one file cannot both find that it is new.
	if err := s.db.LockLease(tx, "campaigns"); err != nil {
		return 0, nil, err
	}
	before, err := db.Find[models.Campaign](s.granting(tx, campaign.Digest))
	if err != nil {
		return 0, nil, err
	}
	if len(before) > 0 && campaign.Repeats != before[0].ID {
		return 0, nil, models.GrantedBeforeError{ID: before[0].ID, At: before[0].At}
	}
	held := campaign.State == models.JobHeld
	rows, exceeded, check, err := s.checkGrantLines(tx, by, lineRules{again: campaign.Again, excepted: held}, lines)
	if err != nil || len(check.Bad) > 0 {
		return 0, check.Bad, err
	}
	campaign.Exceeded, campaign.ExpiresAt = exceeded.Error(), time.Time{}
	if held && len(exceeded) == 0 {
		return 0, nil, models.ErrExceptionNeedless
	} else if held {
		campaign.ExpiresAt = s.db.Now().Add(models.ExceptionLasts)
	}
	if err := s.proveLines(tx, lines, rows); err != nil {
		return 0, nil, err
	}
	campaign.ID, campaign.At, campaign.Actor, campaign.Lines, campaign.Spins, campaign.FinishedAt = 0, s.db.Now(), by.Name, int64(len(rows)), 0, time.Time{}
	for _, r := range rows {
		campaign.Spins += r.Spins
	}
	created := map[string]any{"name": campaign.Name, "file": campaign.FileName, "lines": campaign.Lines, "spins": campaign.Spins,
		"again": campaign.Again, "budget_spins": campaign.BudgetSpins, "budget_cost": campaign.BudgetCost}
	if !campaign.StartsAt.IsZero() {
		created["starts_at"] = campaign.StartsAt
	}
	if !campaign.EndsAt.IsZero() {
		created["ends_at"] = campaign.EndsAt
	}
	if held {
		created["exceeds"] = campaign.Exceeded
	}
	err = db.Create(s.db, tx, &campaign, models.AuditEvent{Actor: by, Action: "campaign created", After: db.JsonText(created),
		Reason: campaign.Name})
	if err != nil {
		return 0, nil, err
	}
	for i := range rows {
		rows[i].CampaignID = campaign.ID
		rows[i].MAC = rows[i].ComputeMAC(s.db.Chain)
	}
	return campaign.ID, nil, tx.CreateInBatches(rows, players.ImportChunk).Error
}

// SetCampaignState pauses a campaign, resumes it, stops it for good, or marks it as finished, and records that. It returns
// models.ErrCampaignUnknown, ErrCampaignWaiting if the campaign waits for approval, or ErrCampaignEnded if it has ended. It
// changes nothing if the campaign already has the state.
func (s *Store) SetCampaignState(ctx context.Context, by models.Actor, id int64, state models.JobState, reason string) error {
	err := s.db.Change(ctx, func(tx *gorm.DB) error {
		return s.setCampaignState(tx, by, id, state, reason)
	})
	if err != nil {
		return fmt.Errorf("change campaign %d: %w", id, err)
	}
	return nil
}

func (s *Store) setCampaignState(tx *gorm.DB, by models.Actor, id int64, state models.JobState, reason string) error {
	row, err := db.Locked[models.Campaign](s.db, tx, id, models.ErrCampaignUnknown)
	if err != nil {
		return err
	}
	before := row.State
	switch {
	case before == state:
		return nil
	case before == models.JobStopped || before == models.JobFinished || before == models.JobDeclined:
		return models.ErrCampaignEnded
	case before == models.JobHeld:
		return models.ErrCampaignWaiting
	}
	row.State = state
	if state == models.JobStopped || state == models.JobFinished {
		row.FinishedAt = s.db.Now()
	}
	if row.StoppedFor = ""; state == models.JobStopped || state == models.JobPaused && by.Channel == models.ChannelSystem {
		row.StoppedFor = reason
	}
	return db.Save(s.db, tx, &row, models.AuditEvent{
		Actor: by, Action: "campaign " + state.String(),
		Before: before.String(), After: db.JsonText(state.String()), Reason: reason,
	})
}

// CampaignsDue returns the numbers of the campaigns that run and whose start is reached, oldest first, up to 100.
func (s *Store) CampaignsDue(ctx context.Context) ([]int64, error) {
	return db.All[int64](s.db.Write.WithContext(ctx), "SELECT id FROM campaigns WHERE job_state = ? AND starts_at_us <= ? ORDER BY id LIMIT 100",
		uint8(models.JobRunning), db.Micros(s.db.Now()))
}

// affords returns why a campaign does not grant spins to players with a currency now (Campaign.MayGrant), or a BudgetError.
// Until the transaction ends, other grants of the campaign wait.
func (s *Store) affords(tx *gorm.DB, id int64, currency models.Currency, spins int64) error {
	campaign, err := db.Locked[models.Campaign](s.db, tx, id, models.ErrCampaignUnknown)
	if err == nil {
		err = campaign.MayGrant(s.db.Now())
	}
	if err != nil || campaign.BudgetSpins == 0 && len(campaign.BudgetCost) == 0 {
		return err
	}
	rules, err := s.readGrantRules(tx)
	if err != nil {
		return err
	}
	type sum struct {
		Currency models.Currency
		Spins    int64
	}
	sums, err := db.All[sum](tx, `SELECT w.currency, SUM(t.spins) AS spins FROM grants t
		JOIN wallets w ON w.player_id = t.player_id WHERE t.campaign_id = ? AND t.state <> ? GROUP BY w.currency`, id, models.GrantRefused)
	if err != nil {
		return err
	}
	spent := map[models.Currency]int64{}
	for _, s := range sums {
		spent[s.Currency] = s.Spins
	}
	return campaign.Affords(rules, spent, currency, spins)
}

// PauseCampaigns pauses all running campaigns and returns their numbers. After a restore, nobody knows which of their lines the
// platform has granted already. If one fails, it pauses the others.
func (s *Store) PauseCampaigns(ctx context.Context, by models.Actor) (ids []int64, err error) {
	const reason = "The database was restored from a backup. Compare the lines with the platform's free spins before " +
		"you resume it"
	running, err := db.All[int64](s.db.Write.WithContext(ctx), "SELECT id FROM campaigns WHERE job_state = ? ORDER BY id",
		uint8(models.JobRunning))
	for _, id := range running {
		switch failed := s.SetCampaignState(ctx, by, id, models.JobPaused, reason); {
		case failed == nil:
			ids = append(ids, id)
		case !errors.Is(failed, models.ErrCampaignEnded):
			err = errors.Join(err, failed)
		}
	}
	return ids, err
}

// RequestCampaignLine requests the grant of a line, like RequestGrant, or returns the grant that the line already has. If the
// request is refused, the refusal becomes the line's outcome and the returned grant's number is 0. If the campaign does not
// run, or now stops because it has ended or the grant would exceed its budget, the error is models.ErrCampaignHeld and the line
// has no outcome. If a row was changed outside Pitboss, the campaign is paused, and the error is also a models.TamperedError.
func (s *Store) RequestCampaignLine(ctx context.Context, by models.Actor, campaign models.Campaign,
	line models.CampaignLine) (models.Grant, error) {
	var id int64
	var stopped bool
	err := s.db.Change(ctx, func(tx *gorm.DB) (err error) {
		id, err = s.requestCampaignLine(tx, by, campaign, line)
		if stopped = errors.Is(err, models.ErrCampaignOver) || errors.As(err, new(models.BudgetError)); stopped {
			err = s.setCampaignState(tx, models.System, campaign.ID, models.JobStopped, err.Error())
		}
		return err
	})
	if err == nil && stopped || errors.Is(err, models.ErrCampaignEarly) {
		err = models.ErrCampaignHeld
	}
	if tampered := (models.TamperedError{}); errors.As(err, &tampered) { // or it would be tried again and again
		why := fmt.Sprintf("line %d cannot be granted: %s", line.Line, tampered)
		err = s.SetCampaignState(ctx, models.System, campaign.ID, models.JobPaused, why)
		if err == nil {
			err = models.ErrCampaignHeld
		}
		err = errors.Join(err, tampered)
	}
	if isRefusal(err) {
		why := err.Error()
		if errors.Is(err, models.ErrPlayerRestricted) {
			why = models.NotEligible
		}
		err = s.db.Change(ctx, func(tx *gorm.DB) error {
			err := tx.Exec("UPDATE campaign_lines SET refused_at_us = ?, message = ? WHERE campaign_id = ? AND line = ? "+
				"AND grant_id = 0 AND refused_at_us = 0",
				db.Micros(s.db.Now()), why, campaign.ID, line.Line).Error
			if err != nil {
				return err
			}
			return s.db.Record(tx, models.AuditEvent{
				Actor: by, Action: "campaign line refused", Object: "campaign", ObjectID: db.Numbered(campaign.ID),
				PlayerID: line.PlayerID, After: db.JsonText(map[string]any{"line": line.Line, "message": why}),
			})
		})
		id = 0
	}
	if err != nil {
		return models.Grant{}, fmt.Errorf("request the grant of line %d: %w", line.Line, err)
	}
	if id == 0 {
		return models.Grant{}, nil
	}
	return s.mustGrant(ctx, id)
}

// isRefusal reports whether err is a refusal by our rules rather than a failure.
func isRefusal(err error) bool {
	var limit models.LimitError
	var pending models.PendingGrantError
	var frozen models.FrozenError
	return errors.As(err, &limit) || errors.As(err, &frozen) || errors.As(err, &pending) || errors.Is(err, models.ErrPlayerRestricted) ||
		errors.Is(err, models.ErrPlayerUnknown) ||
		errors.Is(err, models.ErrGameGone) || errors.Is(err, models.ErrGameUnknown)
}

func (s *Store) requestCampaignLine(tx *gorm.DB, by models.Actor, campaign models.Campaign, line models.CampaignLine) (int64, error) {
	if err := s.LockWallet(tx, line.PlayerID); err != nil {
		return 0, err
	}
	var row UploadedLine
	if err := s.db.Locking(tx).Where("campaign_id = ? AND line = ?", campaign.ID, line.Line).Take(&row).Error; err != nil {
		return 0, err
	}
	is, _, err := db.Load[models.Campaign](s.db, tx, campaign.ID)
	if err != nil {
		return 0, err
	}
	if is.State != models.JobRunning {
		return 0, models.ErrCampaignHeld
	}
	if row.GrantID != 0 {
		grant, _, err := db.Load[models.Grant](s.db, tx, row.GrantID)
		if err == nil && (grant.CampaignID != campaign.ID || grant.CampaignLine != line.Line) {
			err = models.TamperedError{Object: "campaign", ObjectID: db.Numbered(campaign.ID)}
		}
		return row.GrantID, err
	}
	if !row.RefusedAt.IsZero() {
		return 0, nil
	}
	// Nothing is granted for a campaign or a line that was added or changed directly in the database.
	if is.Role != campaign.Role || is.Actor != campaign.Actor || is.Name != campaign.Name ||
		line.PlayerID != row.PlayerID || line.Spins != row.Spins ||
		row.MAC != row.ComputeMAC(s.db.Chain) {
		return 0, models.TamperedError{Object: "campaign", ObjectID: db.Numbered(campaign.ID)}
	}
	earlier, err := db.All[int64](tx, "SELECT id FROM grants WHERE campaign_id = ? AND campaign_line = ?", campaign.ID, line.Line)
	if err != nil {
		return 0, err
	}
	if len(earlier) > 0 { // somebody has taken its number from the line
		return 0, models.TamperedError{Object: "campaign", ObjectID: db.Numbered(campaign.ID)}
	}
	id, err := s.requestGrant(tx, by, models.GrantRequest{
		UserID: line.UserID, GameID: line.GameID, Spins: line.Spins, Reason: campaign.Name, Role: campaign.Role,
		Again: is.Again, CampaignID: is.ID,
	}, grantOrigin{row: db.CoveredRow{Object: "campaign", ID: db.Numbered(campaign.ID)}, playerID: row.PlayerID,
		gameID: row.GameID, campaignLine: line.Line, excepted: is.Approval.State == models.ApprovalApproved})
	if err != nil {
		return 0, err
	}
	return id, tx.Exec("UPDATE campaign_lines SET grant_id = ? WHERE campaign_id = ? AND line = ?", id, campaign.ID, line.Line).
		Error
}

// CloseCampaignInFlight gives the grants of a campaign that were sent but not answered an unknown outcome: the process that
// sent them no longer runs the campaign.
func (s *Store) CloseCampaignInFlight(ctx context.Context, campaignID int64) error {
	ids, err := db.All[int64](s.db.Write.WithContext(ctx), "SELECT id FROM grants WHERE campaign_id = ? AND state = ?", campaignID,
		models.GrantSent)
	if err == nil {
		_, err = s.closeGrants(ctx, ids)
	}
	if err != nil {
		return fmt.Errorf("close grants in flight of campaign %d: %w", campaignID, err)
	}
	return nil
}
