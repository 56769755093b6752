package bonus

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"pitboss/models"
)

// Upload is a campaign to be created: its terms and its lines.
type Upload struct {
	models.CampaignTerms
	FileName string
	Lines    []models.GrantLine
	Role     models.Role // the uploader's
	Again    bool        // accept lines that repeat grants of the last 30 days, or whose player has a grant of unknown outcome
	Repeats  int64       // the newest campaign with these lines that the uploader has seen; 0 for none
}

func (u Upload) campaign() models.Campaign {
	return models.Campaign{CampaignTerms: u.CampaignTerms, Role: u.Role, FileName: u.FileName, Digest: Digest(u.Lines),
		Again: u.Again, Repeats: u.Repeats}
}

// Create checks all lines and stores them, ready for Run. If any has an error, it returns the errors and stores nothing. If the
// lines were granted before, it returns a models.GrantedBeforeError unless u.Repeats shows that the uploader knows.
func (s *Service) Create(ctx context.Context, by models.Actor, u Upload) (models.Campaign, []models.LineError, error) {
	if len(u.Lines) == 0 {
		return models.Campaign{}, nil, errors.New("there are no lines to grant")
	}
	return s.Store.CreateCampaign(ctx, by, u.campaign(), u.Lines)
}

// Request checks all lines of a campaign beyond the limits and stores them until a second person approves it, or returns the
// lines that cannot be granted for other reasons. See store.RequestCampaign.
func (s *Service) Request(ctx context.Context, by models.Signer, u Upload) (models.Campaign, []models.LineError, error) {
	if len(u.Lines) == 0 {
		return models.Campaign{}, nil, errors.New("there are no lines to grant")
	}
	return s.Store.RequestCampaign(ctx, by, u.campaign(), u.Lines)
}

// Digest identifies lines by their players, games and spins, regardless of the file and their order in it.
func Digest(lines []models.GrantLine) string {
	list := make([]string, len(lines))
	for i, l := range lines {
		list[i] = fmt.Sprintf("%d:%s%d:%s%d\n", len(l.UserID), l.UserID, len(l.GameID), l.GameID, l.Spins)
	}
	slices.Sort(list)
	sum := sha256.Sum256([]byte(strings.Join(list, "")))
	return hex.EncodeToString(sum[:])
}

// campaignBatch is how many lines are read at once.
const campaignBatch = 20

// Run grants the lines of a campaign that have no outcome yet, one after the other, until all have one, the campaign is paused
// or stopped, or ctx ends; it finishes the current line first. Each line gets at most one grant, sent at most once, however
// often Run is called. Lines that were being sent when an earlier run was killed become unknown. While the circuit to the
// platform is open, Run waits. progress, if not nil, is called after each line. Run returns the campaign in its final state.
func (s *Service) Run(ctx context.Context, id int64, progress func(models.Campaign)) (models.Campaign, error) {
	campaign, found, err := s.Store.Campaign(ctx, id)
	if err == nil && !found {
		err = models.ErrCampaignUnknown
	}
	if err != nil {
		return campaign, err
	}
	err = s.run(ctx, campaign, progress)
	after, _, readErr := s.Store.Campaign(context.WithoutCancel(ctx), id)
	return after, errors.Join(err, readErr)
}

func (s *Service) run(ctx context.Context, campaign models.Campaign, progress func(models.Campaign)) error {
	if campaign.State != models.JobRunning {
		return nil
	}
	by := models.Actor{Name: campaign.Actor, Channel: models.ChannelSystem} // the uploader's name, but Pitboss acts
	if err := s.Store.CloseCampaignInFlight(ctx, campaign.ID); err != nil {
		return err
	}
	current := campaign
	var after models.Cursor // the lines before it are done
	for {
		lines, err := s.Store.CampaignLines(ctx, models.CampaignLineFilter{CampaignID: campaign.ID, ToGo: true,
			Span: models.Span{Limit: campaignBatch, Page: after}})
		if err != nil {
			return err
		}
		if len(lines.Rows) == 0 && !after.IsZero() {
			after = models.Cursor{} // another instance may have begun a line and ended
			continue
		}
		if len(lines.Rows) == 0 {
			err := s.Store.SetCampaignState(ctx, models.System, campaign.ID, models.JobFinished, "")
			if errors.Is(err, models.ErrCampaignEnded) { // stopped during its last line
				return nil
			}
			return err
		}
		for _, line := range lines.Rows {
			after = line.Place()
			if err := s.awaitPlatform(ctx); err != nil {
				return err
			}
			outcome, err := s.runLine(ctx, by, campaign, line)
			if errors.Is(err, models.ErrCampaignHeld) {
				return nil
			}
			if err != nil {
				return err
			}
			tally(&current, outcome, line.Spins)
			if progress != nil {
				progress(current)
			}
		}
	}
}

// runLine grants one line and returns its state.
func (s *Service) runLine(ctx context.Context, by models.Actor, campaign models.Campaign,
	line models.CampaignLine) (models.GrantState, error) {
	if err := ctx.Err(); err != nil {
		return 0, err
	}
	g, err := s.Store.RequestCampaignLine(ctx, by, campaign, line)
	if tampered := (models.TamperedError{}); errors.As(err, &tampered) {
		where := fmt.Sprintf("line %d of campaign %d", line.Line, campaign.ID)
		if _, err := s.Store.OpenFault(ctx, line.PlayerID, where, tampered.Error(), "a campaign"); err != nil {
			return 0, err
		}
	}
	if err != nil {
		return 0, err
	}
	if g.ID == 0 {
		return models.GrantRefused, nil
	}
	g, err = s.send(ctx, by, g)
	if errors.Is(err, models.ErrGrantState) { // another instance has sent it
		return 0, nil
	}
	return g.State, err
}

// tally moves a line's spins from ToGo to its outcome.
func tally(campaign *models.Campaign, outcome models.GrantState, spins int64) {
	count := map[models.GrantState]*models.CampaignCount{
		models.GrantActive: &campaign.Granted, models.GrantRefused: &campaign.Refused, models.GrantUnknown: &campaign.Unknown,
	}[outcome]
	if count == nil {
		return
	}
	count.Lines, count.Spins = count.Lines+1, count.Spins+spins
	campaign.ToGo.Lines, campaign.ToGo.Spins = campaign.ToGo.Lines-1, campaign.ToGo.Spins-spins
}

// awaitPlatform waits until the circuit is closed, so that an outage delays a campaign instead of failing its lines.
func (s *Service) awaitPlatform(ctx context.Context) error {
	for {
		err := s.Platform.Probe(ctx)
		if err == nil {
			return nil
		}
		pause := time.NewTimer(time.Second)
		select {
		case <-ctx.Done():
			pause.Stop()
			return ctx.Err()
		case <-pause.C:
		}
	}
}
