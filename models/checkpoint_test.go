package models_test

import (
	"bytes"
	"compress/gzip"
	"encoding/hex"
	"io"
	"math"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"pitboss/models"
)

// The audit chain and the seals of checkpoints may be verified years later by another version of the program. These values were
// computed with Python's hashlib and hmac from the encodings as the methods' comments describe them.
func TestAuditChainNeverChanges(t *testing.T) {
	var prev models.Hash
	for i := range prev {
		prev[i] = byte(i)
	}
	var salts models.AuditSalts
	for i := range salts {
		for n := range salts[i] {
			salts[i][n] = byte(16*i + n)
		}
	}
	event := models.AuditEvent{
		ID: 9, At: goldenAt, Actor: models.Actor{Name: "ada", Channel: models.ChannelCommandLine, OSUser: "root",
			Address: "203.0.113.7", Session: "s1"}, Action: "player blocked", Object: "player", ObjectID: "7",
		Before: `{"blocked":false}`, After: `{"blocked":true}`, Reason: "asked for it: ж",
	}
	for name, row := range map[string]struct{ key, line, state, digest, erased, checkpoint string }{
		"unkeyed": {"", "2fc27a1c584571e544d926662576913dc0d5c1da17a0acce6cdf60097f3e1141",
			"fce9d61970705dadfb4f78dfefb3d38d9ba529961abbe9d2f849c8c9641c4323",
			"937ac3f04bcbe2aa63f2db1f87f47017e0a300bcd79aae537dca41f0075e6c1f", "efdf346e0609c4f2f8d66e3847600d40",
			"16c5f72aa38e8470fe68f188ab586bd5548236660dc47d096205c427dd7fadd5"},
		"keyed": {"ledger key", "147d811e0a612a33794f4bb486b4e1e7dbe6af267496798b881ee613cc8161ad",
			"709e7c7d4ddfa9a59e85b7827156bee41c3ba26d47fc7b74e88746cb99a5aa36",
			"1e9755add884eb36a57d5211fa27481ac934c47c68f8f1799f206cce88748050", "afe9dea177fb5e1e35df284d0c9adcb5",
			"9e32e7da56aac1e34128fd46f69a8c3f337060381dc30d4e7f6fa3106c7611bd"},
	} {
		t.Run(name, func(t *testing.T) {
			c := models.NewChain([]byte(row.key))
			l := c.AuditLine(prev, event, salts, []byte("row"))
			require.Equal(t, row.line, hex.EncodeToString(l.Hash[:]))
			state, _ := l.State()
			require.Equal(t, row.state, hex.EncodeToString(state[:]))
			require.Equal(t, row.digest, hex.EncodeToString(l.Digests[models.AuditReason][:]))
			erased := c.Erased(&l, models.AuditReason)
			require.Equal(t, row.erased, hex.EncodeToString(erased[:]))
			sign := c.Checkpoint(&models.Checkpoint{Number: 3, At: goldenAt, Previous: prev, Digest: models.Hash{1, 2, 3}})
			require.Equal(t, row.checkpoint, hex.EncodeToString(sign[:]))
		})
	}
}

func TestAuditTexts(t *testing.T) {
	c := models.NewChain([]byte("ledger key"))
	l := c.AuditLine(models.Hash{}, models.AuditEvent{ID: 1, At: goldenAt, Before: "a", After: "b"}, models.AuditSalts{}, nil)
	changed, erased := c.AuditTexts(&l)
	require.Empty(t, changed)
	require.Empty(t, erased, "an empty text is not an erased one")
	l.Before, l.After = "b", "a"
	changed, _ = c.AuditTexts(&l)
	require.Equal(t, []models.AuditText{models.AuditBefore, models.AuditAfter}, changed)
	l.Before, l.After = "a", ""
	l.Salts[models.AuditAfter] = c.Erased(&l, models.AuditAfter)
	changed, erased = c.AuditTexts(&l)
	require.Empty(t, changed)
	require.Equal(t, []models.AuditText{models.AuditAfter}, erased)
}

var checkpointKey = models.NewChain([]byte("ledger key"))

func written(t *testing.T, c *models.Chain, wallets ...models.Wallet) (models.Checkpoint, []byte) {
	t.Helper()
	var file bytes.Buffer
	w, err := models.NewCheckpointWriter(&file, c,
		models.Checkpoint{Number: 3, At: goldenAt, Previous: models.Hash{7}, AuditSeq: 12, Audit: models.Hash{8}})
	require.NoError(t, err)
	for i := range wallets {
		require.NoError(t, w.Wallet(&wallets[i]))
	}
	cp, err := w.Close()
	require.NoError(t, err)
	return cp, file.Bytes()
}

