package pack

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"io"
	"strings"
	"time"

	"pitboss/models"
)

// The timeline is merged from the moments that the other tables spooled while they were written.

// timeline writes the timeline's table.
func (w *making) timeline(ctx context.Context) error {
	t, err := w.newTable(timelineTable, momentRow{})
	if err != nil {
		return err
	}
	// People read the timeline first, so it comes first.
	w.tables = append([]*table{t}, w.tables[:len(w.tables)-1]...)
	var heads []*head
	for _, s := range w.spools {
		if _, err := s.Seek(0, io.SeekStart); err != nil {
			return err
		}
		h := &head{from: json.NewDecoder(bufio.NewReader(s.File))}
		if err := h.next(); err != nil {
			return err
		}
		heads = append(heads, h)
	}
	for {
		var first *head
		for _, h := range heads {
			if !h.ended && (first == nil || time.Time(h.row.At).Before(time.Time(first.row.At))) {
				first = h
			}
		}
		if first == nil {
			return nil
		}
		if err := errors.Join(t.add(first.row), first.next(), ctx.Err()); err != nil {
			return err
		}
	}
}

// head is the next moment of a spool.
type head struct {
	from  *json.Decoder
	row   momentRow
	ended bool
}

func (h *head) next() error {
	h.row = momentRow{}
	err := h.from.Decode(&h.row)
	if errors.Is(err, io.EOF) {
		h.ended = true
		return nil
	}
	return err
}

func (w *making) amount(a models.Amount) string {
	return a.Grouped() + " " + string(w.Player.Wallet.Currency)
}

func (w *making) postingSentence(p *models.Posting) string {
	balance := " Balance " + w.amount(p.After) + "."
	round := ""
	if p.RoundID != "" {
		round = " in round " + string(p.RoundID)
	}
	rolledBack := ""
	if p.Claim == models.ClaimRolledBack {
		rolledBack = " rolled back"
	}
	switch {
	case p.Claim == models.ClaimNone:
		return "Rollback of a transaction that had not arrived. The transaction is refused if it does. No money moved." +
			balance
	case p.Kind == models.Bet:
		return "Bet of " + w.amount(p.Bet) + round + rolledBack + "." + balance
	case p.Kind == models.Win:
		return "Win of " + w.amount(p.Win) + round + rolledBack + "." + balance
	case p.Kind == models.BetWin:
		return "Bet of " + w.amount(p.Bet) + " and win of " + w.amount(p.Win) + round + rolledBack + "." + balance
	case p.Kind == models.Opening:
		return "Opening balance of " + w.amount(p.Win) + "."
	case p.Kind == models.Adjustment && p.Bet > 0:
		return "Correction: " + w.amount(p.Bet) + " debited." + balance
	case p.Kind == models.Adjustment:
		return "Correction: " + w.amount(p.Win) + " credited." + balance
	}
	return postingWord(p) + "." + balance
}

func (w *making) spinSentence(e *models.SpinEntry) string {
	s := "Free spin"
	if e.Spins < 0 {
		s = "Free spin rolled back"
	}
	if e.RoundID != "" {
		s += " in round " + string(e.RoundID)
	}
	return s + ". Its stake of " + w.amount(max(e.Stake, -e.Stake)) + " never touched the balance."
}

func callbackSentence(c *models.Callback) string {
	s := c.Kind.String() + " of transaction " + string(c.TransactionID)
	if c.Kind == models.GetBalance || c.TransactionID == "" {
		s = c.Kind.String()
	}
	if c.Amount != "" {
		s += " for " + c.Amount
	}
	s += " refused: " + strings.TrimSuffix(c.Verdict.String(), ".")
	if c.Verdict == models.VerdictNoAnswer {
		s = strings.Replace(s, " refused: ", ": ", 1)
	}
	if c.Had != nil {
		s += ". Balance " + c.Had.Grouped()
	}
	return s + "."
}
