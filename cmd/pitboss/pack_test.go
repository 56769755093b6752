package main

import (
	"archive/zip"
	"bytes"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"pitboss/app/pack"
	"pitboss/callbacks/wire"
	"pitboss/cmd/testing/browsertest"
	"pitboss/cmd/testing/storetest"
	"pitboss/models"
)

// A player complains. Support records it; compliance makes a dispute pack from the case, downloads it and checks it at the
// command line with the key on the Integrity page. Callbacks, free spins, a correction and the case are in it; a signature that
// the platform has used is not.
func TestDisputePackJourney(t *testing.T) {
	alongside(t)
	dir := t.TempDir()
	l := newLiving(t)
	signs := l.playSigned()
	l.credit("anna", 2500)
	bonus := l.browser.Open(t, browsertest.View{})
	l.signIn(bonus, "bruno")
	bonus.Wait(".pb-shell")
	l.grantAndWatch(bonus, true)

	support := l.browser.Open(t, browsertest.View{})
	l.signIn(support, "sofia")
	support.Wait(".pb-shell")
	support.Go(l.server.AdminURL() + "/cases/new?player=anna")
	support.Fill("#f-reference", "ADR-2026-7")
	support.Choose("#f-due", time.Now().AddDate(0, 0, 14).Format(time.DateOnly))
	support.Fill("#f-text", "I won 12.50 and never saw it.")
	support.Follow(".pb-form .btn-primary")
	support.WaitText("h1", "Complaint")
	complaint := support.Address()

	chloe := l.browser.Open(t, browsertest.View{})
	l.signIn(chloe, "chloe")
	chloe.Wait(".pb-shell")
	chloe.Go(complaint)
	chloe.Follow("a[href^='/packs/new?player-number=']")
	require.Equal(t, "anna", chloe.Value("#f-player"))
	require.Equal(t, "ADR-2026-7", chloe.Value("#f-reference"))
	content, name := chloe.Download(".pb-form .btn-primary")
	require.Regexp(t, `^pitboss-players-\d+-pack-\d+-\d+\.zip$`, name)
	require.Empty(t, chloe.Errors())
	require.Empty(t, support.Errors())

	chloe.Go(l.server.AdminURL() + "/integrity")
	key := chloe.Text("[aria-label='Key for packs'] .card-body")
	c := commander{t, nil}
	file := filepath.Join(dir, name)
	require.NoError(t, os.WriteFile(file, content, 0o600))
	for _, words := range []string{`dispute pack about player "anna"`, "signed with the operator's key"} {
		require.Contains(t, c.well("pack", "check", file, "--key", key), words)
	}
	require.Contains(t, c.well("pack", "check", file), "Compare it with the key that the operator publishes")

	files := packFiles(t, content)
	for of, words := range map[string][]string{
		"transactions.csv":  {"5.00", "runde-1", "12.50"},
		"ledger.csv":        {"Adjusted", "25.00"},
		"callbacks.csv":     {"Withdraw", "Deposit", "insufficient funds"},
		"free-spins.csv":    {"Goodwill"},
		"corrections.csv":   {"ticket 88213"},
		"cases.csv":         {"ADR-2026-7"},
		"staff-actions.csv": {"complaint"},
	} {
		for _, w := range words {
			require.Contains(t, files[of], w, of)
		}
	}
	for of, text := range files {
		for _, sign := range signs {
			require.NotContains(t, text, sign, of)
		}
	}
	require.NoError(t, os.WriteFile(file, content[:len(content)/2], 0o600))
	status, out, _ := command(t, nil, "pack", "check", file)
	require.Equal(t, 1, status)
	require.Contains(t, out, "This is not a complete ZIP file")
	require.Contains(t, out, "THE PACK IS NOT VALID")

	// Making and downloading it are in the log, with the reason, for the player too.
	anna, _, err := l.store.Player(t.Context(), "anna")
	require.NoError(t, err)
	for _, of := range []struct{ object, id, action string }{
		{"player", fmt.Sprint(anna.ID), "dispute pack started"}, {"player", fmt.Sprint(anna.ID), "dispute pack finished"},
	} {
		events, err := l.store.AuditEvents(t.Context(),
			models.AuditFilter{Object: of.object, ObjectID: of.id, Action: of.action, Span: models.Span{Limit: 9}})
		require.NoError(t, err)
		require.Len(t, events.Rows, 1, of.action)
		require.Equal(t, "Complaint, case 1", events.Rows[0].Reason)
		require.Equal(t, "chloe", events.Rows[0].Actor.Name)
	}
	requireWhole(t, l.store)
}

