package players_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"strconv"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"pitboss/cmd/testing/storetest"
	"pitboss/models"
	"pitboss/models/store"
)

// played returns a ledger of several players with every kind of transaction, some of them rolled back, a second apart.
func played(t *testing.T, x *storetest.Database, n int) (s *store.Store, players []models.Player, begun time.Time) {
	t.Helper()
	begun = time.Date(2026, 3, 14, 12, 0, 0, 0, time.UTC)
	now := begun
	x.Config.Now = func() time.Time { return now }
	s = x.Open(t)
	for _, user := range []models.UserID{"anna", "ann", "Anna", "<b>anna</b>", "öl"} {
		players = append(players, storetest.CreatePlayer(t, s, user, 100000))
	}
	random := rand.New(rand.NewPCG(1, 2))
	for i := range n {
		now = now.Add(time.Second)
		p := players[random.IntN(len(players))]
		id := models.TransactionID(fmt.Sprintf("t-%03d", i))
		op := models.Operation{Source: models.SourcePlatform, UserID: p.UserID, TransactionID: id,
			RoundID: models.RoundID(fmt.Sprint("r-", random.IntN(n/3)))}
		switch random.IntN(5) {
		case 0:
			op.Kind, op.Win = models.Win, models.Amount(max(random.IntN(600)-100, 0))
		case 1:
			op.Kind, op.Bet, op.Win = models.BetWin, models.Amount(random.IntN(500)),
				models.Amount(max(random.IntN(600)-100, 0))
		case 2:
			op.Kind, op.Bet, op.FreeSpin = models.Bet, 50, true
		default:
			op.Kind, op.Bet = models.Bet, models.Amount(random.IntN(500))
		}
		require.Equal(t, models.None, storetest.Apply(t, s, op).Decline)
		switch random.IntN(10) {
		case 0:
			now = now.Add(time.Millisecond)
			require.Equal(t, models.None, storetest.Apply(t, s, storetest.Rollback(p.UserID, id)).Decline)
		case 1:
			op.RoundID = "another"
			r, _ := storetest.Called(t, s, op)
			require.True(t, r.OtherContents)
		}
	}
	return s, players, begun
}

