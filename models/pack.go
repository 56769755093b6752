package models

// LedgerPlace is a place in a player's money ledger: what the lines up to it left behind.
type LedgerPlace struct {
	Seq     int64 // of the last line before the place; 0 before the first
	Balance Amount
	Head    Hash // of that line's posting; zero before the first
}

// SpinPlace is a place in a player's free-spin ledger.
type SpinPlace struct {
	Seq  int64
	Head Hash
}

// PrecededAuditLine is an audit event with the hash of the event before it, of whatever it is: what its own hash follows from.
type PrecededAuditLine struct {
	AuditLine
	Previous Hash
}

// Pack seals a dispute pack by the digest of its manifest. An unkeyed chain's seal shows accidents only.
func (c *Chain) Pack(manifest Hash) Hash {
	return c.sum('D', manifest, func(b []byte) []byte { return b })
}
