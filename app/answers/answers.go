// Package answers has what support tells players about their play, in the players' languages. Each language has a file with its
// texts. A text says what happened to the player's money, and nothing about what the casino knows or suspects: a player who is
// restricted because of money laundering reads the same as everybody else.
package answers

import (
	"embed"
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
	"time"

	"pitboss/models"
)

//go:embed *.json
var files embed.FS

// language is one file.
type language struct {
	Name           string            `json:"name"` // what the language calls itself
	Decimal, Group string            // the separators of amounts
	Months         []string          `json:"months"`
	Moment         string            `json:"moment"` // a date with the time of day
	Spin, Spins    string            // a number of free spins
	Texts          map[string]string // sentences and parts of sentences, by name
	Paper          map[string]string // the words of a player's statement by name; for its lines, by the line's kind
}

// languages has the files by language code.
var languages = func() map[string]language {
	all := map[string]language{}
	for _, code := range models.PlayerLanguages {
		text, err := files.ReadFile(code + ".json")
		l := language{}
		if err == nil {
			err = json.Unmarshal(text, &l)
		}
		if err != nil {
			panic(fmt.Errorf("answers in %s: %w", code, err)) // the files are part of the program
		}
		all[code] = l
	}
	return all
}()

// Name returns what a language calls itself.
func Name(code string) string { return languages[code].Name }

// Words has the words of a player's statement in one language, and formats amounts and times.
type Words struct{ of language }

// In returns the words in a language.
func In(code string) Words { return Words{languages[code]} }

// Word returns a word by its name, with values in place of the names in braces. pairs alternates names and values.
func (w Words) Word(name string, pairs ...string) string {
	return strings.NewReplacer(pairs...).Replace(w.of.Paper[name])
}

// Amount rewrites an amount that Amount.Grouped or Signed has formatted with the language's separators.
func (w Words) Amount(formatted string) string { return w.of.amount(formatted) }

// Moment returns a date and time, in the zone of at.
func (w Words) Moment(at time.Time) string { return w.of.moment(at) }

func (l language) amount(formatted string) string {
	return strings.NewReplacer(",", l.Group, ".", l.Decimal).Replace(formatted)
}

func (l language) moment(at time.Time) string {
	return strings.NewReplacer("{day}", at.Format("2"), "{month}", l.Months[at.Month()-1], "{year}", at.Format("2006"),
		"{time}", at.Format("15:04:05"), "{zone}", strings.TrimSuffix(at.Format("UTC-07:00"), "+00:00")).Replace(l.Moment)
}

// Answer is what support can tell a player. The zero Answer says nothing.
type Answer struct {
	says   []string       // the names of its sentences in the files
	values map[string]any // what the sentences mention: money, times, spins, other sentences, and names
}

// The types of values other than times and names.
type (
	money struct {
		models.Amount
		models.Currency
	}
	spins    int64
	sentence string
)

// Text returns the answer in a language, with times in a zone. It is empty if the answer says nothing.
func (a Answer) Text(code string, zone *time.Location) string {
	l := languages[code]
	var pairs []string
	for name, value := range a.values {
		text := fmt.Sprint(value)
		switch v := value.(type) {
		case money:
			text = l.amount(v.Grouped()) + " " + string(v.Currency)
		case spins:
			words := l.Spins
			if v == 1 {
				words = l.Spin
			}
			text = strings.ReplaceAll(words, "{n}", strconv.Itoa(int(v)))
		case time.Time:
			text = l.moment(v.In(zone))
		case sentence:
			text = l.Texts[string(v)]
		}
		pairs = append(pairs, "{"+name+"}", text)
	}
	var said []string
	for _, name := range a.says {
		// A reason has values of its own, so insert it before them.
		text := strings.ReplaceAll(l.Texts[name], "{why}", l.Texts[fmt.Sprint(a.values["why"])])
		said = append(said, strings.NewReplacer(pairs...).Replace(text))
	}
	return strings.Join(said, " ")
}

