package models_test

import (
	"encoding/hex"
	"math"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"pitboss/models"
)

var (
	goldenAt      = time.Date(2026, 3, 14, 15, 9, 26, 535897000, time.UTC)
	goldenPosting = models.Posting{
		PlayerID: 7, Seq: 3, Claim: models.ClaimApplied, Kind: models.Bet, Source: models.SourcePlatform,
		TransactionID: "474e1a293c2f4e7ab122c52d68423fcb",
		RoundID:       "ab9c15f2efdd46278e4a56b303127234", Bet: 1230, After: 8770, At: goldenAt, Signed: models.SignedDigest{1, 2, 3},
	}
	goldenSpin = models.SpinEntry{
		PlayerID: 7, Seq: 2, Kind: models.EntrySpinReversed, TransactionID: "474e1a293c2f4e7ab122c52d68423fcb",
		RoundID: "ab9c15f2efdd46278e4a56b303127234", Currency: "EUR", Spins: -1, Stake: -1230, GrantKnown: true, At: goldenAt,
		Signed: models.SignedDigest{1, 2, 3},
	}
)

// A ledger may be verified years later by another version of the program: what is hashed, and how, must never change. These
// values were computed with Python's hashlib and hmac from the encoding as sum's comment describes it.
func TestChainNeverChanges(t *testing.T) {
	var prev models.Hash
	for i := range prev {
		prev[i] = byte(i)
	}
	for name, row := range map[string]struct {
		key                             string
		entry, first, spin, fingerprint string
	}{
		"unkeyed": {"", "23425b8c5cdc0202751149cb085f11137d4ff790e99daafe775676a3f6c070d5",
			"4090953d7bb69627b8cc74b4fe82da7212cd8c4a4325adb15380f46b684df70b",
			"a974e1347ffc2db8b35f1cf4021d15ee83834a555619cc4bf2125fea196a6d6d", "unkeyed"},
		"keyed": {"ledger key", "2abc4c1358981c569688671b7e883c4b1096a88525ba3ad4ca75d11cd560187e",
			"13cc10a24d96139ab9c50e0b7fbc11932f5a0ff490b770b0bc1fce3b50d47527",
			"d48da2a531e50e304dccc2d57082ae2ed45063e277224dc627ac4638e2720327", "19532dd0d678304a"},
	} {
		t.Run(name, func(t *testing.T) {
			c := models.NewChain([]byte(row.key))
			e := c.PostingHash(prev, "EUR", &goldenPosting)
			require.Equal(t, row.entry, hex.EncodeToString(e[:]))
			f := c.PostingHash(models.Hash{}, "EUR", &goldenPosting)
			require.Equal(t, row.first, hex.EncodeToString(f[:]))
			s := c.SpinHash(prev, &goldenSpin)
			require.Equal(t, row.spin, hex.EncodeToString(s[:]))
			require.Equal(t, row.fingerprint, c.Fingerprint())
			require.Equal(t, row.key != "", c.Keyed())
		})
	}
}

// The numbers of kinds and sources are stored and hashed.
func TestStoredNumbersNeverChange(t *testing.T) {
	require.Equal(t, []models.EntryKind{1, 2, 3, 4, 5, 6, 7, 20, 21}, []models.EntryKind{
		models.EntryOpening, models.EntryBet, models.EntryWin, models.EntryBetReversed, models.EntryWinReversed,
		models.EntryTombstone,
		models.EntryAdjustment, models.EntrySpin, models.EntrySpinReversed,
	})
	require.Equal(t, []models.OperationKind{1, 2, 3, 4, 5, 6},
		[]models.OperationKind{models.Bet, models.Win, models.BetWin, models.Rollback, models.Opening, models.Adjustment})
	require.Equal(t, []models.Source{1, 2}, []models.Source{models.SourcePlatform, models.SourceOwn})
	require.Equal(t, []models.TransactionState{1, 2}, []models.TransactionState{models.Processed, models.Reversed})
}