var checkpointWallets = []models.Wallet{
	{PlayerID: 1, Seq: 4, Head: models.Hash{1}, SpinSeq: 2, SpinHead: models.Hash{2}, Balance: math.MaxInt64,
		Currency: "EUR"},
	{PlayerID: 2, Seq: 1, Head: models.Hash{3}, Balance: math.MaxInt64, Currency: "EUR"},
	{PlayerID: 9007199254740993, Seq: 9007199254740993, Head: models.Hash{5}, Balance: -5, Currency: "TRY"},
}

func TestCheckpointFile(t *testing.T) {
	cp, file := written(t, checkpointKey, checkpointWallets...)
	r, err := models.OpenCheckpoint(bytes.NewReader(file), checkpointKey)
	require.NoError(t, err)
	require.True(t, r.Signed(checkpointKey))
	require.Equal(t, cp, r.Checkpoint)
	require.EqualValues(t, 3, r.Wallets)
	require.EqualValues(t, 9007199254740998, r.Entries)
	for _, want := range checkpointWallets {
		w, ok, err := r.Wallet()
		require.NoError(t, err)
		require.True(t, ok)
		require.Equal(t, want, w)
	}
	_, ok, err := r.Wallet()
	require.NoError(t, err)
	require.False(t, ok)
}

func unzipped(t *testing.T, file []byte) string {
	t.Helper()
	zip, err := gzip.NewReader(bytes.NewReader(file))
	require.NoError(t, err)
	text, err := io.ReadAll(zip)
	require.NoError(t, err)
	return string(text)
}

func zipped(t *testing.T, text string) []byte {
	t.Helper()
	var b bytes.Buffer
	zip := gzip.NewWriter(&b)
	_, err := zip.Write([]byte(text))
	require.NoError(t, err)
	require.NoError(t, zip.Close())
	return b.Bytes()
}

func TestCheckpointThatProvesNothing(t *testing.T) {
	_, file := written(t, checkpointKey, checkpointWallets...)
	text := unzipped(t, file)
	lines := strings.SplitAfter(text, "\n")
	_, other := written(t, models.NewChain([]byte("a guess")), checkpointWallets...)
	_, unkeyed := written(t, models.NewChain(nil), checkpointWallets...)
	forged := strings.Replace(unzipped(t, unkeyed), "unkeyed", checkpointKey.Fingerprint(), 1)
	for what, row := range map[string]struct {
		file []byte
		want error
	}{
		"nothing":            {nil, models.ErrCheckpointBroken},
		"not compressed":     {[]byte(text), models.ErrCheckpointBroken},
		"cut off":            {file[:len(file)/2], models.ErrCheckpointBroken},
		"without its seal":   {zipped(t, strings.Join(lines[:len(lines)-2], "")), models.ErrCheckpointBroken},
		"with half a line":   {zipped(t, text[:len(text)-1]), models.ErrCheckpointBroken},
		"with a line more":   {zipped(t, text+"[]\n"), models.ErrCheckpointBroken},
		"with a wallet less": {zipped(t, strings.Replace(text, lines[2], "", 1)), models.ErrCheckpointBroken},
		"with wallets exchanged": {zipped(t, strings.Replace(text, lines[1]+lines[2], lines[2]+lines[1], 1)),
			models.ErrCheckpointBroken},
		"with another number": {zipped(t, strings.Replace(text, `"number":3`, `"number":4`, 1)),
			models.ErrCheckpointBroken},
		"with other totals": {zipped(t, strings.Replace(text, `"wallets":3`, `"wallets":2`, 1)),
			models.ErrCheckpointBroken},
		"of another kind": {zipped(t, strings.Replace(text, "checkpoint 1", "checkpoint 2", 1)),
			models.ErrCheckpointBroken},
		"with an endless line": {zipped(t, strings.Repeat("x", 1<<20)), models.ErrCheckpointBroken},
		"by another key":       {other, models.ErrCheckpointKey},
		"without key":          {unkeyed, models.ErrCheckpointKey},
		"without key, forged":  {zipped(t, forged), models.ErrCheckpointBroken},
		"with another's signature": {
			zipped(t, text[:strings.LastIndex(text, `"signature"`)]+
				unzipped(t, other)[strings.LastIndex(unzipped(t, other), `"signature"`):]), models.ErrCheckpointKey,
		},
	} {
		_, err := models.OpenCheckpoint(bytes.NewReader(row.file), checkpointKey)
		require.ErrorIs(t, err, row.want, what)
	}
}
