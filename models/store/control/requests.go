package control

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"pitboss/models"
	"pitboss/models/store/db"
)

// requestKind is a kind of request that takes two people: how one is read and decided, and the columns of its table that lists
// need.
type requestKind struct {
	name   string // the Object of its audit events
	read   func(*Store, context.Context, int64) (models.Requested, bool, error)
	decide func(*Store, context.Context, models.Signer, models.Decision) (models.Requested, error)

	table                            string
	player, amount, currency, reason string // 0 and '' if it has none
	about                            string // what decides who approves it
	ends                             string // when it ends without a decision
}

const never = "9223372036854775807"

// requestKinds are all kinds. A new kind needs a row here, one in WaitingRequests.Rule, and its page.
var requestKinds = []requestKind{
	{name: "correction", table: "corrections", player: "player_id", amount: "effect_minor",
		currency: "(SELECT currency FROM wallets w WHERE w.player_id = t.player_id)", reason: "note", about: "''", ends: never,
		read: reads((*Store).Correction), decide: decides((*Store).decideCorrection)},
	{name: "campaign", table: "campaigns", player: "0", amount: "0", currency: "''", reason: "name", about: "''", ends: "expires_at_us",
		read: reads(func(s *Store, ctx context.Context, id int64) (models.Campaign, bool, error) {
			return s.spins.Campaign(ctx, id)
		}),
		decide: decides(func(s *Store, ctx context.Context, by models.Signer, d models.Decision) (models.Campaign, error) {
			return s.spins.DecideCampaign(ctx, by, d)
		})},
	{name: "restriction", table: "restrictions", player: "player_id", amount: "0", currency: "''", reason: "end_reason",
		about: fmt.Sprintf("CASE WHEN kind = %d AND setter_role = '%s' OR kind = %d AND maker_role <> '%[2]s' THEN '%[2]s' "+
			"ELSE CAST(subject AS CHAR) END", models.MoneyLaundering, models.Compliance, models.SelfExclusion), // Restriction.Rule
		ends: fmt.Sprintf("CASE WHEN kind = %d AND until_us > at_us + %d THEN at_us + %[2]d ELSE until_us END",
			models.SelfExclusion, models.MistakeFor.Microseconds()),
		read: reads((*Store).Restriction), decide: decides((*Store).decideEnd)},
	{name: "cash-out", table: "cash_reviews", player: "player_id", amount: "amount_minor", currency: "currency", reason: "''",
		about: "''", ends: never, read: reads((*Store).CashReview), decide: decides((*Store).decideCashOut)},
	{name: "change", table: "change_requests", player: "0", amount: "0", currency: "''", reason: "reason", about: "subject", ends: never,
		read: reads(func(s *Store, ctx context.Context, id int64) (models.ChangeRequest, bool, error) {
			return s.staff.ChangeRequest(ctx, id)
		}),
		decide: decides(func(s *Store, ctx context.Context, by models.Signer, d models.Decision) (models.ChangeRequest, error) {
			return s.staff.DecideChange(ctx, by, d)
		})},
}

// row is a pointer to a row that takes two people.
type row[T any] interface {
	*T
	models.Requested
}

func reads[T any, R row[T]](read func(*Store, context.Context, int64) (T, bool, error)) func(*Store, context.Context,
	int64) (models.Requested, bool, error) {
	return func(s *Store, ctx context.Context, id int64) (models.Requested, bool, error) {
		r, found, err := read(s, ctx, id)
		return R(&r), found, err
	}
}

func decides[T any, R row[T]](decide func(*Store, context.Context, models.Signer, models.Decision) (T, error)) func(*Store,
	context.Context, models.Signer, models.Decision) (models.Requested, error) {
	return func(s *Store, ctx context.Context, by models.Signer, d models.Decision) (models.Requested, error) {
		r, err := decide(s, ctx, by, d)
		return R(&r), err
	}
}