// Refused returns the answer about a refused bet.
func Refused(c models.Callback) Answer {
	a := Answer{[]string{"refused"}, map[string]any{"bet": c.Amount + " " + string(c.Currency), "at": c.Request.Received,
		"why": sentence("why " + c.Verdict.Bet().Answer)}}
	if bet, err := models.ParseAmount(c.Amount); err == nil {
		a.values["bet"] = money{bet, c.Currency}
	}
	switch c.Verdict {
	case models.VerdictInsufficientFunds:
		if c.Had != nil {
			a.values["why"], a.values["had"] = sentence("why balance"), money{*c.Had, c.Currency}
		}
	case models.VerdictLimitReached:
		for _, kind := range models.LimitKinds {
			for _, period := range models.LimitPeriods {
				if name := (models.PlayerLimit{Kind: kind, Period: period}).Name(); strings.Contains(c.Cause, name) {
					a.values["why"], a.values["limit"] = sentence("why limit"), sentence(name)
				}
			}
		}
	}
	return a
}

// Round returns the answer about a round, and about its last win if last is not nil. It says nothing while a win may still
// come.
func Round(r models.Round, last *models.TransactionLine) Answer {
	a := Answer{[]string{"played"}, map[string]any{"at": r.At, "bet": money{r.Staked, r.Currency}, "win": money{r.Won, r.Currency},
		"spins": spins(r.Spins)}}
	if r.Staked == 0 && r.Spins > 0 {
		a.says = []string{"played spins"}
	}
	switch r.State() {
	case models.RoundReversed:
		a.says = []string{"round canceled"}
	case models.RoundInterrupted:
		a.says = []string{"interrupted"}
	case models.RoundLost:
		a.says = append(a.says, "lost")
	case models.RoundNoWin:
		a.says = append(a.says, "no win")
	case models.RoundWon:
		a.says = append(a.says, "won")
		if last != nil && last.After != nil {
			a.says[len(a.says)-1] = "won then"
			a.values["credited"], a.values["after"] = last.At, money{*last.After, r.Currency}
			if r.Wins > 1 {
				a.says[len(a.says)-1] = "won last"
			}
		}
	default:
		return Answer{}
	}
	return a
}

// Transaction returns the answer about a transaction of play: that it was canceled, or else what became of its round. round is
// nil if the transaction has none, and last, the round's last win, is nil if it is not known.
func Transaction(t models.TransactionLine, round *models.Round, last *models.TransactionLine) Answer {
	canceled := map[models.OperationKind]string{models.Bet: "bet canceled", models.Win: "win canceled",
		models.BetWin: "bet and win canceled"}[t.Kind]
	switch {
	case canceled == "" || t.Source != models.SourcePlatform:
		return Answer{}
	case t.State != models.Reversed && round != nil:
		return Round(*round, last)
	case t.State != models.Reversed:
		return Answer{}
	case t.FreeSpin:
		canceled = "spin canceled"
	case t.Kind == models.BetWin && t.Win == 0:
		canceled = "bet canceled"
	}
	return Answer{[]string{canceled}, map[string]any{"at": t.At, "bet": money{t.Bet, t.Currency}, "win": money{t.Win, t.Currency}}}
}

// Grant returns the answer about free spins that the platform granted.
func Grant(g models.Grant, wins models.SpinWins) Answer {
	a := Answer{[]string{"spins granted"}, map[string]any{"at": g.At, "spins": spins(g.Spins), "game": g.Game.Title(),
		"left": spins(max(0, g.Spins-g.UsedSpins())), "win": money{wins.Won, g.Currency}}}
	switch {
	case g.UsedUp():
		a.says = []string{"spins used"}
	case g.State != models.GrantActive:
		return Answer{}
	}
	return a
}

// Restriction returns the answer about a restriction in effect. It names a restriction that the player has asked for, and no
// other reason.
func Restriction(r models.Restriction, now time.Time) Answer {
	a := Answer{[]string{"restricted"}, map[string]any{"until": r.Until}}
	forGood := r.Until.Equal(models.Permanent)
	switch {
	case r.Subject != models.OfPlayer || !r.Active(now):
		return Answer{}
	case r.Scope == models.FromDeposits:
		a.says = []string{"no deposits"}
	case r.Scope == models.FromBonuses:
		a.says = []string{"no bonuses"}
	case r.Kind == models.SelfExclusion && forGood:
		a.says = []string{"excluded for good"}
	case r.Kind == models.SelfExclusion:
		a.says = []string{"excluded"}
	case r.Kind == models.CoolOff && !forGood:
		a.says = []string{"paused"}
	case r.Kind == models.AccountClosed:
		a.says = []string{"closed"}
	}
	return a
}
