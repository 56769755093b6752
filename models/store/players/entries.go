package players

import (
	"context"
	"fmt"
	"math"
	"slices"
	"time"

	"pitboss/models"
	"pitboss/models/store/db"
	"pitboss/models/store/ledger"
)

// Entries returns a page of a player's money ledger, newest line first. It reads about as many rows as it returns, however long
// the ledger is.
func (s *Store) Entries(ctx context.Context, player int64, span models.Span) (page models.Page[models.Entry], err error) {
	low, high, err := s.linesBetween(ctx, player, span.Since, span.Until)
	if err != nil {
		return page, err
	}
	at := span.Page
	l := db.List{Table: "postings", ID: "seq", Span: models.Span{Page: at, Limit: span.Limit + 1}, Filters: []db.Filter{
		db.If(true, "postings_player", "player_id = ? AND seq > ? AND seq <= ?", player, low, high), db.Most("free_spin = 0")}}
	if !at.IsZero() && !at.Newer {
		l.Span.Page.ID++ // a bet with a win has two lines, and a page may begin or end between them
	}
	postings, err := s.postings(ctx, &l)
	if err != nil {
		return page, err
	}
	entries := make([]models.Entry, 0, span.Limit+4)
	for i := range postings {
		lines := postings[i].Entries("")
		if !at.Newer {
			slices.Reverse(lines)
		}
		for _, e := range lines {
			if at.IsZero() || at.Newer && e.Seq > at.ID || !at.Newer && e.Seq < at.ID {
				entries = append(entries, e)
			}
		}
	}
	return db.PageOf(entries, db.List{Span: span}), nil
}

// PlayerPostings returns a page of a player's postings of some kinds, newest first: money, free spins and rollbacks. It reads a
// limited number of rows.
func (s *Store) PlayerPostings(ctx context.Context, player int64, kinds []models.TimelineKind,
	span models.Span) (page models.Page[models.Posting], err error) {
	path, err := s.playerPath(ctx, player, span)
	if err != nil {
		return page, err
	}
	ofKinds := db.If(true, "", fmt.Sprintf("CASE WHEN free_spin = 1 THEN %d WHEN kind BETWEEN %d AND %d THEN %d WHEN kind IN (%d, %d) THEN %d ELSE %d END IN ?",
		models.TimelineSpins, models.CashIn, models.CashBounced, models.TimelineCash, models.Opening, models.Adjustment,
		models.TimelineCorrections, models.TimelinePlay), db.Ints(kinds))
	l := db.List{Table: "postings", ID: "id", Events: true, Span: span, Filters: []db.Filter{db.Along(true, []db.Path{path}, ""), ofKinds}}
	postings, err := s.postings(ctx, &l)
	if err != nil {
		return page, err
	}
	return db.PageOf(postings, l), nil
}

// postings reads the postings of a list, in the direction of its page.
func (s *Store) postings(ctx context.Context, l *db.List) ([]models.Posting, error) {
	from, args, err := s.db.From(ctx, l)
	if err != nil {
		return nil, err
	}
	return ledger.ReadPostings(s.db.Read.WithContext(ctx), "SELECT "+ledger.SelectOf("postings")+" FROM "+from+" ORDER BY "+l.Order(),
		args...)
}

// linesBetween returns the last line of a ledger before a period, and the last one in it.
func (s *Store) linesBetween(ctx context.Context, player int64, since, until time.Time) (low, high int64, err error) {
	high = math.MaxInt64
	if since.IsZero() && until.IsZero() {
		return low, high, nil
	}
	p, _, err := s.PlayerByID(ctx, player)
	if err != nil {
		return low, high, err
	}
	if !since.IsZero() {
		at, err := s.LedgerAt(ctx, p, since)
		if err != nil {
			return low, high, err
		}
		low = at.Seq
	}
	if !until.IsZero() {
		at, err := s.LedgerAt(ctx, p, until)
		high = at.Seq
		return low, high, err
	}
	return low, high, nil
}
