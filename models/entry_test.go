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
	goldenAt    = time.Date(2026, 3, 14, 15, 9, 26, 535897000, time.UTC)
	goldenEntry = models.Entry{
		PlayerID: 7, Seq: 3, Kind: models.EntryBet, Source: models.SourcePlatform, TransactionID: "474e1a293c2f4e7ab122c52d68423fcb",
		RoundID: "ab9c15f2efdd46278e4a56b303127234", Currency: "EUR", Amount: -1230, Before: 10000, After: 8770, At: goldenAt,
	}
	goldenSpin = models.SpinEntry{
		PlayerID: 7, Seq: 2, Kind: models.EntrySpinReversed, TransactionID: "474e1a293c2f4e7ab122c52d68423fcb",
		RoundID: "ab9c15f2efdd46278e4a56b303127234", Currency: "EUR", Spins: -1, Stake: -1230, GrantKnown: true, At: goldenAt,
	}
)

// A ledger is verified with the program of another year: what is hashed, and how, must never change. These values were computed
// with Python's hashlib and hmac from the encoding as sum's comment describes it.
func TestChainNeverChanges(t *testing.T) {
	var prev models.Hash
	for i := range prev {
		prev[i] = byte(i)
	}
	for name, row := range map[string]struct {
		key                             string
		entry, first, spin, fingerprint string
	}{
		"unkeyed": {"", "a8a408891db5c0e41dcccf51ed7e14acebba2f04d8ddfc0693dab2d6cf8399bd", "a3f859ec064afffeacf512129cb9926299b1d63d17ba91cc90268b22379e41a9", "600ace43597991fc91b1a0fce74b32f6492eb724d47c605a8e9a09884f14bcb6", "unkeyed"},
		"keyed":   {"ledger key", "26d51c714b885a4e2c929139a947735c93cea49ff96c4bd92095608a78125673", "78bf39cd84ed76b1333792edbb3fa2d8230d7cd283cf7ec2cbd83c799dfb3527", "a236790ce6550a16a629b74b7d1879fdafa549f6464d011ea8303e72ba2fbd9a", "19532dd0d678304a"},
	} {
		t.Run(name, func(t *testing.T) {
			c := models.NewChain([]byte(row.key))
			e := c.Entry(prev, &goldenEntry)
			require.Equal(t, row.entry, hex.EncodeToString(e[:]))
			f := c.Entry(models.Hash{}, &goldenEntry)
			require.Equal(t, row.first, hex.EncodeToString(f[:]))
			s := c.SpinEntry(prev, &goldenSpin)
			require.Equal(t, row.spin, hex.EncodeToString(s[:]))
			require.Equal(t, row.fingerprint, c.Fingerprint())
			require.Equal(t, row.key != "", c.Keyed())
		})
	}
}

// The numbers that stand for kinds and sources are stored and hashed.
func TestStoredNumbersNeverChange(t *testing.T) {
	require.Equal(t, []models.EntryKind{1, 2, 3, 4, 5, 6, 7, 20, 21}, []models.EntryKind{
		models.EntryOpening, models.EntryBet, models.EntryWin, models.EntryBetReversed, models.EntryWinReversed, models.EntryTombstone,
		models.EntryAdjustment, models.EntrySpin, models.EntrySpinReversed,
	})
	require.Equal(t, []models.OperationKind{1, 2, 3, 4, 5, 6}, []models.OperationKind{models.Bet, models.Win, models.BetWin, models.Rollback, models.Opening, models.Adjustment})
	require.Equal(t, []models.Source{1, 2}, []models.Source{models.SourcePlatform, models.SourceOwn})
	require.Equal(t, []models.TransactionState{1, 2}, []models.TransactionState{models.Processed, models.Reversed})
}

