package models

import "time"

// Beginning is where a wallet's two chains begin after a purge has archived what came before: the state that the last archived
// lines left behind. A wallet without one begins with its opening balance.
type Beginning struct {
	Wallet            // PlayerID, Balance, Seq, Head, SpinSeq and SpinHead as they were then
	At      time.Time // of the youngest line that was archived
	Retired Hash      // of the postings that a purge has kept in part, whichever their order: Beginning.Retire
	Proof   Hash      // Chain.Beginning
}

// Beginning proves that a wallet's chains may begin there: whoever lacks the key cannot cut off their front.
func (c *Chain) Beginning(b *Beginning) Hash {
	return c.sum('G', b.Head, func(buf []byte) []byte {
		buf = put(buf, b.PlayerID, b.Seq, int64(b.Balance), b.SpinSeq, b.At.UnixMicro())
		buf = append(buf, b.SpinHead[:]...)
		return append(buf, b.Retired[:]...)
	})
}

// Retire adds a posting to those of which what is needed to refuse its ID again is kept.
func (b *Beginning) Retire(c *Chain, p *Posting) {
	free := int64(0)
	if p.FreeSpin {
		free = 1
	}
	of := c.sum('R', Hash{}, func(buf []byte) []byte {
		buf = put(buf, p.PlayerID, int64(p.Source), int64(p.Claim), int64(p.Kind), int64(p.Bet), int64(p.Win), free,
			p.At.UnixMicro())
		return putText(buf, string(p.TransactionID), string(p.RoundID))
	})
	for i := range of {
		b.Retired[i] ^= of[i]
	}
}