// Small alphabets, so that texts shift across the borders between fields and numbers collide.
var (
	anyText   = rapid.StringOfN(rapid.RuneFrom([]rune("a1\x00\x01")), 0, 4, -1)
	anyNumber = rapid.OneOf(rapid.Int64Range(-2, 2), rapid.SampledFrom([]int64{math.MinInt64, math.MaxInt64, 256, 1 << 32}),
		rapid.Int64())
	anyTime = rapid.Custom(func(t *rapid.T) time.Time {
		return time.UnixMicro(rapid.Int64Range(-2, 1<<52).Draw(t, "us")).
			UTC()
	})
	anyHash    = rapid.Custom(func(t *rapid.T) (h models.Hash) { copy(h[:], anyText.Draw(t, "hash")); return h })
	anyPosting = rapid.Custom(func(t *rapid.T) posted {
		return posted{models.Currency(anyText.Draw(t, "currency")), models.Posting{
			PlayerID: anyNumber.Draw(t, "player"), Seq: anyNumber.Draw(t, "seq"),
			Claim: models.Claim(rapid.Byte().Draw(t, "claim")),
			Kind:  models.OperationKind(rapid.Byte().Draw(t, "kind")), Source: models.Source(rapid.Byte().Draw(t, "source")),
			TransactionID: models.TransactionID(anyText.Draw(t, "id")), RoundID: models.RoundID(anyText.Draw(t, "round")),
			Bet: models.Amount(anyNumber.Draw(t, "bet")), Win: models.Amount(anyNumber.Draw(t, "win")),
			FreeSpin: rapid.Bool().Draw(t, "free spin"),
			After:    models.Amount(anyNumber.Draw(t, "after")), At: anyTime.Draw(t, "at"),
		}}
	})
	anySpin = rapid.Custom(func(t *rapid.T) models.SpinEntry {
		return models.SpinEntry{
			PlayerID: anyNumber.Draw(t, "player"), Seq: anyNumber.Draw(t, "seq"),
			Kind:          models.EntryKind(rapid.Byte().Draw(t, "kind")),
			TransactionID: models.TransactionID(anyText.Draw(t, "id")), RoundID: models.RoundID(anyText.Draw(t, "round")),
			Currency: models.Currency(anyText.Draw(t, "currency")), Spins: anyNumber.Draw(t, "spins"),
			Stake: models.Amount(anyNumber.Draw(t, "stake")), GrantKnown: rapid.Bool().Draw(t, "known"),
			At: anyTime.Draw(t, "at"),
		}
	})
)

// posted is a posting with its wallet's currency.
type posted struct {
	Currency models.Currency
	models.Posting
}

func (p *posted) hash(c *models.Chain, prev models.Hash) models.Hash {
	return c.PostingHash(prev, p.Currency, &p.Posting)
}

// changes lists, one by one, every field of a posting that the hash has to cover.
func changes(e posted, with posted) []posted {
	var all []posted
	add := func(change func(*posted)) {
		c := e
		change(&c)
		all = append(all, c)
	}
	add(func(c *posted) { c.PlayerID = with.PlayerID })
	add(func(c *posted) { c.Seq = with.Seq })
	add(func(c *posted) { c.Claim = with.Claim })
	add(func(c *posted) { c.Kind = with.Kind })
	add(func(c *posted) { c.Source = with.Source })
	add(func(c *posted) { c.TransactionID = with.TransactionID })
	add(func(c *posted) { c.RoundID = with.RoundID })
	add(func(c *posted) { c.Currency = with.Currency })
	add(func(c *posted) { c.Bet = with.Bet })
	add(func(c *posted) { c.Win = with.Win })
	add(func(c *posted) { c.FreeSpin = with.FreeSpin })
	add(func(c *posted) { c.After = with.After })
	add(func(c *posted) { c.At = with.At })
	add(func(c *posted) {
		c.TransactionID, c.RoundID = models.TransactionID(c.RoundID), models.RoundID(c.TransactionID)
	})
	add(func(c *posted) { // the same bytes, split elsewhere
		joined := string(c.TransactionID) + string(c.RoundID) + string(c.Currency)
		half := len(joined) / 2
		c.TransactionID, c.RoundID, c.Currency = models.TransactionID(joined[:half]), models.RoundID(joined[half:]), ""
	})
	add(func(c *posted) { c.Bet, c.Win = c.Win, c.Bet })
	return all
}