func requestKindOf(name string) *requestKind {
	i := slices.IndexFunc(requestKinds, func(k requestKind) bool { return k.name == name })
	return &requestKinds[i]
}

// Request returns the request of a kind with this number, or false if there is none.
func (s *Store) Request(ctx context.Context, kind string, id int64) (models.Requested, bool, error) {
	return requestKindOf(kind).read(s, ctx, id)
}

// Decide approves, refuses or withdraws a request, puts the decision into effect in the same transaction, and returns the
// request. It returns an ApprovalError if the person may not decide that, or the request has changed since they saw it: see
// staff.Decided. The other errors are those of the kind's function.
func (s *Store) Decide(ctx context.Context, by models.Signer, d models.Decision) (models.Requested, error) {
	r, err := requestKindOf(d.Kind).decide(s, ctx, by, d)
	if err != nil {
		return nil, fmt.Errorf("decide %s %d: %w", d.Kind, d.ID, err)
	}
	return r, nil
}

// WaitingRequests counts the requests of some kinds that wait for a second person.
func (s *Store) WaitingRequests(ctx context.Context, kinds ...string) (list []models.WaitingRequests, err error) {
	for _, k := range requestKinds {
		if !slices.Contains(kinds, k.name) {
			continue
		}
		found, err := db.All[models.WaitingRequests](s.db.Read.WithContext(ctx), "SELECT '"+k.name+"' AS kind, "+
			k.about+" AS about, maker_id, COUNT(*) AS n FROM "+k.table+" WHERE state = ? AND "+k.ends+" > ? GROUP BY "+k.about+", maker_id",
			models.ApprovalWaiting, db.Micros(s.db.Now()))
		if err != nil {
			return nil, err
		}
		list = append(list, found...)
	}
	return list, nil
}

// RequestsBy returns a staff member's requests, newest first and up to limit.
func (s *Store) RequestsBy(ctx context.Context, staffID int64, limit int) ([]models.Request, error) {
	list, err := s.requests(ctx, nil, "DESC", limit, func(requestKind) (string, []any) { return "maker_id = ?", []any{staffID} })
	return list[:min(len(list), limit)], err
}

// RequestsWaiting returns the requests of some kinds that wait for a second person, oldest first and up to limit of each kind.
func (s *Store) RequestsWaiting(ctx context.Context, kinds []string, limit int) ([]models.Request, error) {
	return s.requests(ctx, kinds, "ASC", limit, func(k requestKind) (string, []any) {
		return "state = ? AND " + k.ends + " > ?", []any{models.ApprovalWaiting, db.Micros(s.db.Now())}
	})
}

// requests returns the requests of some kinds, or all if kinds is nil, that a condition selects.
func (s *Store) requests(ctx context.Context, kinds []string, order string, limit int,
	where func(requestKind) (string, []any)) ([]models.Request, error) {
	var each []string
	var args []any
	for _, k := range requestKinds {
		if kinds != nil && !slices.Contains(kinds, k.name) {
			continue
		}
		condition, values := where(k)
		each = append(each, "SELECT * FROM (SELECT '"+k.name+"' AS kind, "+k.about+" AS about, id, at_us, "+k.player+" AS player_id, "+
			k.amount+" AS amount_minor, "+k.currency+" AS currency, "+k.reason+" AS reason, maker_id, maker, maker_role, state, "+
			"checker_id, checker, checker_role, decided_at_us, decision_note FROM "+k.table+" t WHERE "+condition+
			" ORDER BY at_us "+order+", id "+order+" LIMIT ?) "+k.table)
		args = append(append(args, values...), limit)
	}
	if len(each) == 0 {
		return nil, nil
	}
	return db.All[models.Request](s.db.Read.WithContext(ctx),
		"SELECT r.*, COALESCE(p.user_id, '') AS user_id FROM ("+strings.Join(each, " UNION ALL ")+
			") r LEFT JOIN players p ON p.id = r.player_id ORDER BY r.at_us "+order+", r.kind, r.id "+order, args...)
}