// Small alphabets, so that texts move over the borders between fields and numbers collide.
var (
	anyText   = rapid.StringOfN(rapid.RuneFrom([]rune("a1\x00\x01")), 0, 4, -1)
	anyNumber = rapid.OneOf(rapid.Int64Range(-2, 2), rapid.SampledFrom([]int64{math.MinInt64, math.MaxInt64, 256, 1 << 32}), rapid.Int64())
	anyTime   = rapid.Custom(func(t *rapid.T) time.Time { return time.UnixMicro(rapid.Int64Range(-2, 1<<52).Draw(t, "us")).UTC() })
	anyHash   = rapid.Custom(func(t *rapid.T) (h models.Hash) { copy(h[:], anyText.Draw(t, "hash")); return h })
	anyEntry  = rapid.Custom(func(t *rapid.T) models.Entry {
		return models.Entry{
			PlayerID: anyNumber.Draw(t, "player"), Seq: anyNumber.Draw(t, "seq"), Kind: models.EntryKind(rapid.Byte().Draw(t, "kind")),
			Source: models.Source(rapid.Byte().Draw(t, "source")), TransactionID: models.TransactionID(anyText.Draw(t, "id")),
			RoundID: models.RoundID(anyText.Draw(t, "round")), Currency: models.Currency(anyText.Draw(t, "currency")),
			Amount: models.Amount(anyNumber.Draw(t, "amount")), Before: models.Amount(anyNumber.Draw(t, "before")),
			After: models.Amount(anyNumber.Draw(t, "after")), At: anyTime.Draw(t, "at"),
		}
	})
	anySpin = rapid.Custom(func(t *rapid.T) models.SpinEntry {
		return models.SpinEntry{
			PlayerID: anyNumber.Draw(t, "player"), Seq: anyNumber.Draw(t, "seq"), Kind: models.EntryKind(rapid.Byte().Draw(t, "kind")),
			TransactionID: models.TransactionID(anyText.Draw(t, "id")), RoundID: models.RoundID(anyText.Draw(t, "round")),
			Currency: models.Currency(anyText.Draw(t, "currency")), Spins: anyNumber.Draw(t, "spins"),
			Stake: models.Amount(anyNumber.Draw(t, "stake")), GrantKnown: rapid.Bool().Draw(t, "known"), At: anyTime.Draw(t, "at"),
		}
	})
)

// changes lists, one by one, every field of a line that the hash has to cover.
func changes(e models.Entry, with models.Entry) []models.Entry {
	var all []models.Entry
	add := func(change func(*models.Entry)) {
		c := e
		change(&c)
		all = append(all, c)
	}
	add(func(c *models.Entry) { c.PlayerID = with.PlayerID })
	add(func(c *models.Entry) { c.Seq = with.Seq })
	add(func(c *models.Entry) { c.Kind = with.Kind })
	add(func(c *models.Entry) { c.Source = with.Source })
	add(func(c *models.Entry) { c.TransactionID = with.TransactionID })
	add(func(c *models.Entry) { c.RoundID = with.RoundID })
	add(func(c *models.Entry) { c.Currency = with.Currency })
	add(func(c *models.Entry) { c.Amount = with.Amount })
	add(func(c *models.Entry) { c.Before = with.Before })
	add(func(c *models.Entry) { c.After = with.After })
	add(func(c *models.Entry) { c.At = with.At })
	add(func(c *models.Entry) {
		c.TransactionID, c.RoundID = models.TransactionID(c.RoundID), models.RoundID(c.TransactionID)
	})
	add(func(c *models.Entry) { // the same bytes in a row, cut elsewhere
		joined := string(c.TransactionID) + string(c.RoundID) + string(c.Currency)
		half := len(joined) / 2
		c.TransactionID, c.RoundID, c.Currency = models.TransactionID(joined[:half]), models.RoundID(joined[half:]), ""
	})
	add(func(c *models.Entry) { c.Amount, c.Before = c.Before, c.Amount })
	return all
}

// Two lines have the same hash only when they are the same line after the same predecessor.
func TestChainTellsContentsApart(t *testing.T) {
	unkeyed, keyed, other := models.NewChain(nil), models.NewChain([]byte("key")), models.NewChain([]byte("another"))
	rapid.Check(t, func(t *rapid.T) {
		a, b := anyEntry.Draw(t, "a"), anyEntry.Draw(t, "b")
		prev, before := anyHash.Draw(t, "prev"), anyHash.Draw(t, "before")
		for _, c := range append(changes(a, b), b) {
			require.Equal(t, a == c, unkeyed.Entry(prev, &a) == unkeyed.Entry(prev, &c), "%+v and %+v", a, c)
		}
		require.Equal(t, prev == before, unkeyed.Entry(prev, &a) == unkeyed.Entry(before, &a))
		require.NotEqual(t, unkeyed.Entry(prev, &a), keyed.Entry(prev, &a))
		require.NotEqual(t, other.Entry(prev, &a), keyed.Entry(prev, &a))
		a.Hash = before
		require.Equal(t, unkeyed.Entry(prev, &b), unkeyed.Entry(prev, &b), "computing a hash changes nothing")
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
			require.Equal(t, a == b, c.SpinEntry(prev, &a) == c.SpinEntry(prev, &b), "%+v and %+v", a, b)
		}
		// A line of the one ledger is no line of the other, even where every number and text is alike.
		money := models.Entry{PlayerID: a.PlayerID, Seq: a.Seq, Kind: a.Kind, TransactionID: a.TransactionID, RoundID: a.RoundID, Currency: a.Currency, At: a.At}
		require.NotEqual(t, c.SpinEntry(prev, &a), c.Entry(prev, &money))
	})
}

func TestChainIsSafeForConcurrentUse(t *testing.T) {
	c := models.NewChain([]byte("key"))
	want := c.Entry(models.Hash{}, &goldenEntry)
	got := make(chan models.Hash)
	const many = 64
	for range many {
		go func() { got <- c.Entry(models.Hash{}, &goldenEntry) }()
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
