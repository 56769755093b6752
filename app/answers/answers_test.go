package answers

import (
	"maps"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"pitboss/models"
)

var placeholder = regexp.MustCompile(`\{[a-z]+\}`)

// Every language has all of English's sentences, with the same values in them.
func TestEveryLanguageIsComplete(t *testing.T) {
	english := languages["en"]
	mentions := func(text string) []string { return slices.Sorted(slices.Values(placeholder.FindAllString(text, -1))) }
	for _, code := range models.PlayerLanguages {
		l := languages[code]
		require.Equal(t, slices.Sorted(maps.Keys(english.Texts)), slices.Sorted(maps.Keys(l.Texts)), code)
		require.Len(t, slices.Compact(slices.Clone(l.Months)), 12, code)
		for _, text := range []string{l.Name, l.Decimal, l.Group} {
			require.NotEmpty(t, text, code)
		}
		require.Equal(t, mentions(english.Moment), mentions(l.Moment), code)
		require.Equal(t, []string{"{n}", "{n}"}, append(mentions(l.Spin), mentions(l.Spins)...), code)
		require.Equal(t, slices.Sorted(maps.Keys(english.Paper)), slices.Sorted(maps.Keys(l.Paper)), code)
		for name, text := range l.Paper {
			require.NotEmpty(t, strings.TrimSpace(text), "%s: %s", code, name)
			require.Equal(t, mentions(english.Paper[name]), mentions(text), "%s: %s", code, name)
		}
		for _, kind := range models.EntryKinds {
			if kind < models.EntrySpin {
				require.NotEmpty(t, l.Paper[kind.String()], "%s: %s", code, kind)
			}
		}
		for name, text := range l.Texts {
			require.NotEmpty(t, strings.TrimSpace(text), "%s: %s", code, name)
			require.Equal(t, mentions(english.Texts[name]), mentions(text), "%s: %s", code, name)
			require.True(t, code == "en" || text != english.Texts[name], "%s: %s is not translated", code, name)
		}
	}
}

// situations has everything that support can tell players, by what the English text says.
func situations() map[string]Answer {
	at := time.Date(2026, 3, 1, 23, 5, 9, 0, time.UTC)
	had := models.Amount(57500)
	refused := func(v models.Verdict, had *models.Amount, cause string) Answer {
		c := models.Callback{Amount: "1234.50", Currency: "EUR", Verdict: v, Had: had, Cause: cause}
		c.Request.Received = at
		return Refused(c)
	}
	round := func(change func(*models.Round)) Answer {
		r := models.Round{At: at, LastAt: at, Currency: "EUR", Bets: 1, Transactions: 1, Staked: 1000,
			RoundSigns: models.RoundSigns{AsOf: at.Add(time.Hour), StakedAt: at}}
		change(&r)
		left := models.Amount(3150)
		last := &models.TransactionLine{After: &left}
		last.At = at.Add(2 * time.Second)
		if r.Transactions == 9 {
			last = nil // the last win is not known
		}
		return Round(r, last)
	}
	canceled := func(kind models.OperationKind, win models.Amount, spin bool) Answer {
		l := models.TransactionLine{Currency: "EUR"}
		l.Transaction = models.Transaction{Source: models.SourcePlatform, Kind: kind, Bet: 1000, Win: win, FreeSpin: spin, At: at,
			State: models.Reversed}
		return Transaction(l, nil, nil)
	}
	grant := func(used int64) Answer {
		g := models.Grant{At: at, Spins: 20, Used: used, State: models.GrantActive, Currency: "EUR"}
		g.Game.Name = "Ancient Bells"
		return Grant(g, models.SpinWins{Won: 1250})
	}
	restricted := func(kind models.RestrictionKind, scope models.RestrictionScope, until time.Time) Answer {
		return Restriction(models.Restriction{Subject: models.OfPlayer, Kind: kind, Scope: scope, Until: until}, at)
	}
	later := at.Add(240 * time.Hour)
	return map[string]Answer{
		"your balance was 575.00":      refused(models.VerdictInsufficientFunds, &had, ""),
		"your balance was too low":     refused(models.VerdictInsufficientFunds, nil, ""),
		"bets were not possible":       refused(models.VerdictPlayerRestricted, nil, ""),
		"exceeded your daily stake":    refused(models.VerdictLimitReached, nil, "the stake limit per day is 1.00, with 0.00 left"),
		"a limit that you have set":    refused(models.VerdictLimitReached, nil, ""),
		"games were paused":            refused(models.VerdictHouseFrozen, nil, ""),
		"already canceled it":          refused(models.VerdictRolledBack, nil, ""),
		"a technical problem":          refused(models.VerdictOtherContents, nil, ""),
		"round of 1 March 2026, 23:05": round(func(r *models.Round) { r.Wins, r.Won, r.Transactions = 1, 2000, 9 }),
		"on 1 March 2026, 23:05:11 (UTC). Your balance after that was 31.50": round(func(r *models.Round) { r.Wins, r.Won = 1, 2000 }),
		"It won 20.00 EUR in all. The last win":                              round(func(r *models.Round) { r.Wins, r.Won = 2, 2000 }),
		"No win has been paid":                                               round(func(*models.Round) {}),
		"The round did not win":                                              round(func(r *models.Round) { r.Losses = 1 }),
		"You played 1 free spin in":                                          round(func(r *models.Round) { r.Bets, r.Staked, r.Spins, r.Losses = 0, 0, 1, 1 }),
		"was interrupted":                                                    round(func(r *models.Round) { r.CaseID = 1 }),
		"Your bets in it were refunded":                                      round(func(r *models.Round) { r.Bets, r.Staked, r.Reversed = 0, 0, 1 }),
		"the amount was returned":                                            canceled(models.Bet, 0, false),
		"and its win of 5.00":                                                canceled(models.BetWin, 500, false),
		"Your free spin on":                                                  canceled(models.Bet, 0, true),
		"Your win of 5.00":                                                   canceled(models.Win, 500, false),
		"Still available: 12 free":                                           grant(8),
		"Total winnings: 12.50":                                              grant(20),
		"excluded from play until":                                           restricted(models.SelfExclusion, models.FromPlay, later),
		"without an end date":                                                restricted(models.SelfExclusion, models.FromPlay, models.Permanent),
		"your account is paused":                                             restricted(models.CoolOff, models.FromPlay, later),
		"Your account is closed":                                             restricted(models.AccountClosed, models.FromPlay, models.Permanent),
		"Playing is not possible":                                            restricted(models.Abuse, models.FromPlay, later),
		"Deposits are not possible":                                          restricted(models.OtherRestriction, models.FromDeposits, later),
		"Bonuses are not available":                                          restricted(models.OtherRestriction, models.FromBonuses, later),
	}
}

