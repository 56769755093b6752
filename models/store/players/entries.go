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
	next, edge := "seq <= ? ORDER BY seq DESC", at.ID // a bet with a win has two lines, and a page may begin or end between them
	switch {
	case at.Newer:
		next = "seq > ? ORDER BY seq"
	case at.IsZero():
		edge = math.MaxInt64
	}
	// Without the hint, MariaDB read 50,058 lines of a wallet's 100,000 for a page in the middle, instead of 58.
	postings, err := ledger.ReadPostings(s.db.Read.WithContext(ctx), ledger.SelectPostings+
		db.Path{Index: "postings_player"}.Hint(s.db.Dialect)+" WHERE player_id = ? AND seq > ? AND seq <= ? AND free_spin = 0 AND "+
		next+" LIMIT ?", player, low, high, edge, span.Limit+2)
	if err != nil {
		return page, fmt.Errorf("read entries: %w", err)
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
	return db.PageOf(entries, span), nil
}

// PlayerPostings returns a page of a player's postings of some kinds, newest first: money, free spins and rollbacks. It reads a
// limited number of rows.
func (s *Store) PlayerPostings(ctx context.Context, player int64, kinds []models.TimelineKind,
	span models.Span) (page models.Page[models.Posting], err error) {
	w := &db.Walk{Table: "postings", Dialect: s.db.Dialect, Newer: span.Page.Newer, From: span.Page.ID, Far: s.db.Far.AlongIndex}
	if err := s.db.Between(ctx, w, span.Since, span.Until); err != nil {
		return page, fmt.Errorf("list a player's postings: %w", err)
	}
	path, err := s.playerPath(ctx, player, w, span)
	if err != nil {
		return page, err
	}
	w.Paths = []db.Path{path}
	w.Also(fmt.Sprintf("CASE WHEN free_spin = 1 THEN %d WHEN kind BETWEEN %d AND %d THEN %d WHEN kind IN (%d, %d) THEN %d ELSE %d END IN ?",
		models.TimelineSpins, models.CashIn, models.CashBounced, models.TimelineCash, models.Opening, models.Adjustment,
		models.TimelineCorrections, models.TimelinePlay), models.TimelineNumbers(kinds))
	if !span.Since.IsZero() {
		w.Also("at_us >= ?", db.Micros(span.Since))
	}
	if !span.Until.IsZero() {
		w.Also("at_us < ?", db.Micros(span.Until))
	}
	ids, more, stopped, err := w.Page(ctx, s.db.Read, span.Limit)
	if err == nil && len(ids) > 0 {
		page.Rows, err = ledger.ReadPostings(s.db.Read.WithContext(ctx), ledger.SelectPostings+" WHERE id IN ? ORDER BY id DESC", ids)
	}
	page.More, page.Stopped = more, stopped
	if err != nil {
		return page, fmt.Errorf("list a player's postings: %w", err)
	}
	return page, nil
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
