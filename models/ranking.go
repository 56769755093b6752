package models

import (
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"github.com/shopspring/decimal"
)

// Ranking is a list of what stands out in a period, most striking first.
type Ranking string

// The rankings, as in addresses and settings.
const (
	RankWins          Ranking = "wins"           // each player's largest win of each day
	RankReturns       Ranking = "returns"        // the payout of games, compared with their theoretical return
	RankRollbacks     Ranking = "rollbacks"      // of players
	RankGameRollbacks Ranking = "game-rollbacks" // of games
	RankSignatures    Ranking = "signatures"     // refused, by day and address
	RankGrants        Ranking = "grants"         // free spins, by staff member and player
	RankCorrections   Ranking = "corrections"    // by the pair of people
)

var rankingWords = words[Ranking]{
	{RankWins, "Largest wins"},
	{RankReturns, "Return to player by game"},
	{RankRollbacks, "Rollbacks by player"},
	{RankGameRollbacks, "Rollbacks by game"},
	{RankSignatures, "Refused signatures"},
	{RankGrants, "Free spins by staff and player"},
	{RankCorrections, "Corrections by pair"},
}

// Rankings lists the rankings.
var Rankings = rankingWords.values()

// Title returns the ranking's name for people. It is not String, because addresses and forms print a ranking as its code.
func (r Ranking) Title() string { return rankingWords.of(r, "unknown") }

// OpensCases reports whether a rule can open cases from the ranking's rows. Rankings of games cannot: callbacks name no game,
// so figures by game are inferred from part of the play, too little to accuse anybody.
func (r Ranking) OpensCases() bool {
	return slices.Contains(Rankings, r) && r != RankReturns && r != RankGameRollbacks
}

// InMoney reports whether the ranking compares amounts. If so, it is for one currency.
func (r Ranking) InMoney() bool { return r == RankWins }

// RankedRows is how many rows a ranking has at most.
const RankedRows = 100

// Ranked is a row of a ranking. Each ranking fills only its own fields.
type Ranked struct {
	Day         Day // of wins and signatures, which are ranked for each day
	PlayerID    int64
	UserID      UserID
	Actor       string // who granted or requested it
	Second      string // who approved it
	Address     []byte // an IP address
	Currency    Currency
	N, Among    int64      // the count, and the total that it is part of
	Amount      Amount     `gorm:"column:amount_minor"`
	Transaction int64      `gorm:"column:transaction_number"` // 0 if it was archived
	Game        GameReport `gorm:"-"`
}

// Measure returns what the ranking compares: an amount in minor units, or a number.
func (r Ranked) Measure(by Ranking) int64 {
	if by.InMoney() {
		return int64(r.Amount)
	}
	return r.N
}

// returnSessions is the fewest sessions for an interval. With fewer, one win decides the figure.
const returnSessions = 30

// AddSession adds the play of one session of the game.
func (g *GameReport) AddSession(f DayFigures) {
	all := DayFigures{MoneySums: g.MoneySums, Reversals: g.Reversals}
	all.Add(f)
	g.MoneySums, g.Reversals, g.Sessions = all.MoneySums, all.Reversals, g.Sessions+1
	if bet, won := float64(f.Turnover()), float64(f.Payout()); bet != 0 || won != 0 {
		g.played++
		g.betBet, g.betWon, g.wonWon = g.betBet+bet*bet, g.betWon+bet*won, g.wonWon+won*won
	}
}

// ReturnInterval returns the interval, in percent, in which the game's true return lies with a probability of 95 %, or false if
// there were too few sessions. It takes the sessions as a random sample: with the return R = payout / turnover, its standard
// error is the root of n/(n-1) times the sum of (won - R × bet)² over the n sessions, divided by the turnover; the interval is
// R plus and minus 1.96 standard errors. Rounds within a session need not be independent. An estimate need not be exact, so it
// uses floating point.
func (g *GameReport) ReturnInterval() (low, high decimal.Decimal, known bool) {
	if g.played < returnSessions || g.Turnover() <= 0 {
		return low, high, false
	}
	n, turnover := float64(g.played), float64(g.Turnover())
	r := float64(g.Payout()) / turnover
	squares := max(g.wonWon-2*r*g.betWon+r*r*g.betBet, 0)
	half := 1.96 * math.Sqrt(n/(n-1)*squares) / turnover
	percent := func(x float64) decimal.Decimal { return decimal.NewFromFloat(100 * x).Round(2) }
	return percent(max(r-half, 0)), percent(r + half), true
}

