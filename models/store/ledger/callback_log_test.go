package ledger

import (
	"math/rand/v2"
	"net/netip"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"pitboss/models"
	"pitboss/models/store/db"
)

// Packed rows are unpacked unchanged, whatever combination of numbers, times and addresses they contain.
func TestPackedLinesAreReadAgain(t *testing.T) {
	at := time.Date(2026, 3, 14, 12, 0, 0, 123000, time.UTC)
	random := rand.New(rand.NewPCG(5, 6))
	v4, v6 := netip.MustParseAddr("203.0.113.7"), netip.MustParseAddr("2001:db8::7")
	addresses := []netip.Addr{v4, v4, v6, {}}
	var stmt db.Statement
	receipts := &keptRows{packing: newPacking(&stmt, "callback_receipts", at)}
	answers := &keptRows{packing: newPacking(&stmt, "callback_answers", at)}
	var wantReceipts []models.Callback
	var wantAnswers []models.AnsweredRequest
	for i := range 3000 {
		id := models.RequestID{Received: at.Add(time.Duration(random.IntN(9_000_000)-1000) * time.Microsecond * -1),
			Number: 1<<62 + int64(i) - int64(random.IntN(5))}
		c := models.Callback{At: at, Request: id, Verdict: models.Applied, Kind: models.CallbackKind(1 + i%3),
			PlayerID: int64(i) << 20, Seq: int64(1 + random.IntN(1<<40)), Spin: i%7 == 0,
			Address: addresses[random.IntN(len(addresses))]}
		wantReceipts = append(wantReceipts, c)
		m := &Member{Op: models.Operation{Kind: models.OperationKind(c.Kind),
			Receipt: &models.Receipt{RequestID: id, Address: c.Address}}, PlayerID: c.PlayerID, Wrote: mark{Seq: c.Seq, Spin: c.Spin}}
		receipts.add(id.Number, func(b []byte, last *netip.Addr) []byte { return appendReceipt(b, m, at, last) })

		a := models.AnsweredRequest{RequestID: models.RequestID{Number: id.Number}, Answered: models.Answered{Status: 200,
			Latency: time.Duration(random.IntN(5_000_000)) * time.Microsecond}}
		if i%5 == 0 {
			a.Result, a.Status = []int{0, 11}[i%2], []int{200, 503}[i%3%2]
		}
		wantAnswers = append(wantAnswers, a)
		answers.add(id.Number, func(b []byte, _ *netip.Addr) []byte { return appendAnswer(b, &a) })
	}
	var gotReceipts []models.Callback
	for _, r := range receipts.end() {
		require.LessOrEqual(t, len(r.Lines), 7500, "two rows fit on a page of InnoDB")
		require.NoError(t, r.Receipts(func(c models.Callback) { gotReceipts = append(gotReceipts, c) }))
	}
	require.Equal(t, wantReceipts, gotReceipts)
	var gotAnswers []models.AnsweredRequest
	for _, r := range answers.end() {
		require.NoError(t, r.Answers(func(number int64, a models.Answered) {
			gotAnswers = append(gotAnswers, models.AnsweredRequest{RequestID: models.RequestID{Number: number}, Answered: a})
		}))
	}
	require.Equal(t, wantAnswers, gotAnswers)
	for _, damaged := range []string{"\n", "1 2 3 4\n", "1 2 300 4 5\n", "1 2 3 s 5\n", "1 2 3 4 5 here\n",
		strings.Repeat("9", 30) + " 2 3 4 5\n"} {
		r := Packed{At: at, Lines: damaged}
		require.Error(t, r.Receipts(func(models.Callback) {}), damaged)
	}
	for _, damaged := range []string{"\n", "1\n", "1 2 3\n", "1 x\n"} {
		r := Packed{At: at, Lines: damaged}
		require.Error(t, r.Answers(func(int64, models.Answered) {}), damaged)
	}
}

// keptRows is a packing that keeps its completed rows.
type keptRows struct {
	*packing
	rows []Packed
}

func (k *keptRows) add(number int64, rest func([]byte, *netip.Addr) []byte) {
	before, row := k.packing.rows, Packed{At: k.at, First: k.first, Lines: string(k.packed)}
	if k.packing.add(number, rest); k.packing.rows > before {
		k.rows = append(k.rows, row)
	}
}

func (k *keptRows) end() []Packed {
	return append(k.rows, Packed{At: k.at, First: k.first, Lines: string(k.packed)})
}
