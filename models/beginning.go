package models

import "time"

// Beginning is where a wallet's two chains begin after a purge: the state after the last archived lines. A wallet without one
// begins with its opening balance.
type Beginning struct {
	Wallet            // PlayerID, and Balance, Held, Seq, Head, SpinSeq and SpinHead at that point
	At      time.Time `gorm:"column:at_us;serializer:micros"` // of the latest archived line
	Retired Hash      // digest of the postings whose IDs a purge has kept, in any order: see Retire
	Proof   Hash      // Chain.Beginning
}

// Beginning returns the proof of where a wallet's chains begin: without the key, nobody can cut off their front.
func (c *Chain) Beginning(b *Beginning) Hash {
	return c.sum(tagBeginning, b.Head, func(buf []byte) []byte {
		buf = put(buf, b.PlayerID, b.Seq, int64(b.Balance), int64(b.Held), b.SpinSeq, b.At.UnixMicro())
		buf = append(buf, b.SpinHead[:]...)
		return append(buf, b.Retired[:]...)
	})
}

// Retire adds a posting to the digest. Its ID is kept, so that it can be refused if it comes again.
func (b *Beginning) Retire(c *Chain, p *Posting) {
	free := int64(0)
	if p.FreeSpin {
		free = 1
	}
	of := c.sum(tagRetired, Hash{}, func(buf []byte) []byte {
		buf = put(buf, p.PlayerID, int64(p.Source), int64(p.Claim), int64(p.Kind), int64(p.Bet), int64(p.Win), free,
			p.At.UnixMicro())
		return putText(buf, string(p.TransactionID), string(p.RoundID))
	})
	for i := range of {
		b.Retired[i] ^= of[i]
	}
}
