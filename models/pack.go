package models

// LedgerPlace is a place in a player's money ledger: the state after the lines before it.
type LedgerPlace struct {
	Seq     int64 // of the last line before the place; 0 if there is none
	Balance Amount
	Head    Hash // of that line's posting; zero if there is none
}

// SpinPlace is a place in a player's free-spin ledger.
type SpinPlace struct {
	Seq  int64
	Head Hash
}

// PrecededAuditLine is an audit event with the hash of the event before it, from which its own hash follows.
type PrecededAuditLine struct {
	AuditLine
	Previous Hash
}

// Pack returns the seal of a dispute pack with this digest of its manifest. Without a key, the seal only detects accidents.
func (c *Chain) Pack(manifest Hash) Hash {
	return c.sum(tagPack, manifest, func(b []byte) []byte { return b })
}
