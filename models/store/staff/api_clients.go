package staff

import (
	"context"
	"encoding/hex"
	"errors"
	"fmt"
	"time"

	"gorm.io/gorm"

	"pitboss/models"
	"pitboss/models/store/db"
)

// Clients of the operator's API. models/api_client.go says who decides what about them.

// changedClient is the subject of requests for a new client, or for other terms of one.
var changedClient = changeSubject{
	current: func(s *Store, tx *gorm.DB, after string) (string, error) {
		r, err := models.ParseAPITerms(after)
		if err != nil || r.ID == 0 {
			return "", err
		}
		c, err := db.Locked[models.APIClient](s.db, tx, r.ID, models.ErrClientUnknown)
		return db.JsonText(models.APITermsRequest{ID: c.ID, APITerms: c.APITerms}), err
	},
	check: func(value string) error {
		_, err := models.ParseAPITerms(value)
		return err
	},
	apply: func(s *Store, tx *gorm.DB, by models.Actor, r *models.ChangeRequest) error {
		want, err := models.ParseAPITerms(r.After)
		if err != nil {
			return err
		}
		c, action := models.APIClient{At: s.db.Now(), APITerms: want.APITerms}, "API client created"
		write := db.Create[models.APIClient]
		if want.ID != 0 {
			if c, err = db.Locked[models.APIClient](s.db, tx, want.ID, models.ErrClientUnknown); err != nil {
				return err
			}
			if err := tx.Exec("DELETE FROM client_cash WHERE client_id = ?", c.ID).Error; err != nil {
				return err
			}
			c.APITerms, action, write = want.APITerms, "API client changed", db.Save[models.APIClient]
		}
		err = write(s.db, tx, &c, clientEvent(by, c, action, fmt.Sprintf("Change request %d of %s: %s", r.ID, r.Maker.Username, r.Reason)))
		if db.IsDuplicate(err) {
			err = models.ErrClientNameTaken
		}
		return err
	},
}

func clientEvent(by models.Actor, c models.APIClient, action, reason string) models.AuditEvent {
	return models.AuditEvent{Actor: by, Action: action,
		After: db.JsonText(map[string]any{"name": c.Name, "scopes": c.Scopes, "networks": c.Networks, "test": c.Test,
			"per_minute": c.PerMinute, "cash": c.Cash, "cash_per_day": c.CashPerDay,
			"cash_per_player": c.CashPerPlayer, "approve_above": c.ApproveAbove, "webhook": c.Webhook,
			"events": c.Events, "previous_until": timeText(c.PreviousUntil)}), Reason: reason}
}

func timeText(t time.Time) string {
	if t.IsZero() {
		return ""
	}
	return t.Format(time.RFC3339)
}

// changedSecret is the subject of requests for a new secret of a client.
var changedSecret = changeSubject{
	about: func(value string) int64 {
		r, _, _ := models.ParseAPISecretRequest(value)
		return r.ID
	},
	current: func(s *Store, tx *gorm.DB, after string) (string, error) {
		r, _, err := models.ParseAPISecretRequest(after)
		if err != nil {
			return "", err
		}
		c, err := db.Locked[models.APIClient](s.db, tx, r.ID, models.ErrClientUnknown)
		return db.JsonText(map[string]any{"id": c.ID, "secret_at": timeText(c.SecretAt), "revoked_at": timeText(c.RevokedAt)}), err
	},
	check: func(value string) error {
		_, _, err := models.ParseAPISecretRequest(value)
		return err
	},
	apply: func(s *Store, tx *gorm.DB, by models.Actor, r *models.ChangeRequest) error {
		want, first, err := models.ParseAPISecretRequest(r.After)
		if err != nil {
			return err
		}
		c, err := db.Locked[models.APIClient](s.db, tx, want.ID, models.ErrClientUnknown)
		if err != nil {
			return err
		}
		c.Previous, c.PreviousUntil = c.Secret, s.db.Now().Add(time.Duration(want.Overlap)*time.Hour)
		if c.Previous == (models.Hash{}) || want.Overlap == 0 {
			c.Previous, c.PreviousUntil = models.Hash{}, time.Time{}
		}
		half, second := models.NewHalfSecret()
		c.Secret, c.SecretAt, c.RevokedAt, r.Half = models.JoinHalves(first, second), s.db.Now(), time.Time{}, half
		return db.Save(s.db, tx, &c, clientEvent(by, c, "API client given a secret",
			fmt.Sprintf("Change request %d of %s: %s", r.ID, r.Maker.Username, r.Reason)))
	},
}

