package reports

import (
	"context"
	"time"

	"pitboss/models"
)

// Store is what this part of the site needs from the database.
type Store interface {
	Control(ctx context.Context) ([]models.Control, error)
	DayGroups(ctx context.Context, day models.Day) ([]models.DayGroup, error)
	TodayGroups(ctx context.Context, day models.Day, inPlay []models.Stakes) ([]models.DayGroup, error)
	DayInterval(ctx context.Context, day models.Day) (models.ClosedDay, error)
	DayLines(ctx context.Context, f models.DayLineFilter) (list []models.DayLine, more bool, err error)
	DayReports(ctx context.Context, f models.ReportFilter) ([]models.DayReport, error)
	DayStanding(ctx context.Context, day models.ClosedDay) (models.DaySignature, models.DayCases, error)
	DayState(ctx context.Context, day models.Day) (models.DayState, error)
	DaysUpTo(ctx context.Context) (time.Time, error)
	GamesReport(ctx context.Context, f models.ReportFilter, from time.Time,
		to time.Time) (list []models.GameReport, more bool, err error)
	LiabilityAt(ctx context.Context, at time.Time, test models.TestPlayers) ([]models.Liability, error)
	LiabilityNow(ctx context.Context, test models.TestPlayers) ([]models.Liability, error)
	NearestReport(ctx context.Context, f models.ReportFilter, first bool) (models.Day, error)
	NearestSession(ctx context.Context, f models.ReportFilter, from, to time.Time, first bool) (time.Time, error)
	NegativeBalances(ctx context.Context, test models.TestPlayers, limit int) ([]models.Player, error)
	Play(ctx context.Context, from time.Time, to time.Time) ([]models.CurrencyPlay, error)
	PlayersReport(ctx context.Context, f models.ReportFilter) ([]models.PlayerReport, bool, error)
	ReportToday(ctx context.Context) (models.Day, error)
	ReportZone(ctx context.Context) (string, error)
	Rounds(ctx context.Context, f models.RoundFilter) (models.Page[models.Round], error)
	SignDay(ctx context.Context, by models.Signer, day models.Day, seen models.DaySeen, note string) (models.DaySignature, error)
	Statements(ctx context.Context, f models.StatementFilter) ([]models.Statement, bool, error)
	StakesInPlay(ctx context.Context, at time.Time) ([]models.Stakes, error)
	Ties(ctx context.Context) (models.Ties, error)
}
