package admin

import (
	"context"
	"time"

	"pitboss/models"
)

// Store is what this part of the site asks of the database.
type Store interface {
	Alerts(ctx context.Context, of models.Staff, limit int) ([]models.AuditEvent, error)
	ApproveChange(ctx context.Context, by models.Signer, id int64) (models.ChangeRequest, error)
	AskTestNotice(ctx context.Context, by models.Actor, channels []models.NoticeChannel) error
	AuditLog(ctx context.Context, f models.AuditFilter) (models.Page[models.AuditEvent], error)
	CallbackCounts(ctx context.Context, from time.Time, to time.Time) (models.CallbackCounts, error)
	CallbackMinutes(ctx context.Context, from time.Time, to time.Time) ([]models.CallbackMinute, error)
	ChangeRequest(ctx context.Context, id int64) (models.ChangeRequest, bool, error)
	ClockAhead() time.Duration
	CorrectionLimits(ctx context.Context) (models.AloneLimits, error)
	CountUnresolvedGrants(ctx context.Context) (n int64, err error)
	ExportHours(ctx context.Context) (int, error)
	GrantRules(ctx context.Context) (models.GrantRules, error)
	Keyed() bool
	LastCallback(ctx context.Context) (time.Time, bool, error)
	LastGameSync(ctx context.Context, succeeded bool) (models.GameSync, bool, error)
	Migrations(ctx context.Context) ([]models.Migration, error)
	MoneyUpTo(ctx context.Context) (time.Time, error)
	NoteLooked(ctx context.Context, staffID int64, upTo models.AuditEvent) error
	NoticeRules(ctx context.Context) (models.NoticeRules, error)
	Notices(ctx context.Context, f models.NoticeFilter) ([]models.Notice, bool, error)
	PlatformCalls(ctx context.Context, since time.Time) (log models.PlatformCallLog, err error)
	RefuseChange(ctx context.Context, by models.Signer, id int64) (models.ChangeRequest, error)
	ReportZone(ctx context.Context) (string, error)
	Replicas() []models.ReplicaState
	Restores(ctx context.Context) ([]models.Restore, error)
	RetryNotice(ctx context.Context, by models.Actor, id int64) error
	SetExportHours(ctx context.Context, by models.Actor, hours int) error
	SetNoticeRules(ctx context.Context, by models.Actor, rules models.NoticeRules) error
	SetReportZone(ctx context.Context, by models.Actor, name string) error
	SetSignInRules(ctx context.Context, actor models.Actor, rules models.SignInRules) error
	SignInRules(ctx context.Context) (models.SignInRules, error)
	Staff(ctx context.Context, id int64) (models.Staff, bool, error)
	Ties(ctx context.Context) (models.Ties, error)
	SeenIDs(ctx context.Context) ([]models.SeenIDs, error)
	TwoPeople(ctx context.Context) (models.TwoPeople, error)
	WaitingChanges(ctx context.Context) ([]models.ChangeRequest, error)
	WithdrawChange(ctx context.Context, by models.Signer, id int64) (models.ChangeRequest, error)
}