func TestTransactionLists(t *testing.T) {
	storetest.OnEngines(t, func(t *testing.T, x *storetest.Database) {
		s, players, begun := played(t, x, 200)
		list := func(f models.TransactionFilter) []models.TransactionLine {
			f.Limit = 7
			return storetest.Pages(t, 7, func(l models.TransactionLine) models.Cursor { return models.Cursor{ID: l.Place} },
				func(at models.Cursor) models.Page[models.TransactionLine] {
					f.Page = at
					page, err := s.Transactions(t.Context(), f)
					require.NoError(t, err)
					return page
				})
		}
		all := list(models.TransactionFilter{})
		require.Len(t, all, 200+len(players))
		require.True(t, slices.ContainsFunc(all, func(l models.TransactionLine) bool { return !l.OtherContents.IsZero() }))
		require.True(t, slices.IsSortedFunc(all, func(a, b models.TransactionLine) int { return int(b.ID - a.ID) }))

		least, most := models.Amount(100), models.Amount(300)
		since, until := begun.Add(40*time.Second), begun.Add(90*time.Second)
		for name, c := range map[string]struct {
			filter models.TransactionFilter
			keep   func(models.TransactionLine) bool
		}{
			"player": {
				models.TransactionFilter{PlayerID: players[1].ID},
				func(l models.TransactionLine) bool { return l.UserID == "ann" },
			},
			"kind": {
				models.TransactionFilter{Kind: models.BetWin},
				func(l models.TransactionLine) bool { return l.Kind == models.BetWin },
			},
			"openings": {
				models.TransactionFilter{Kind: models.Opening},
				func(l models.TransactionLine) bool { return l.Kind == models.Opening },
			},
			"state": {
				models.TransactionFilter{State: models.Reversed},
				func(l models.TransactionLine) bool { return !l.ReversedAt.IsZero() },
			},
			"rolled back, by time of the rollback": {
				models.TransactionFilter{ByRollback: true, Span: models.Span{Since: since, Until: until}},
				func(l models.TransactionLine) bool {
					return !l.ReversedAt.IsZero() && !l.ReversedAt.Before(since) && l.ReversedAt.Before(until)
				},
			},
			"rolled back, by time of the transaction": {
				models.TransactionFilter{State: models.Reversed, Span: models.Span{Since: since, Until: until}},
				func(l models.TransactionLine) bool {
					return !l.ReversedAt.IsZero() && !l.At.Before(since) && l.At.Before(until)
				},
			},
			"free spins": {
				models.TransactionFilter{With: models.FreeSpins}, func(l models.TransactionLine) bool { return l.FreeSpin },
			},
			"money bets": {
				models.TransactionFilter{With: models.RealMoney, Kind: models.Bet},
				func(l models.TransactionLine) bool { return l.Kind == models.Bet && !l.FreeSpin },
			},
			"free-spin wins": {
				models.TransactionFilter{With: models.FreeSpins, Kind: models.Win},
				func(models.TransactionLine) bool { return false },
			},
			"wins of free spins": {
				models.TransactionFilter{With: models.FreeSpinWins}, func(l models.TransactionLine) bool { return l.OfSpin },
			},
			"money wins": {
				models.TransactionFilter{With: models.RealMoney, Kind: models.Win},
				func(l models.TransactionLine) bool { return l.Kind == models.Win && !l.OfSpin },
			},
			"other contents": {
				models.TransactionFilter{OtherContents: true},
				func(l models.TransactionLine) bool { return !l.OtherContents.IsZero() },
			},
			"amounts": {
				models.TransactionFilter{Bet: models.AmountRange{From: &least, To: &most}},
				func(l models.TransactionLine) bool {
					return (l.Kind == models.Bet || l.Kind == models.BetWin) && l.Bet >= 100 && l.Bet <= 300
				},
			},
			"wins, also those of bets with a win": {
				models.TransactionFilter{Win: models.AmountRange{From: &least}},
				func(l models.TransactionLine) bool {
					return (l.Kind == models.Win || l.Kind == models.BetWin) && l.Win >= 100
				},
			},
			"bets with a win, by both": {
				models.TransactionFilter{Bet: models.AmountRange{To: &most}, Win: models.AmountRange{From: &least}},
				func(l models.TransactionLine) bool { return l.Kind == models.BetWin && l.Bet <= 300 && l.Win >= 100 },
			},
			"times": {
				models.TransactionFilter{Span: models.Span{Since: since, Until: until}},
				func(l models.TransactionLine) bool { return !l.At.Before(since) && l.At.Before(until) },
			},
			"before everything": {
				models.TransactionFilter{Span: models.Span{Until: begun.Add(-time.Hour)}},
				func(models.TransactionLine) bool { return false },
			},
			"after everything": {
				models.TransactionFilter{Span: models.Span{Since: begun.Add(time.Hour)}},
				func(models.TransactionLine) bool { return false },
			},
			"round": {
				models.TransactionFilter{RoundID: "r-7"}, func(l models.TransactionLine) bool { return l.RoundID == "r-7" },
			},
			"round of a player": {
				models.TransactionFilter{RoundID: "r-7", PlayerID: players[0].ID},
				func(l models.TransactionLine) bool { return l.RoundID == "r-7" && l.UserID == "anna" },
			},
			"ID": {
				models.TransactionFilter{TransactionID: "t-011"},
				func(l models.TransactionLine) bool { return l.TransactionID == "t-011" },
			},
			"ID, in another case": {
				models.TransactionFilter{TransactionID: "T-011"}, func(models.TransactionLine) bool { return false },
			},
			"everything at once": {models.TransactionFilter{PlayerID: players[0].ID, Kind: models.Bet, State: models.Reversed,
				With: models.RealMoney, Bet: models.AmountRange{From: &least}, Span: models.Span{Since: begun}},
				func(l models.TransactionLine) bool {
					return l.UserID == "anna" && l.Kind == models.Bet && l.State == models.Reversed && !l.FreeSpin &&
						l.Bet >= 100
				}},
			"state and amount": {models.TransactionFilter{State: models.Processed, Win: models.AmountRange{To: &least}},
				func(l models.TransactionLine) bool {
					return l.State == models.Processed && (l.Kind == models.Win || l.Kind == models.BetWin) && l.Win <= 100
				}},
		} {
			t.Run(name, func(t *testing.T) {
				var want []models.TransactionLine
				for _, l := range all {
					if c.keep(l) {
						want = append(want, l)
					}
				}
				found := list(c.filter)
				require.Len(t, found, len(want))
				for i := range found {
					found[i].Place = found[i].ID // each was rolled back before the next was booked
					if c.filter.ByRollback {     // read by its rollback
						require.Equal(t, models.ClaimRolledBack, found[i].Claim)
						found[i].Claim, found[i].Left = want[i].Claim, want[i].Left
					}
				}
				require.Equal(t, want, found)
			})
		}

		// Each line has the balance that the ledger gives, and each ledger line follows from the one before.
		for _, p := range players {
			entries, err := s.Entries(t.Context(), p.ID, models.Span{Limit: 1000})
			require.NoError(t, err)
			after := map[models.TransactionID]models.Amount{}
			for _, e := range slices.Backward(entries.Rows) {
				if e.Kind == models.EntryBet || e.Kind == models.EntryWin || e.Kind == models.EntryOpening {
					after[e.TransactionID] = e.After
				}
			}
			for _, l := range all {
				if l.PlayerID != p.ID {
					continue
				}
				if l.FreeSpin {
					require.Nil(t, l.After)
					spins, err := s.TransactionSpins(t.Context(), l.Transaction)
					require.NoError(t, err)
					require.Len(t, spins, 1+Bit(l.State == models.Reversed))
					continue
				}
				require.Equal(t, after[l.TransactionID], *l.After, l.TransactionID)
				lines, err := s.TransactionEntries(t.Context(), l)
				require.NoError(t, err)
				require.Len(t, lines, (1+Bit(l.Kind == models.BetWin))*(1+Bit(l.State == models.Reversed)))
				for _, e := range lines {
					require.True(t, e.Holds)
					require.Equal(t, l.TransactionID, e.TransactionID)
				}
			}
		}
		found, err := s.SearchTransactions(t.Context(), "T-01", 5)
		require.NoError(t, err)
		require.Equal(t, []models.TransactionID{"t-010", "t-011", "t-012", "t-013", "t-014"}, transactionIDs(found.Rows))
		require.True(t, found.More)
		found, err = s.SearchTransactions(t.Context(), "t-…99", 5)
		require.NoError(t, err)
		require.Equal(t, []models.TransactionID{"t-099", "t-199"}, transactionIDs(found.Rows))
	})
}

