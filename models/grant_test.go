package models

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

func TestPollAfterGrows(t *testing.T) {
	last := time.Duration(0)
	for polls := range 100 {
		d := PollAfter(polls)
		require.GreaterOrEqual(t, d, last)
		last = d
	}
	require.Equal(t, time.Minute, PollAfter(0))
	require.Equal(t, 8*time.Minute, PollAfter(3))
	require.Equal(t, longestPoll, last)
}

// noon is when the tests of attribution begin.
var noon = time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC)

func spin(minute int, kind EntryKind, id TransactionID) SpinEntry {
	e := SpinEntry{PlayerID: 1, Seq: int64(minute), Kind: kind, TransactionID: id, Spins: 1,
		At: noon.Add(time.Duration(minute) * time.Minute)}
	if kind == EntrySpinReversed {
		e.Spins = -1
	}
	return e
}

func TestAttribution(t *testing.T) {
	at := func(minute int) time.Time { return noon.Add(time.Duration(minute) * time.Minute) }
	a := &Attributor{
		Originals: map[TransactionID]int64{},
		Grants: []Grant{
			// ended long ago
			{ID: 1, At: at(-3000), Game: GameRef{ID: 10}, Spins: 100, State: GrantExpired, FinishedAt: at(-2000)},
			{ID: 2, At: at(0), Game: GameRef{ID: 10}, Spins: 2, State: GrantActive},
			{ID: 3, At: at(1), Game: GameRef{ID: 20}, Spins: 1, State: GrantUnknown},
			{ID: 4, At: at(50), Game: GameRef{ID: 20}, Spins: 9, State: GrantActive},
		},
		Launches: []Launch{{at(-5), 10}, {at(4), 20}, {at(40), 99}},
	}
	for _, row := range []struct {
		entry SpinEntry
		grant int64
		rule  AttributionRule
		why   string
	}{
		{spin(3, EntrySpin, "a"), 2, ByLaunch, "the game launched last"},
		{spin(5, EntrySpin, "b"), 3, ByLaunch, "a grant of unknown outcome may have been made"},
		{spin(6, EntrySpin, "c"), 2, ByAge, "the launched game's grant has no spin left, so the oldest grant is chosen"},
		{spin(7, EntrySpin, "d"), 0, ByNothing, "no grant has a spin left, and the later one does not exist yet"},
		{spin(8, EntrySpinReversed, "a"), 2, ByOriginal, "a rollback returns the spin"},
		{spin(9, EntrySpin, "e"), 2, ByAge, "a returned spin may be used again"},
		{spin(10, EntrySpinReversed, "d"), 0, ByNothing, "there is nothing to return"},
		{spin(60, EntrySpin, "f"), 4, ByAge, "the game launched last has no grant"},
	} {
		got := a.Attribute(row.entry)
		require.Equal(t, Attribution{PlayerID: 1, Seq: row.entry.Seq, GrantID: row.grant, Rule: row.rule}, got, row.why)
	}
	require.Equal(t, []int64{0, 2, 1, 1}, []int64{a.Grants[0].Ours, a.Grants[1].Ours, a.Grants[2].Ours, a.Grants[3].Ours})
}

func TestCountsDiffer(t *testing.T) {
	require.False(t, CountsDiffer(5, 5, 0))
	require.True(t, CountsDiffer(5, 4, 0))
	require.True(t, CountsDiffer(4, 5, 0))
	require.False(t, CountsDiffer(5, 4, 1), "the spin that we attributed to a grant of unknown outcome belongs to another")
	require.True(t, CountsDiffer(6, 4, 1))
}

func TestUsedSpins(t *testing.T) {
	for name, row := range map[string]struct {
		grant Grant
		want  int64
	}{
		"never asked":              {Grant{State: GrantActive, Used: NoCount, Ours: 3}, 3},
		"played on since":          {Grant{State: GrantActive, Used: 5, Ours: 7}, 7},
		"our bets are on the way":  {Grant{State: GrantActive, Used: 7, Ours: 5}, 7},
		"differed once":            {Grant{State: GrantActive, Used: 5, Ours: 7, Apart: 1}, 7},
		"differs":                  {Grant{State: GrantActive, Used: 5, Ours: 7, Apart: ApartForLong}, 5},
		"differs, and never asked": {Grant{State: GrantActive, Used: NoCount, Ours: 7, Apart: 2}, 7},
		"completed":                {Grant{State: GrantCompleted, Used: 5, Ours: 7}, 5},
	} {
		require.Equal(t, row.want, row.grant.UsedSpins(), name)
	}
}
