package ledger

import (
	"fmt"
	"slices"
	"strings"

	"pitboss/models"
)

// Whether a member's signature was used for another reading of its text, once signed.go has looked up what there is.

// candidates returns the transactions that could be readings of m's text.
func (b *ledgerBatch) candidates(m *Member) (list []*models.Transaction) {
	if m.settled || m.Op.Signed == "" {
		return nil
	}
	if t := b.prior[TransactionKey{models.SourcePlatform, m.Op.TransactionID}]; t != nil {
		list = append(list, t)
	}
	for _, id := range b.signed.ids[m] {
		if t := b.prior[TransactionKey{models.SourcePlatform, id}]; t != nil {
			list = append(list, t)
		}
	}
	return list
}

// reused reports whether m's signature was used for another reading of its text, accepted or declined, and sets m.cause. An
// exact repeat of an accepted callback is not reused: it books nothing.
func (b *ledgerBatch) reused(m *Member) bool {
	if m.Op.Signed == "" {
		return false
	}
	if t := b.prior[TransactionKey{models.SourcePlatform, m.Op.TransactionID}]; t != nil && t.SameContents(m.PlayerID, m.Op) {
		return false
	}
	s := &b.signed
	for _, t := range b.candidates(m) {
		user, other := m.Op.SignedAs(t)
		// An erased player had this name, or a name that ends the text in the same way, which does not happen by chance.
		if name := s.names[t.PlayerID]; other && (name == user || name == models.ErasedName(t.PlayerID)) {
			m.cause = "the signature was used before, for transaction " + shortened(string(t.TransactionID))
			return true
		}
	}
	for _, id := range s.ids[m] {
		user, ok := strings.CutSuffix(m.Op.Signed, string(id))
		if player := s.named[models.UserID(user)]; ok && player != 0 &&
			b.tombstones[models.Tombstone{PlayerID: player, TransactionID: id}] {
			m.cause = "the signature was used before, for a rollback of " + shortened(string(id))
			return true
		}
	}
	if m.Op.Kind == models.Rollback && s.named[models.UserID(m.Op.Signed)] != 0 {
		m.cause = "the signature may be from a GetBalance: userID and transactionID together are the name of a player"
		return true
	}
	r, known := s.declined[b.digest(m)]
	// If its own transaction ID is known, the callback books nothing whatever the endpoint, and the platform expects result 11
	// or 9.
	if own := m.Op.Reading(); known && r != own &&
		!(r.UserLength == own.UserLength && r.TransactionLength == own.TransactionLength && b.seen(m)) {
		m.cause = fmt.Sprintf("the signature was used before, for a %s that booked nothing", models.CallbackKind(r.Kind))
		return true
	}
	return false
}

// seen reports whether m's transaction ID was applied, or has a tombstone.
func (b *ledgerBatch) seen(m *Member) bool {
	return b.prior[TransactionKey{m.Op.Source, m.Op.TransactionID}] != nil ||
		b.tombstones[models.Tombstone{PlayerID: m.PlayerID, TransactionID: m.Op.TransactionID}]
}

// shortened returns an ID for use in a sentence.
func shortened(id string) string {
	const most = 160
	if len(id) <= most {
		return id
	}
	return strings.ToValidUTF8(id[:most], "") + "..."
}

// note keeps what later readings of m's text will be compared with: the shape of its IDs or, if it was declined, its text.
func (b *ledgerBatch) note(m *Member, o *models.Outcome, prior *models.Transaction) {
	if m.Op.Source != models.SourcePlatform {
		return
	}
	s := &b.signed
	switch {
	case o.Process || o.Tombstone:
		if shape := m.Op.Shape(); !s.stored.Has(shape) && !slices.Contains(s.added, shape) {
			s.added = append(s.added, shape)
		}
	case m.Op.Signed == "" || o.Reverse || m.Op.Kind == models.Rollback && o.Decline == models.RolledBack:
	case prior != nil && prior.SameContents(m.PlayerID, m.Op):
	default:
		if _, known := s.declined[b.digest(m)]; !known {
			s.declined[b.digest(m)] = m.Op.Reading()
			s.claims = append(s.claims, m)
		}
	}
}
