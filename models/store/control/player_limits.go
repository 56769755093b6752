package control

import (
	"cmp"
	"context"
	"slices"

	"gorm.io/gorm"

	"pitboss/models"
	"pitboss/models/store/db"
	"pitboss/models/store/ledger"
)

// SetLimits changes a player's limits at the player's request; models/player_limit.go says when a change takes effect. Only the
// first limit needs zone; if it is empty, the zone of the player or else of reports is used. It returns an ApprovalError,
// models.ErrDecisionText, models.ErrPlayerUnknown, or an error of models.PlayerLimits.Change.
func (s *Store) SetLimits(ctx context.Context, by models.Signer, player int64, r models.LimitsRequest) error {
	rule := models.Restriction{Subject: models.OfPlayer, Until: models.Permanent}.Rule()
	return s.setLimits(ctx, by.Actor, player, r, func(tx *gorm.DB) error {
		return cmp.Or(rule.MayRequest(by), s.staff.CheckSigner(tx, by))
	})
}

// SetLimitsAs is SetLimits in the name of an API client with the scope for players.
func (s *Store) SetLimitsAs(ctx context.Context, by models.Actor, player int64, r models.LimitsRequest) error {
	return s.setLimits(ctx, by, player, r, func(*gorm.DB) error { return nil })
}

func (s *Store) setLimits(ctx context.Context, by models.Actor, player int64, r models.LimitsRequest,
	allowed func(*gorm.DB) error) error {
	return s.db.Change(ctx, func(tx *gorm.DB) error {
		if models.CheckDecisionText(r.Reason) != nil {
			return models.ErrDecisionText
		}
		p, err := s.spins.LockPlayer(tx, player)
		if err := cmp.Or(allowed(tx), err); err != nil {
			return err
		}
		zone, at := r.Zone, s.db.Now()
		had := models.ParseLimits(p.Wallet.Limits, p.Wallet.LimitSums)
		if len(had.At(at)) == 0 && zone == "" {
			zone = p.Zone
		}
		if len(had.At(at)) == 0 && zone == "" {
			if zone, err = s.db.ReadReportZone(tx); err != nil {
				return err
			}
		}
		limits, err := had.Change(zone, r.Changes, at)
		if err != nil {
			return err
		}
		for i, sums := range limits.Sums {
			counted, err := ledger.SumsSince(tx, player, sums.From)
			if err != nil {
				return err
			}
			counted.From, counted.Until = sums.From, sums.Until
			limits.Sums[i] = counted
		}
		text, sums := limits.Texts(at)
		if err := tx.Exec("UPDATE wallets SET limits = ?, limit_sums = ? WHERE player_id = ?", text, sums, player).Error; err != nil {
			return err
		}
		return s.db.Record(tx, models.AuditEvent{Actor: by, Action: models.PlayerLimitsSet, Object: "player",
			ObjectID: db.Numbered(player), Reason: r.Reason, Before: db.JsonText(had.Words(at)), After: db.JsonText(limits.Words(at))})
	})
}

// SetLanguage sets the language in which staff answer a player, and the player's time zone, empty if it is unknown. It returns
// models.ErrPlayerLanguage, an error of models.CheckZone or models.ErrPlayerUnknown.
func (s *Store) SetLanguage(ctx context.Context, by models.Actor, player int64, language, zone string) error {
	if !slices.Contains(models.PlayerLanguages, language) {
		return models.ErrPlayerLanguage
	}
	if zone != "" {
		if err := models.CheckZone(zone); err != nil {
			return err
		}
	}
	return s.db.Change(ctx, func(tx *gorm.DB) error {
		p, err := s.spins.LockPlayer(tx, player)
		if err != nil {
			return err
		}
		if p.Language == language && p.Zone == zone {
			return nil
		}
		if err := tx.Exec("UPDATE players SET language = ?, zone = ? WHERE id = ?", language, zone, player).Error; err != nil {
			return err
		}
		text := func(language, zone string) string {
			return db.JsonText(map[string]any{"language": language, "zone": zone})
		}
		return s.db.Record(tx, models.AuditEvent{Actor: by, Action: "player language set", Object: "player",
			ObjectID: db.Numbered(player), Before: text(p.Language, p.Zone), After: text(language, zone)})
	})
}
