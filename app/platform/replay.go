package platform

import (
	"encoding/json"
	"strings"
	"unicode"

	"pitboss/callbacks/wire"
	"pitboss/models"
)

// Replays writes processed transactions' callbacks as commands that send them again. That changes nothing, ever: what was
// processed is answered as a duplicate, and what was rolled back as rolled back (specification, Errors 4 and 5).
type Replays struct {
	URL       string // the callbacks' base address
	AgentID   string
	Duplicate int // the result for a repeated transaction: 11, or 0 by a setting
}

// Replay is a callback to send again.
type Replay struct {
	Endpoint string // "Withdraw"
	Command  string // for a POSIX shell, see CallbackCommand
	Answered string // the expected answer, such as "11, duplicate transaction"
}

// Of returns the callbacks behind a transaction from the platform, in order: its own and that of its rollback. It returns none
// for our own transactions, which the platform never sent, and none if an ID cannot be written in a shell.
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

// CallbackCommand returns commands for a POSIX shell that send a callback to address, which must be quoted for the shell
// already. The commands compute the signature from the secret key in the variable SECRET_KEY, because a signature is usable by
// anybody who sees it, so none is ever shown. It returns an empty string for a callback that cannot be reproduced, because it
// was shortened or has invisible characters.
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

// shellWord quotes a text as one word for a POSIX shell.
func shellWord(text string) string { return "'" + strings.ReplaceAll(text, "'", `'\''`) + "'" }
