package settings

import (
	"context"

	"pitboss/models"
)

// Store is what this part of the site needs from the database.
type Store interface {
	ApproveChange(ctx context.Context, by models.Signer, id int64) (models.ChangeRequest, error)
	AskTestNotice(ctx context.Context, by models.Actor, channels []models.NoticeChannel) error
	AuditLog(ctx context.Context, f models.AuditFilter) (models.Page[models.AuditEvent], error)
	ChangeRequest(ctx context.Context, id int64) (models.ChangeRequest, bool, error)
	CorrectionLimits(ctx context.Context) (models.AloneLimits, error)
	ExportHours(ctx context.Context) (int, error)
	GrantRules(ctx context.Context) (models.GrantRules, error)
	NoticeRules(ctx context.Context) (models.NoticeRules, error)
	Notices(ctx context.Context, f models.NoticeFilter) ([]models.Notice, bool, error)
	RefuseChange(ctx context.Context, by models.Signer, id int64, why string) (models.ChangeRequest, error)
	ReportZone(ctx context.Context) (string, error)
	RetryNotice(ctx context.Context, by models.Actor, id int64) error
	SetExportHours(ctx context.Context, by models.Actor, hours int) error
	SetNoticeRules(ctx context.Context, by models.Actor, rules models.NoticeRules) error
	SetReportZone(ctx context.Context, by models.Actor, name string) error
	SetSignInRules(ctx context.Context, actor models.Actor, rules models.SignInRules) error
	SignInRules(ctx context.Context) (models.SignInRules, error)
	Ties(ctx context.Context) (models.Ties, error)
	TwoPeople(ctx context.Context) (models.TwoPeople, error)
	WaitingChanges(ctx context.Context) ([]models.ChangeRequest, error)
	WithdrawChange(ctx context.Context, by models.Signer, id int64) (models.ChangeRequest, error)
}