// RequestAPISecret requests a new secret for a client, and returns the beginning of the token, up to the first half of the
// secret. ApproveChange makes the second half. It returns the errors of RequestChange, or models.ErrClientUnknown or
// ErrSecretOverlap.
func (s *Store) RequestAPISecret(ctx context.Context, by models.Signer, id int64, overlapHours int,
	reason string) (begin string, r models.ChangeRequest, err error) {
	c, found, err := s.APIClient(ctx, id)
	switch {
	case err != nil:
		return "", r, err
	case !found:
		return "", r, models.ErrClientUnknown
	case overlapHours < 0 || overlapHours > int(models.MaxSecretOverlap.Hours()):
		return "", r, models.ErrSecretOverlap
	}
	half, first := models.NewHalfSecret()
	r, err = s.RequestChange(ctx, by, models.ChangeAPISecret, models.APISecretRequest{ID: id, Name: c.Name,
		First: hex.EncodeToString(first[:]), Overlap: overlapHours}, reason)
	return models.APIToken(id, half), r, err
}

// RevokeAPIClient refuses a client's calls until it has a new secret. It returns models.ErrClientUnknown, ErrClientRevoked,
// ErrReasonMissing or an ApprovalError.
func (s *Store) RevokeAPIClient(ctx context.Context, by models.Signer, id int64, reason string) error {
	if reason == "" {
		return models.ErrReasonMissing
	}
	return s.db.Change(ctx, func(tx *gorm.DB) error {
		c, err := db.Locked[models.APIClient](s.db, tx, id, models.ErrClientUnknown)
		if err != nil {
			return err
		}
		if !c.RevokedAt.IsZero() {
			return models.ErrClientRevoked
		}
		if err := errors.Join(models.ChangeRule.MayRequest(by), s.CheckSigner(tx, by)); err != nil {
			return err
		}
		c.Secret, c.Previous, c.PreviousUntil, c.RevokedAt = models.Hash{}, models.Hash{}, time.Time{}, s.db.Now()
		return db.Save(s.db, tx, &c, clientEvent(by.Actor, c, "API client revoked", reason))
	})
}

// APIClient returns the client with this number, or false if there is none. It returns a models.TamperedError if it differs
// from the audit log.
func (s *Store) APIClient(ctx context.Context, id int64) (models.APIClient, bool, error) {
	return db.Load[models.APIClient](s.db, s.db.Read.WithContext(ctx), id)
}

// APIClientsByID is APIClient for several clients. It returns those that exist.
func (s *Store) APIClientsByID(ctx context.Context, ids []int64) ([]models.APIClient, error) {
	return db.LoadMany[models.APIClient](s.db, s.db.Read.WithContext(ctx), ids)
}

// APIClients returns a page of the clients that f selects, newest first.
func (s *Store) APIClients(ctx context.Context, f models.APIClientFilter) (models.Page[models.APIClient], error) {
	list := db.List{Table: "api_clients", Index: "api_clients_at", At: "at_us", ID: "id", Span: f.Span, Filters: []db.Filter{
		db.If(f.Revoked != nil, "", "(revoked_at_us > 0) = ?", f.Revoked)}}
	return db.FindPage[models.APIClient](s.db, s.db.Read.WithContext(ctx), list)
}

// ForRequest returns a context in which the first change that commits also stores the request, with the object of its first
// audit event. If a request with the same key is stored already, nothing is changed.
func (s *Store) ForRequest(ctx context.Context, r models.APIRequest) context.Context {
	return db.Also(ctx, func(tx *gorm.DB, events []models.AuditEvent) error {
		if len(events) == 0 {
			return errors.New("a request that changes something has an audit event")
		}
		r.Object, r.ObjectID, r.At = events[0].Object, events[0].ObjectID, s.db.Now()
		return tx.Create(&r).Error
	})
}

// ListKey returns the key that hides the places of a list from a client.
func (s *Store) ListKey(client int64, list string) models.Hash {
	return s.db.Chain.ListKey(client, list)
}

// WebhookSecrets returns the secrets of a client's webhook, the current one first. There are none if the ledger has no key.
func (s *Store) WebhookSecrets(c models.APIClient) []string {
	return s.db.Chain.WebhookSecrets(c, s.db.Now())
}

// KeepAPIRequest stores a request that had nothing to change.
func (s *Store) KeepAPIRequest(ctx context.Context, r models.APIRequest, object, id string) error {
	return s.db.Change(ctx, func(tx *gorm.DB) error {
		r.Object, r.ObjectID, r.At = object, id, s.db.Now()
		return tx.Create(&r).Error
	})
}

// APIRequest returns the stored request of a client with a key, or false if there is none.
func (s *Store) APIRequest(ctx context.Context, client int64, key string) (models.APIRequest, bool, error) {
	return db.One[models.APIRequest](s.db.Write.WithContext(ctx).Where("client_id = ? AND idem_key = ?", client, key))
}