// TestAlteredEntryIsSeen: the page of a transaction shows that its line was altered.
func TestAlteredEntryIsSeen(t *testing.T) {
	storetest.OnEngines(t, func(t *testing.T, x *storetest.Database) {
		s, players, _ := played(t, x, 20)
		storetest.DropTriggers(t, x.Config.URL)
		x.Exec(t, "UPDATE postings SET after_minor = after_minor + 1 WHERE player_id = ? AND seq = 1", players[0].ID)
		page, err := s.Transactions(t.Context(),
			models.TransactionFilter{PlayerID: players[0].ID, Kind: models.Opening, Span: models.Span{Limit: 1}})
		require.NoError(t, err)
		lines, err := s.TransactionEntries(t.Context(), page.Rows[0])
		require.NoError(t, err)
		require.False(t, lines[0].Holds)
	})
}

func Bit(b bool) int {
	if b {
		return 1
	}
	return 0
}

func transactionIDs(list []models.TransactionLine) (ids []models.TransactionID) {
	for _, l := range list {
		ids = append(ids, l.TransactionID)
	}
	return ids
}

func TestRoundLists(t *testing.T) {
	storetest.OnEngines(t, func(t *testing.T, x *storetest.Database) {
		s, players, begun := played(t, x, 200)
		page, err := s.Transactions(t.Context(), models.TransactionFilter{Span: models.Span{Limit: 1000}})
		require.NoError(t, err)
		type key struct {
			player int64
			round  models.RoundID
		}
		want := map[key]*models.Round{}
		for _, l := range slices.Backward(page.Rows) {
			if l.RoundID == "" {
				continue
			}
			k := key{l.PlayerID, l.RoundID}
			r := want[k]
			if r == nil {
				r = &models.Round{ID: l.ID, RoundID: l.RoundID, PlayerID: l.PlayerID, UserID: l.UserID, Currency: l.Currency,
					At: l.At}
				want[k] = r
			}
			r.LastAt = l.At
			r.Transactions++
			switch {
			case l.State == models.Reversed:
				r.Reversed++
			case l.FreeSpin:
				r.Spins++
				r.SpinStake = r.SpinStake.Add(l.Bet)
			default:
				if l.Kind != models.Win {
					r.Bets++
					r.Staked = r.Staked.Add(l.Bet)
				}
				switch {
				case l.Kind == models.Bet:
				case l.Win == 0:
					r.Losses++
				default:
					r.Wins++
					r.Won = r.Won.Add(l.Win)
				}
			}
		}
		list := func(f models.RoundFilter) []models.Round {
			f.Limit = 7
			return storetest.Pages(t, 7, f.Place, func(at models.Cursor) models.Page[models.Round] {
				f.Page = at
				page, err := s.Rounds(t.Context(), f)
				require.NoError(t, err)
				return page
			})
		}
		all := list(models.RoundFilter{})
		require.Len(t, all, len(want))
		for _, r := range all {
			plain := r
			plain.RoundSigns = models.RoundSigns{}
			require.Equal(t, *want[key{r.PlayerID, r.RoundID}], plain)
			again, found, err := s.Round(t.Context(), r.PlayerID, r.RoundID)
			require.NoError(t, err)
			require.True(t, found)
			require.Equal(t, r, again)
		}
		funds := models.Amount(200)
		for name, c := range map[string]struct {
			filter models.RoundFilter
			keep   func(models.Round) bool
		}{
			"player": {models.RoundFilter{PlayerID: players[2].ID}, func(r models.Round) bool { return r.UserID == "Anna" }},
			"funds": {models.RoundFilter{Funds: &funds}, func(r models.Round) bool {
				return r.State().Undecided() && r.Staked >= 200
			}},
			"times": {models.RoundFilter{Span: models.Span{Since: begun.Add(time.Minute), Until: begun.Add(2 * time.Minute)}},
				func(r models.Round) bool {
					return !r.At.Before(begun.Add(time.Minute)) && r.At.Before(begun.Add(2*time.Minute))
				}},
			"no result":      {models.RoundFilter{Undecided: true}, func(r models.Round) bool { return r.State().Undecided() }},
			"a win may come": {models.RoundFilter{Pending: true}, func(r models.Round) bool { return r.State().Pending() }},
			"in play": {models.RoundFilter{State: models.RoundInPlay},
				func(r models.Round) bool { return r.State() == models.RoundInPlay }},
			"no win": {models.RoundFilter{State: models.RoundNoWin},
				func(r models.Round) bool { return r.State() == models.RoundNoWin }},
			"won": {models.RoundFilter{State: models.RoundWon},
				func(r models.Round) bool { return r.State() == models.RoundWon }},
			"rolled back": {models.RoundFilter{State: models.RoundReversed},
				func(r models.Round) bool { return r.State() == models.RoundReversed }},
			"no bet": {models.RoundFilter{State: models.RoundUnstaked},
				func(r models.Round) bool { return r.State() == models.RoundUnstaked }},
		} {
			t.Run(name, func(t *testing.T) {
				require.Equal(t, slices.DeleteFunc(slices.Clone(all), func(r models.Round) bool { return !c.keep(r) }),
					list(c.filter))
			})
		}
		_, found, err := s.Round(t.Context(), players[0].ID, "")
		require.NoError(t, err)
		require.False(t, found, "openings are not a round")
		rounds, err := s.SearchRounds(t.Context(), string(all[0].RoundID), 10)
		require.NoError(t, err)
		require.NotEmpty(t, rounds.Rows)
		require.Equal(t, all[0].RoundID, rounds.Rows[0].RoundID)
	})
}

