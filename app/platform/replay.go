package platform

import (
	"encoding/json"
	"strings"
	"unicode"

	"pitboss/callbacks/wire"
	"pitboss/models"
)

// Replays writes the callbacks of transactions that were processed as commands that send them again. A replay changes nothing:
// what was processed is answered as a duplicate, and what was rolled back as rolled back, for ever (specification, Errors 4 and
// 5).
type Replays struct {
	URL       string // where the callbacks are served, without the endpoint's path
	AgentID   string
	Duplicate int // the result that a repeated transaction is answered with: 11, or 0 by a setting
}

// Replay is one callback to send again.
type Replay struct {
	Endpoint string // "Withdraw"
	Command  string // for a POSIX shell, see CallbackCommand
	Answered string // what will be answered: "11, duplicate transaction"
}

// Of returns the callbacks that made a transaction of the platform's what it is, the first one first: its own, and that of its
// rollback. It returns none for what we booked ourselves, because the platform never sent that, and none where an ID cannot be
// written in a shell.
func (r Replays) Of(t models.TransactionLine) []Replay {
	if t.Source != models.SourcePlatform || t.Kind != models.Bet && t.Kind != models.Win && t.Kind != models.BetWin {
		return nil
	}
	c := models.Callback{
		Kind: models.CallbackKind(t.Kind), UserID: t.UserID, TransactionID: t.TransactionID, RoundID: t.RoundID,
		Amount: t.Bet.String(), FreeSpin: t.FreeSpin,
	}
	switch t.Kind {
	case models.Win:
		c.Amount = t.Win.String()
	case models.BetWin:
		c.WinAmount = t.Win.String()
	}
	if t.State != models.Reversed {
		return r.commands(r.Duplicate, c)
	}
	return r.commands(int(wire.AlreadyRolledBack), c,
		models.Callback{Kind: models.RollbackTransaction, UserID: t.UserID, TransactionID: t.TransactionID})
}

func (r Replays) commands(result int, list ...models.Callback) (replays []Replay) {
	for _, c := range list {
		command := CallbackCommand(shellWord(r.URL+"/"+c.Kind.String()), r.AgentID, c)
		if command == "" {
			return nil
		}
		replays = append(replays, Replay{Endpoint: c.Kind.String(), Command: command, Answered: ResultWords(result)})
	}
	return replays
}

// CallbackCommand writes a callback as commands for a POSIX shell that send it to address, which is a word of a shell already.
// The sign is computed where the commands run, from the secret key in the variable SECRET_KEY: a sign is good for whoever has
// it, so none is ever shown. It returns nothing for a callback that would not arrive as it is, because it is cut short or holds
// what cannot be seen.
func CallbackCommand(address, agentID string, c models.Callback) string {
	type field struct{ name, value string }
	fields := []field{{wire.FieldAgentID, agentID}, {wire.FieldUserID, string(c.UserID)}}
	switch c.Kind {
	case models.Withdraw, models.Deposit:
		fields = append(fields, field{wire.FieldAmount, c.Amount})
	case models.BetWinCallback:
		fields = append(fields, field{wire.FieldBetAmount, c.Amount}, field{wire.FieldWinAmount, c.WinAmount})
	}
	if c.Kind != models.GetBalance {
		fields = append(fields, field{wire.FieldTransactionID, string(c.TransactionID)})
	}
	if c.Kind != models.GetBalance && c.Kind != models.RollbackTransaction {
		fields = append(fields, field{wire.FieldRoundID, string(c.RoundID)})
	}
	var body, signed strings.Builder
	for _, f := range fields {
		if f.value == "" || strings.ContainsFunc(f.value, func(r rune) bool { return !unicode.IsPrint(r) }) {
			return ""
		}
		quoted, err := json.Marshal(f.value)
		if err != nil {
			return ""
		}
		body.WriteString(`"` + f.name + `":` + string(quoted) + ",")
		signed.WriteString(f.value)
	}
	if c.FreeSpin {
		body.WriteString(`"` + wire.FieldFreeSpin + `":true,`)
	}
	return `: "${SECRET_KEY:?Set SECRET_KEY to the secret key first}" &&` + "\n" +
		"sign=$(printf %s " + shellWord(signed.String()) +
		` | openssl dgst -sha256 -hmac "$SECRET_KEY" | sed 's/.* //' | tr a-f A-F) &&` + "\n" +
		"curl -sS " + address + " -H 'Content-Type: application/json' --data-raw " +
		shellWord("{"+body.String()+`"`+wire.FieldSign+`":"`) + `"$sign"` + shellWord(`"}`) + "\n"
}

// shellWord quotes a text so that a POSIX shell takes it as one word, whatever is in it.
func shellWord(text string) string { return "'" + strings.ReplaceAll(text, "'", `'\''`) + "'" }
