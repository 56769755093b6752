package models

import "time"

// Beginning is where a wallet's two chains begin after a purge has archived what came before: the state that the last archived lines left
// behind. A wallet without one begins with its opening balance.
type Beginning struct {
	Wallet           // PlayerID, Balance, Seq, Head, SpinSeq and SpinHead as they were then
	At     time.Time // of the youngest line that was archived
	Proof  Hash      // Chain.Beginning
}

// Beginning proves that a wallet's chains may begin there: whoever lacks the key cannot cut off their front.
func (c *Chain) Beginning(b *Beginning) Hash {
	return c.sum('G', b.Head, func(buf []byte) []byte {
		buf = put(buf, b.PlayerID, b.Seq, int64(b.Balance), b.SpinSeq, b.At.UnixMicro())
		return append(buf, b.SpinHead[:]...)
	})
}