// TestListsGiveUp follows a filter that matches nothing through a large table: in steps, and to the end.
func TestListsGiveUp(t *testing.T) {
	storetest.OnEngines(t, func(t *testing.T, x *storetest.Database) {
		s, players, _ := played(t, x, 20)
		digits := "(SELECT 0 AS d UNION ALL SELECT 1 UNION ALL SELECT 2 UNION ALL SELECT 3 UNION ALL SELECT 4 " +
			"UNION ALL SELECT 5 UNION ALL SELECT 6 UNION ALL SELECT 7 UNION ALL SELECT 8 UNION ALL SELECT 9)"
		number := "a.d + 10 * b.d + 100 * c.d + 1000 * e.d + 10000 * f.d"
		id := map[string]string{"sqlite": "'bulk-' || (" + number + ")", "mariadb": "CONCAT('bulk-', " + number + ")"}[x.Engine]
		x.Exec(t, `INSERT INTO postings (source, transaction_id, claim, player_id, seq, kind, round_id, bet_minor, win_minor,
			free_spin, after_minor, at_us, hash)
			SELECT 1, `+id+`, 1, `+strconv.FormatInt(players[0].ID, 10)+`, 1000 + `+number+`, 1, `+id+
			`, 1, 0, 0, 0, 1773500000000000 + `+number+`, x'00'
			FROM `+digits+" a, "+digits+" b, "+digits+" c, "+digits+" e, "+digits+" f")
		large := models.Amount(100_000)
		for name, filter := range map[string]models.TransactionFilter{
			"by number": {Currency: "XXX"}, "by player": {Bet: models.AmountRange{From: &large}, PlayerID: players[0].ID},
			"by class": {Bet: models.AmountRange{From: &large}, State: models.Processed},
		} {
			t.Run(name, func(t *testing.T) {
				filter.Limit = 10
				var found []models.TransactionLine
				steps := 0
				for more := true; more; steps++ {
					page, err := s.Transactions(t.Context(), filter)
					require.NoError(t, err)
					found = append(found, page.Rows...)
					more = page.Stopped.ID != 0
					filter.Page = page.Stopped
				}
				require.Greater(t, steps, 2)
				require.Empty(t, found)
			})
		}
		page, err := s.Rounds(t.Context(), models.RoundFilter{State: models.RoundReversed, Span: models.Span{Limit: 10}})
		require.NoError(t, err)
		require.Empty(t, page.Rows)
		require.NotZero(t, page.Stopped)
	})
}

