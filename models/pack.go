package models

import "crypto/ed25519"

// PackKey returns the key that signs packs, or nil if the ledger has no key. It is derived from the ledger's key, so that there
// is no second secret to keep. Its public half is on the Integrity page.
func (c *Chain) PackKey() ed25519.PrivateKey {
	if !c.Keyed() {
		return nil
	}
	seed := c.sum(tagPack, Hash{}, func(b []byte) []byte { return b })
	return ed25519.NewKeyFromSeed(seed[:])
}