// Outside returns by how many percentage points the interval misses the theoretical return: negative if the game returns too
// little, 0 if the interval includes it or is unknown.
func (g *GameReport) Outside(should decimal.Decimal) decimal.Decimal {
	low, high, known := g.ReturnInterval()
	switch {
	case known && low.GreaterThan(should):
		return low.Sub(should)
	case known && high.LessThan(should):
		return high.Sub(should)
	}
	return decimal.Zero
}

// GameReturns are the theoretical returns of games in percent, as their providers publish them. The platform's list of games
// has none.
type GameReturns map[GameID]decimal.Decimal

// MaxGameReturns is how many games can have one.
const MaxGameReturns = 1500

// CheckGameReturn returns an error unless r can be a game's theoretical return.
func CheckGameReturn(r decimal.Decimal) error {
	if r.LessThan(decimal.NewFromInt(1)) || r.GreaterThan(decimal.NewFromInt(100)) || r.Exponent() < -4 {
		return fmt.Errorf("a game returns 1 to 100 percent, with up to four decimals, not %s", r)
	}
	return nil
}

// Lines returns the returns as they are typed: a header, and a line for each game.
func (g GameReturns) Lines() string {
	lines := "game_id,rtp\n"
	for _, id := range slices.Sorted(maps.Keys(g)) {
		lines += fmt.Sprintf("%s,%s\n", csvCell(string(id)), g[id])
	}
	return lines
}

// csvCell returns a text as a cell of a line whose separator is a comma.
func csvCell(text string) string {
	if strings.ContainsAny(text, ",;\"\t") {
		return `"` + strings.ReplaceAll(text, `"`, `""`) + `"`
	}
	return text
}

// Check returns an error if the returns cannot be stored.
func (g GameReturns) Check() error {
	if len(g) > MaxGameReturns {
		return fmt.Errorf("the list has %d games; at most %d can have a theoretical return", len(g), MaxGameReturns)
	}
	for _, r := range g {
		if err := CheckGameReturn(r); err != nil {
			return err
		}
	}
	return nil
}

// Threshold opens a case for each row of a ranking of one day that reaches it.
type Threshold struct {
	Ranking  Ranking  `json:"ranking"`
	Currency Currency `json:"currency,omitempty"` // if the ranking compares amounts
	Least    int64    `json:"least"`              // in minor units if the ranking compares amounts
}

// Thresholds are the thresholds in use.
type Thresholds []Threshold

// Check returns an error if a threshold is invalid or appears twice.
func (list Thresholds) Check() error {
	for i, t := range list {
		if !t.Ranking.OpensCases() || t.Least < 1 || t.Ranking.InMoney() != (t.Currency != "") {
			return errors.New("a threshold needs a ranking that opens cases, at least 1, and a currency if it is an amount")
		}
		if slices.ContainsFunc(list[:i], func(o Threshold) bool { return o.Same(t) }) {
			return errors.New("there are two thresholds for the same ranking")
		}
	}
	return nil
}

// Same reports whether two thresholds are for the same ranking and currency.
func (t Threshold) Same(o Threshold) bool { return t.Ranking == o.Ranking && t.Currency == o.Currency }

// With returns the thresholds with t in place of the one for the same ranking and currency, or without either if t.Least is 0.
func (list Thresholds) With(t Threshold) Thresholds {
	list = slices.DeleteFunc(slices.Clone(list), t.Same)
	if t.Least > 0 {
		list = append(list, t)
	}
	return list
}

// Of returns the threshold for the same ranking and currency as t, or one with Least 0.
func (list Thresholds) Of(t Threshold) Threshold {
	if i := slices.IndexFunc(list, t.Same); i >= 0 {
		return list[i]
	}
	t.Least = 0
	return t
}

// ThresholdDay has the findings of a threshold on a day.
type ThresholdDay struct {
	Day   Day
	Found []Finding
}