func TestPlayerLists(t *testing.T) {
	storetest.OnEngines(t, func(t *testing.T, x *storetest.Database) {
		s, players, begun := played(t, x, 40)
		storetest.Restrict(t, s, "ann")
		_, err := s.CreatePlayer(t.Context(), models.System, models.NewPlayer{UserID: "anne-test", Currency: "TRY", Test: true})
		require.NoError(t, err)
		list := func(f models.PlayerFilter) (names []models.UserID) {
			f.Limit = 2
			for _, p := range storetest.Pages(t, 2, models.Player.Place,
				func(at models.Cursor) models.Page[models.Player] {
					f.Page = at
					page, err := s.Players(t.Context(), f)
					require.NoError(t, err)
					return page
				}) {
				names = append(names, p.UserID)
			}
			return names
		}
		yes, no := true, false
		require.Equal(t, []models.UserID{"<b>anna</b>", "Anna", "ann", "anna", "anne-test", "öl"}, list(models.PlayerFilter{}))
		require.Equal(t, []models.UserID{"ann", "anna", "anne-test"}, list(models.PlayerFilter{Beginning: "ann"}))
		require.Equal(t, []models.UserID{"öl"}, list(models.PlayerFilter{Beginning: "ö"}))
		require.Equal(t, []models.UserID{"ann"}, list(models.PlayerFilter{Restricted: &yes}))
		require.Equal(t, []models.UserID{"anna", "anne-test"}, list(models.PlayerFilter{Beginning: "ann", Restricted: &no}))
		require.Equal(t, []models.UserID{"anne-test"}, list(models.PlayerFilter{Test: &yes}))
		require.Equal(t, []models.UserID{"anne-test"}, list(models.PlayerFilter{Currency: "TRY"}))

		for _, p := range players {
			now, found, err := s.PlayerByID(t.Context(), p.ID)
			require.NoError(t, err)
			require.True(t, found)
			entries, err := s.Entries(t.Context(), p.ID, models.Span{Limit: 100})
			require.NoError(t, err)
			require.False(t, entries.More)
			for limit := range 4 { // also pages that end between the two lines of a transaction
				require.Equal(t, entries.Rows, storetest.Pages(t, limit+1,
					func(e models.Entry) models.Cursor { return models.Cursor{ID: e.Seq} },
					func(at models.Cursor) models.Page[models.Entry] {
						page, err := s.Entries(t.Context(), p.ID, models.Span{Page: at, Limit: limit + 1})
						require.NoError(t, err)
						return page
					}))
			}
			end := begun.Add(time.Hour)
			for i, e := range entries.Rows {
				if i+1 < len(entries.Rows) && entries.Rows[i+1].At.Equal(e.At) {
					continue // the second line of a transaction
				}
				at, err := s.LedgerAt(t.Context(), now, e.At)
				require.NoError(t, err)
				require.Equal(t, e.Before, at.Balance)
				require.Equal(t, e.Seq-1, at.Seq)
				st, err := s.PlayerStatement(t.Context(), now, e.At, end)
				require.NoError(t, err)
				require.Equal(t, e.Before, st.Opening.Balance)
				require.Equal(t, now.Wallet.Balance, st.Closing.Balance)
				require.Equal(t, now.Wallet.Held, st.Closing.Held)
				sums := map[models.EntryKind]models.Amount{}
				for _, line := range entries.Rows[:i+1] {
					sums[line.Kind] += line.Amount
				}
				require.Equal(t, sums, st.Sums)
			}
			spins, err := s.PlayerSpins(t.Context(), p.ID, models.Span{Limit: 100})
			require.NoError(t, err)
			require.Len(t, spins.Rows, int(now.Wallet.SpinSeq))
			for i, e := range spins.Rows {
				require.Equal(t, now.Wallet.SpinSeq-int64(i), e.Seq)
				require.Equal(t, e.Spins*50, int64(e.Stake))
				require.NotEmpty(t, e.TransactionID)
			}
		}
	})
}