// Every situation has an answer in every language, with every value filled in.
func TestEverySituationInEveryLanguage(t *testing.T) {
	for words, a := range situations() {
		require.Contains(t, a.Text("en", time.UTC), words)
		seen := map[string]bool{}
		for _, code := range models.PlayerLanguages {
			text := a.Text(code, time.UTC)
			require.NotEmpty(t, text, "%s: %s", code, words)
			require.NotRegexp(t, placeholder, text, "%s: %s", code, words)
			require.False(t, seen[text], "%s: %s", code, words)
			seen[text] = true
		}
	}
	require.Empty(t, Answer{}.Text("de", time.UTC))
	require.Empty(t, Transaction(models.TransactionLine{Transaction: models.Transaction{Kind: models.Adjustment}}, nil, nil).says,
		"staff moved it")
}

// Amounts and times are written as in the player's language, in the player's time zone.
func TestAnswerInThePlayersLanguage(t *testing.T) {
	zone, err := time.LoadLocation("Europe/Istanbul")
	require.NoError(t, err)
	a := situations()["your balance was 575.00"]
	for code, want := range map[string]string{
		"en": "Your bet of 1,234.50 EUR on 2 March 2026, 02:05:09 (UTC+03:00) was not accepted, because your balance was 575.00 EUR " +
			"at that moment. Nothing was taken from your balance.",
		"de": "Ihr Einsatz von 1.234,50 EUR vom 2. März 2026, 02:05:09 Uhr (UTC+03:00) wurde nicht angenommen, weil Ihr Guthaben zu " +
			"diesem Zeitpunkt 575,00 EUR betrug. Von Ihrem Guthaben wurde nichts abgebucht.",
		"tr": "2 Mart 2026, 02:05:09 (UTC+03:00) tarihli 1.234,50 EUR tutarındaki bahsiniz kabul edilmedi, çünkü o anda bakiyeniz " +
			"575,00 EUR idi. Bakiyenizden herhangi bir tutar düşülmedi.",
	} {
		require.Equal(t, want, a.Text(code, zone))
	}
}

// A player under suspicion reads what everybody reads whose account is restricted for another reason.
func TestAttackAnswerThatWarnsASuspect(t *testing.T) {
	at := time.Date(2026, 3, 1, 0, 0, 0, 0, time.UTC)
	for _, scope := range models.RestrictionScopes {
		for _, until := range []time.Time{at.Add(time.Hour), models.Permanent} {
			for _, code := range models.PlayerLanguages {
				text := func(kind models.RestrictionKind) string {
					return Restriction(models.Restriction{Subject: models.OfPlayer, Kind: kind, Scope: scope, Until: until}, at).
						Text(code, time.UTC)
				}
				require.NotEmpty(t, text(models.MoneyLaundering))
				require.Equal(t, text(models.OtherRestriction), text(models.MoneyLaundering))
				require.Equal(t, text(models.OtherRestriction), text(models.Abuse))
			}
		}
	}
}