// Two postings have the same hash only if they are the same posting after the same predecessor.
func TestChainTellsContentsApart(t *testing.T) {
	unkeyed, keyed, other := models.NewChain(nil), models.NewChain([]byte("key")), models.NewChain([]byte("another"))
	rapid.Check(t, func(t *rapid.T) {
		a, b := anyPosting.Draw(t, "a"), anyPosting.Draw(t, "b")
		prev, before := anyHash.Draw(t, "prev"), anyHash.Draw(t, "before")
		for _, c := range append(changes(a, b), b) {
			require.Equal(t, a == c, a.hash(unkeyed, prev) == c.hash(unkeyed, prev), "%+v and %+v", a, c)
		}
		require.Equal(t, prev == before, a.hash(unkeyed, prev) == a.hash(unkeyed, before))
		require.NotEqual(t, a.hash(unkeyed, prev), a.hash(keyed, prev))
		require.NotEqual(t, a.hash(other, prev), a.hash(keyed, prev))
		want := a.hash(unkeyed, prev)
		a.ID, a.Hash = 7, before
		require.Equal(t, want, a.hash(unkeyed, prev), "neither the row's number nor its own hash is hashed")
	})
}

func TestChainTellsSpinContentsApart(t *testing.T) {
	c := models.NewChain(nil)
	rapid.Check(t, func(t *rapid.T) {
		a, with := anySpin.Draw(t, "a"), anySpin.Draw(t, "b")
		prev := anyHash.Draw(t, "prev")
		for _, change := range []func(*models.SpinEntry){
			func(e *models.SpinEntry) { e.PlayerID = with.PlayerID },
			func(e *models.SpinEntry) { e.Seq = with.Seq },
			func(e *models.SpinEntry) { e.Kind = with.Kind },
			func(e *models.SpinEntry) { e.TransactionID = with.TransactionID },
			func(e *models.SpinEntry) { e.RoundID = with.RoundID },
			func(e *models.SpinEntry) { e.Currency = with.Currency },
			func(e *models.SpinEntry) { e.Spins = with.Spins },
			func(e *models.SpinEntry) { e.Stake = with.Stake },
			func(e *models.SpinEntry) { e.GrantKnown = with.GrantKnown },
			func(e *models.SpinEntry) { e.At = with.At },
			func(e *models.SpinEntry) { *e = with },
		} {
			b := a
			change(&b)
			require.Equal(t, a == b, c.SpinHash(prev, &a) == c.SpinHash(prev, &b), "%+v and %+v", a, b)
		}
		// A line of one ledger is not a line of the other, even if every number and text is the same.
		money := models.Posting{PlayerID: a.PlayerID, Seq: a.Seq, Kind: models.OperationKind(a.Kind),
			TransactionID: a.TransactionID, RoundID: a.RoundID, At: a.At}
		require.NotEqual(t, c.SpinHash(prev, &a), c.PostingHash(prev, a.Currency, &money))
	})
}

func TestChainIsSafeForConcurrentUse(t *testing.T) {
	c := models.NewChain([]byte("key"))
	want := c.PostingHash(models.Hash{}, "EUR", &goldenPosting)
	got := make(chan models.Hash)
	const many = 64
	for range many {
		go func() { got <- c.PostingHash(models.Hash{}, "EUR", &goldenPosting) }()
	}
	for range many {
		require.Equal(t, want, <-got)
	}
}

func TestNewChainKeepsItsOwnKey(t *testing.T) {
	key := []byte("ledger key")
	c := models.NewChain(key)
	clear(key)
	require.Equal(t, models.NewChain([]byte("ledger key")).Fingerprint(), c.Fingerprint())
	require.NotEqual(t, models.NewChain([]byte("another")).Fingerprint(), c.Fingerprint())
}
