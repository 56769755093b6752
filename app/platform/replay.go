package platform

import (
	"encoding/json"
	"strings"

	"pitboss/callbacks/wire"
	"pitboss/models"
)

// Replays writes the callbacks of transactions that were processed as commands that send them again. A replay changes nothing: what was
// processed is answered as a duplicate, and what was rolled back as rolled back, for ever (specification, Errors 4 and 5).
type Replays struct {
	URL       string // where the callbacks are served, without the endpoint's path
	AgentID   string
	SecretKey string // signs; it does not show in a command
	Duplicate int    // the result that a repeated transaction is answered with: 11, or 0 by a setting
}

// Replay is one callback to send again.
type Replay struct {
	Endpoint string // "Withdraw"
	Command  string // a line for a POSIX shell
	Answered string // what will be answered: "11, duplicate transaction"
}

// Of returns the callbacks that made a transaction of the platform's what it is, the first one first: its own, and that of its rollback.
// It returns none for what we booked ourselves, because the platform never sent that.
func (r Replays) Of(t models.TransactionLine) ([]Replay, error) {
	request := wire.Request{AgentID: r.AgentID, UserID: string(t.UserID), TransactionID: string(t.TransactionID), RoundID: string(t.RoundID)}
	var endpoint wire.Endpoint
	switch {
	case t.Source != models.SourcePlatform:
		return nil, nil
	case t.Kind == models.Bet:
		endpoint, request.Amount, request.FreeSpin = wire.Withdraw, t.Bet.String(), t.FreeSpin
	case t.Kind == models.Win:
		endpoint, request.Amount = wire.Deposit, t.Win.String()
	case t.Kind == models.BetWin:
		endpoint, request.BetAmount, request.WinAmount = wire.BetWin, t.Bet.String(), t.Win.String()
	default:
		return nil, nil
	}
	if t.State != models.Reversed {
		first, err := r.command(endpoint, request, ResultWords(r.Duplicate))
		return []Replay{first}, err
	}
	rolledBack := ResultWords(int(wire.AlreadyRolledBack))
	first, err := r.command(endpoint, request, rolledBack)
	if err != nil {
		return nil, err
	}
	second, err := r.command(wire.RollbackTransaction, wire.Request{AgentID: r.AgentID, UserID: string(t.UserID), TransactionID: string(t.TransactionID)}, rolledBack)
	return []Replay{first, second}, err
}

func (r Replays) command(e wire.Endpoint, request wire.Request, answered string) (Replay, error) {
	request.Sign = wire.Sign(r.SecretKey, request.SignedValues(e, nil)...)
	body, err := json.Marshal(request)
	if err != nil {
		return Replay{}, err
	}
	return Replay{
		Endpoint: e.String(), Answered: answered,
		Command: "curl -sS -X POST -H 'Content-Type: application/json' --data-raw " + shellWord(string(body)) + " " + shellWord(r.URL+e.Path()),
	}, nil
}

// shellWord quotes a text so that a POSIX shell takes it as one word, whatever is in it.
func shellWord(text string) string { return "'" + strings.ReplaceAll(text, "'", `'\''`) + "'" }
