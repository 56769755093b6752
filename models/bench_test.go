package models_test

import (
	"testing"
	"time"

	"pitboss/models"
)

func BenchmarkDecide(b *testing.B) {
	state := models.State{Wallet: models.Wallet{PlayerID: 1, Currency: "EUR", Balance: 1 << 40}}
	op := models.Operation{Source: models.SourcePlatform, Kind: models.BetWin, UserID: "anna", TransactionID: "tx",
		RoundID: "r", Bet: 100, Win: 90}
	b.ReportAllocs()
	for b.Loop() {
		if o := models.Decide(state, op); o.Decline != models.None {
			b.Fatal(o.Decline)
		}
	}
}

func BenchmarkPost(b *testing.B) {
	chain := models.NewChain([]byte("ledger key of the benchmark"))
	w := models.Wallet{PlayerID: 1, Currency: "EUR", Balance: 1 << 40}
	op := models.Operation{Source: models.SourcePlatform, Kind: models.Bet, UserID: "anna",
		TransactionID: "474e1a293c2f4e7ab122c52d68423fcb", RoundID: "ab9c15f2efdd46278e4a56b303127234", Bet: 100}
	at := time.UnixMicro(1e15)
	b.ReportAllocs()
	for b.Loop() {
		o := models.Decide(models.State{Wallet: w}, op)
		w.Post(chain, o.Posting(&op, nil, at), o.Lines())
	}
}

func BenchmarkParseAmount(b *testing.B) {
	b.ReportAllocs()
	for b.Loop() {
		if _, err := models.ParseAmount("12345.67"); err != nil {
			b.Fatal(err)
		}
	}
}