func TestViewsAreRecorded(t *testing.T) {
	storetest.OnEngines(t, func(t *testing.T, x *storetest.Database) {
		now := time.Date(2026, 3, 14, 12, 0, 0, 0, time.UTC)
		x.Config.Now = func() time.Time { return now }
		s := x.Open(t)
		ann, bob := models.Actor{Name: "ann", Address: "198.51.100.1", Session: "11"}, models.Actor{Name: "bob", Session: "22"}
		view := func(by models.Actor, id string) {
			require.NoError(t, s.NoteView(context.WithoutCancel(t.Context()), by, "player", id, 0))
		}
		seen := func(id string) []models.AuditEvent {
			events, err := s.AuditEvents(t.Context(), models.AuditFilter{Object: "player", ObjectID: id, Span: models.Span{Limit: 100}})
			require.NoError(t, err)
			require.False(t, events.More)
			return events.Rows
		}
		view(ann, "7")
		view(ann, "7")
		require.Len(t, seen("7"), 1)
		require.Equal(t, ann, seen("7")[0].Actor)
		require.True(t, seen("7")[0].IsView())
		view(bob, "7")
		view(ann, "8")
		view(models.Actor{Name: "ann", Session: "33"}, "7")
		require.Len(t, seen("7"), 3)
		require.Len(t, seen("8"), 1)
		now = now.Add(time.Hour)
		view(ann, "7")
		require.Len(t, seen("7"), 4)
		require.Equal(t, now, seen("7")[0].At)
	})
}
