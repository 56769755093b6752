package spins

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"gorm.io/gorm"

	"pitboss/models"
	"pitboss/models/store/db"
)

// SelectGrants selects grants t with their players and games.
func SelectGrants(db *gorm.DB) *gorm.DB {
	return db.Table("grants t").Joins("JOIN players p ON p.id = t.player_id").
		Joins("JOIN wallets w ON w.player_id = t.player_id").
		Joins("JOIN games g ON g.id = t.game_id").
		Select("t.*, p.user_id, w.currency, g.game_id AS game_platform_id, g.name AS game_name")
}

// mustGrant reads a grant that was just written, from the connections that wrote it.
func (s *Store) mustGrant(ctx context.Context, id int64) (models.Grant, error) {
	g, found, err := oneGrant(SelectGrants(s.db.Write.WithContext(ctx)).Where("t.id = ?", id))
	if err == nil && !found {
		err = models.ErrGrantUnknown
	}
	return g, err
}

func oneGrant(q *gorm.DB) (models.Grant, bool, error) {
	return db.One[models.Grant](q, "read grant")
}

// Grant returns the grant with this internal ID, or false if there is none.
func (s *Store) Grant(ctx context.Context, id int64) (models.Grant, bool, error) {
	return oneGrant(SelectGrants(s.db.Read.WithContext(ctx)).Where("t.id = ?", id))
}

// GrantByFreeSpinID returns the grant with the platform's ID, or false if there is none.
func (s *Store) GrantByFreeSpinID(ctx context.Context, id models.FreeSpinID) (models.Grant, bool, error) {
	return oneGrant(SelectGrants(s.db.Read.WithContext(ctx)).Where("t.free_spin_id = ?", id))
}

// Grants lists the grants that f selects, newest first, and reports whether there are more.
func (s *Store) Grants(ctx context.Context, f models.GrantFilter) ([]models.Grant, bool, error) {
	states := f.States
	if len(states) == 0 {
		states = []models.GrantState{0}
	}
	var rows []models.Grant
	for _, state := range states { // each has its own part of the index
		some, err := s.grantsIn(ctx, f, state)
		if err != nil {
			return nil, false, fmt.Errorf("list grants: %w", err)
		}
		rows = append(rows, some...)
	}
	slices.SortFunc(rows, func(a, b models.Grant) int {
		order := cmp.Or(a.At.Compare(b.At), cmp.Compare(a.ID, b.ID))
		if f.Page.Newer {
			return order
		}
		return -order
	})
	rows, more := db.InOrder(rows, f.Page, f.Limit)
	return rows, more, nil
}

// grantsIn returns a page's grants in a state, or in any state for 0.
func (s *Store) grantsIn(ctx context.Context, f models.GrantFilter, state models.GrantState) (rows []models.Grant, err error) {
	passing := state != 0 && state != models.GrantCompleted && state != models.GrantExpired // few grants are in such a state
	q := s.db.Along(db.Keyset(SelectGrants(s.db.Read.WithContext(ctx)), "t.at_us", "t.id", f.Page, f.Limit), "grants t",
		"grants_at",
		db.By{Asked: f.PlayerID != 0, Index: "grants_player"}, db.By{Asked: f.Disagreeing, Index: "grants_apart"},
		db.By{Asked: f.Unresolved || passing, Index: "grants_state"},
		db.By{Asked: f.ImportID != 0, Index: "grants_list_import"},
		db.By{Asked: f.Actor != "", Index: "grants_list_actor"}, db.By{Asked: f.GameID != 0, Index: "grants_game"},
		db.By{Asked: state != 0, Index: "grants_state"})
	if state != 0 {
		q = q.Where("t.state = ?", state)
	}
	if state == models.GrantActive && (f.SpinsLeft || f.UsedUp) {
		const usedUp = "(t.used >= t.spins OR t.ours >= t.spins AND (t.used = ? OR t.apart < ?))" // Grant.UsedSpins
		if f.UsedUp {
			q = q.Where(usedUp, models.NoCount, models.ApartForLong)
		} else {
			q = q.Where("NOT "+usedUp, models.NoCount, models.ApartForLong)
		}
	}
	if f.Unresolved {
		q = q.Where("t.state = ? AND t.resolution = ?", models.GrantUnknown, models.Unresolved)
	}
	if f.Disagreeing {
		q = q.Where("t.apart >= ?", models.ApartForLong)
	}
	if f.PlayerID != 0 {
		q = q.Where("t.player_id = ?", f.PlayerID)
	}
	if f.GameID != 0 {
		q = q.Where("t.game_id = ?", f.GameID)
	}
	if f.ImportID != 0 {
		q = q.Where("t.import_id = ?", f.ImportID)
	}
	if f.RepeatOf != 0 {
		q = q.Where("t.repeat_of = ?", f.RepeatOf)
	}
	if f.Actor != "" {
		q = q.Where("t.actor = ?", f.Actor)
	}
	err = q.Scan(&rows).Error
	return rows, err
}

// CountUnresolvedGrants counts the grants of unknown outcome that a person has to resolve.
func (s *Store) CountUnresolvedGrants(ctx context.Context) (int64, error) {
	read := s.db.Read.WithContext(ctx)
	return db.Once(read, "number of unresolved grants", func() (n int64, err error) {
		err = read.Model(&models.Grant{}).Where("state = ? AND resolution = ?", models.GrantUnknown, models.Unresolved).
			Count(&n).Error
		if err != nil {
			return 0, fmt.Errorf("count grants of unknown outcome: %w", err)
		}
		return n, nil
	})
}