// Texts in a hostile pack cannot move the terminal's cursor or begin a line.
func TestAttackPackOnATerminal(t *testing.T) {
	var out bytes.Buffer
	r := &pack.Report{Problems: []string{"\x1b[8mledger.csv was changed", "key \u202e\nNo file was changed."}}
	r.Manifest.Format, r.Manifest.Purpose = "x", "dispute\nthe pack is as it was made\x1b[2J"
	tellPack(&console{out: &out}, r, false)
	require.NotContains(t, out.String(), "\x1b")
	require.NotContains(t, out.String(), "\u202e")
	require.NotContains(t, out.String(), "\nthe pack is as it was made")
	require.NotContains(t, out.String(), "\nNo file was changed")
	require.Contains(t, out.String(), "THE PACK IS NOT VALID")
}

// playSigned plays as the platform does, and returns the signatures of the callbacks.
func (l *living) playSigned() (signs []string) {
	l.Helper()
	for _, sent := range []struct {
		endpoint wire.Endpoint
		wire.Request
		want int
	}{
		{wire.Withdraw, wire.Request{UserID: "anna", Amount: "5.00", TransactionID: "b1", RoundID: "runde-1"}, 0},
		{wire.Deposit, wire.Request{UserID: "anna", Amount: "12.50", TransactionID: "w1", RoundID: "runde-1"}, 0},
		{wire.BetWin, wire.Request{UserID: "anna", BetAmount: "1.00", WinAmount: "0.00", TransactionID: "bw1",
			RoundID: "runde-2"}, 0},
		{wire.Withdraw, wire.Request{UserID: "anna", Amount: "3.00", TransactionID: "b3", RoundID: "runde-3"}, 0},
		{wire.RollbackTransaction, wire.Request{UserID: "anna", TransactionID: "b3"}, 0},
		{wire.Withdraw, wire.Request{UserID: "anna", Amount: "9999.00", TransactionID: "b4", RoundID: "runde-4"}, -2},
	} {
		sent.AgentID = testAgent
		signs = append(signs, wire.Sign(testSecret, sent.SignedValues(sent.endpoint, nil)...))
		result := call(l.T, l.server.CallbackURL(), sent.endpoint, sent.Request)
		require.Equal(l, sent.want == 0, result == 0, sent.TransactionID)
	}
	return signs
}

// credit has farid request a credit and mira approve it.
func (l *living) credit(user models.UserID, amount models.Amount) {
	l.Helper()
	signer := func(name string) models.Signer {
		s, _, err := l.store.StaffNamed(l.Context(), name)
		require.NoError(l, err)
		return models.Signer{Actor: models.Actor{Name: name, Channel: models.ChannelBrowser}, StaffID: s.ID, Role: s.Role}
	}
	p, _, err := l.store.Player(l.Context(), user)
	require.NoError(l, err)
	r := models.CorrectionRequest{Kind: models.CorrectCredit, PlayerID: p.ID, Amount: amount, Reason: "goodwill",
		Text: "Their ticket 88213."}
	asked, err := l.store.RequestCorrection(l.Context(), signer("farid"), r)
	require.NoError(l, err)
	outlook, err := l.store.Outlook(l.Context(), asked)
	require.NoError(l, err)
	d := storetest.Opened(l.Context(), l.store, "correction", asked.ID)
	d.Do, d.Basis = models.ApprovalApproved, outlook.CorrectionBasis
	_, err = l.store.Decide(l.Context(), signer("mira"), d)
	require.NoError(l, err)
}

func packFiles(t *testing.T, content []byte) map[string]string {
	t.Helper()
	z, err := zip.NewReader(bytes.NewReader(content), int64(len(content)))
	require.NoError(t, err)
	files := map[string]string{}
	for _, f := range z.File {
		r, err := f.Open()
		require.NoError(t, err)
		text, err := io.ReadAll(r)
		require.NoError(t, err)
		files[f.Name] = string(text)
	}
	return files
}
