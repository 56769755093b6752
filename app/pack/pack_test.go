package pack_test

import (
	"archive/zip"
	"bytes"
	"context"
	"fmt"
	"io"
	"net/netip"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"pitboss/app/evidence"
	"pitboss/app/pack"
	"pitboss/models"
	"pitboss/models/store"
	"pitboss/models/store/storetest"
)

func TestMain(m *testing.M) { storetest.Main(m) }

var (
	ledgerKey = []byte("ledger key of the tests")
	sofia     = models.Actor{Name: "sofia", Channel: models.ChannelBrowser, Address: "203.0.113.5", Session: "abcd"}
	chloe     = models.Actor{Name: "chloe", Channel: models.ChannelBrowser, Address: "203.0.113.6", Session: "efgh"}
)

// books is a ledger of two players, one of whom complains.
type books struct {
	t *testing.T
	*store.Store
	dir   string
	maker pack.Maker
}

var requests atomic.Int64

func newBooks(t *testing.T, url string, key []byte) *books {
	t.Helper()
	b := &books{t: t, dir: t.TempDir(), Store: storetest.Open(t, store.Config{URL: url, LedgerKey: key})}
	for _, user := range []models.UserID{"anna", "bert"} {
		_, err := b.CreatePlayer(t.Context(), sofia, models.NewPlayer{UserID: user, Currency: "EUR", Balance: 100_00})
		require.NoError(t, err)
	}
	b.maker = pack.Maker{Store: b.Store,
		Checkpoints: evidence.New(evidence.Config{Store: b.Store, Dir: filepath.Join(b.dir, "checkpoints"), Holder: "test"}),
		Tell:        func(_ context.Context, e models.AuditEvent) (string, error) { return e.Action, nil }}
	return b
}

func (b *books) apply(user models.UserID, kind models.OperationKind, id, round string, stake, won models.Amount, free bool) {
	b.t.Helper()
	_, err := b.Apply(b.t.Context(), models.Operation{Source: models.SourcePlatform, Kind: kind, UserID: user,
		TransactionID: models.TransactionID(id), RoundID: models.RoundID(round), Bet: stake, Win: won, FreeSpin: free,
		Receipt: &models.Receipt{RequestID: models.RequestID{Received: time.Now().UTC().Truncate(time.Microsecond),
			Number: 1<<40 + requests.Add(1)}, Address: netip.MustParseAddr("192.0.2.1")}})
	require.NoError(b.t, err)
}

// story makes everything that a pack can contain.
func (b *books) story() models.Player {
	b.t.Helper()
	t := b.t
	b.apply("anna", models.Bet, "b1", "runde-日本-1", 5_00, 0, false)
	b.apply("anna", models.Win, "w1", "runde-日本-1", 0, 12_50, false)
	b.apply("anna", models.BetWin, "=bw", "r2", 1_00, 2_00, false)
	b.apply("anna", models.Bet, "b3", "r3", 7_00, 0, false)
	b.apply("anna", models.Rollback, "b3", "", 0, 0, false)
	b.apply("anna", models.Rollback, "never", "", 0, 0, false)
	b.apply("anna", models.Bet, "s1", "r4", 20, 0, true)
	b.apply("bert", models.Bet, "bert-1", "r5", 1_00, 0, false)
	anna, _, err := b.Player(t.Context(), "anna")
	require.NoError(t, err)
	had, at := models.Amount(1_00), time.Now().UTC().Truncate(time.Microsecond)
	require.NoError(t, b.LogCallbacks(t.Context(), at, nil, []models.Callback{{At: at, Kind: models.Withdraw,
		Verdict: models.VerdictInsufficientFunds, UserID: "anna", TransactionID: "much", RoundID: "r6", Amount: "1000.00",
		Had:     &had,
		Request: models.RequestID{Received: at, Number: 1<<40 + requests.Add(1)}, PlayerID: anna.ID}}))
	id, err := b.OpenComplaint(t.Context(), sofia, models.NewComplaint{PlayerID: anna.ID, Reference: "ADR-7",
		Due: at.Add(time.Hour), Text: "anna never saw the win of 12.50."})
	require.NoError(t, err)
	require.NoError(t, b.CommentCase(t.Context(), chloe, id, "She is on a list of ours."))
	require.NoError(t, b.SetBlocked(t.Context(), sofia, "anna", true, "suspected of sharing her account"))
	require.NoError(t, b.NoteView(t.Context(), chloe, "player", fmt.Sprint(anna.ID)))
	return anna
}

// make makes a pack and returns it.
func (b *books) make(r pack.Request) []byte {
	b.t.Helper()
	var out bytes.Buffer
	_, err := b.maker.Make(b.t.Context(), r, &out, b.t.TempDir(), func(int64, int) error { return nil })
	require.NoError(b.t, err)
	return out.Bytes()
}

func request(p models.Player, purpose pack.Purpose) pack.Request {
	at := time.Now().UTC().Truncate(time.Microsecond)
	return pack.Request{Player: p, Since: at.Add(-time.Hour), Until: at, Purpose: purpose, By: chloe, Role: models.Compliance,
		Why: "anna complains", Reference: "ADR-7", At: at}
}

func check(t *testing.T, content []byte, o pack.Options) *pack.Report {
	t.Helper()
	r, err := pack.Check(bytes.NewReader(content), int64(len(content)), o)
	require.NoError(t, err)
	return r
}

func unzipped(t *testing.T, content []byte) map[string]string {
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

// A pack has everything, can be checked without a database, and is the same when it is made again.
func TestDisputePack(t *testing.T) {
	storetest.Each(t, func(t *testing.T, url string) {
		b := newBooks(t, url, ledgerKey)
		r := request(b.story(), pack.Dispute)
		content := b.make(r)
		again := unzipped(t, b.make(r))
		for name, text := range unzipped(t, content) {
			if name != "manifest.json" && !strings.HasPrefix(name, "rounds.") { // rounds say when their state was read
				require.True(t, text == again[name], name)
			}
		}
		if dir := os.Getenv("PITBOSS_SCREENSHOTS"); dir != "" {
			require.NoError(t, os.WriteFile(filepath.Join(dir, "pack.zip"), content, 0o600))
		}

		report := check(t, content, pack.Options{Key: ledgerKey})
		require.True(t, report.OK(), report.Problems)
		for _, words := range []string{"sealed with the ledger's key", "CSV and JSON agree", "108.50 EUR after line 8",
			"staff actions are as they were recorded", "has the player's line", "lead to checkpoint 1",
			"each hash recalculated"} {
			require.Contains(t, strings.Join(report.Proved, "\n"), words)
		}
		report = check(t, content, pack.Options{})
		require.True(t, report.OK(), report.Problems)
		require.Contains(t, strings.Join(report.NotProved, "\n"), "Without the ledger's key")
		report = check(t, content, pack.Options{Key: []byte("another ledger's key")})
		require.False(t, report.OK())

		files := unzipped(t, content)
		for name, want := range map[string][]string{
			"timeline.csv": {"Opening balance of 100.00 EUR", "Bet of 5.00 EUR in round runde-日本-1", "Win of 12.50 EUR",
				"rolled back", "Free spin in round r4", "Withdraw of transaction much for 1000.00 refused", "Balance 1.00",
				"sofia: case opened (case 1)", "sofia: player blocked"},
			"ledger.csv":        {"'=bw", "opening balance", "bet and win"},
			"callbacks.json":    {`"transaction_id":"much"`, `"result":`},
			"rounds.csv":        {"runde-日本-1", "win paid"},
			"cases.json":        {"She is on a list of ours.", "ADR-7", "never saw"},
			"staff-actions.csv": {"suspected of sharing", "player viewed"},
			"manifest.json":     {`"why":"anna complains"`, `"opening_balance":"0.00"`},
		} {
			for _, words := range want {
				require.Contains(t, files[name], words, name)
			}
		}
		for name, text := range files {
			require.NotContains(t, text, "203.0.113.", "%s has an address of staff", name)
			require.NotContains(t, text, "bert-1", "%s is about another player", name)
		}
		require.True(t, strings.HasPrefix(files["pack.pdf"], "%PDF-"))
	})
}

// A data-access pack has the data about the player. It leaves out what staff wrote for each other, and data about other
// players.
func TestDataAccessPack(t *testing.T) {
	storetest.Each(t, func(t *testing.T, url string) {
		b := newBooks(t, url, ledgerKey)
		r := request(b.story(), pack.DataAccess)
		// A job that continues somebody's work acts under their name.
		bruno := models.Actor{Name: "bruno", Channel: models.ChannelSystem}
		require.NoError(t, b.SetBlocked(t.Context(), bruno, "anna", false, "for bruno"))
		r.Until = time.Now().UTC().Truncate(time.Microsecond)
		r.At = r.Until
		content := b.make(r)
		report := check(t, content, pack.Options{Key: ledgerKey})
		require.True(t, report.OK(), report.Problems)
		require.Contains(t, strings.Join(report.NotProved, "\n"), "lines about other players")
		names, err := filepath.Glob(filepath.Join(b.dir, "checkpoints", "checkpoint-*"))
		require.NoError(t, err)
		require.Len(t, names, 1)
		kept, err := os.Open(names[0])
		require.NoError(t, err)
		defer kept.Close()
		report = check(t, content, pack.Options{Key: ledgerKey, Checkpoint: kept})
		require.True(t, report.OK(), report.Problems)
		require.Contains(t, strings.Join(report.Proved, "\n"),
			"The checkpoint that was given is complete and has the player's line.")

		files := unzipped(t, content)
		require.NotContains(t, files, "checkpoint.jsonl.gz")
		require.Contains(t, files["cases.json"], "never saw", "what the player said")
		require.Contains(t, files["timeline.csv"], "Win of 12.50 EUR")
		for name, text := range files {
			for _, words := range []string{"sofia", "chloe", "bruno", "She is on a list", "suspected of sharing", "203.0.113."} {
				require.NotContains(t, text, words, name)
			}
		}
	})
}

// Each byte of a pack counts: if any is changed, the check fails and names the file, or says that it was the ZIP itself.
func TestAttackChangedBytes(t *testing.T) {
	b := newBooks(t, storetest.URL(t, storetest.SQLite), ledgerKey)
	content := b.make(request(b.story(), pack.Dispute))
	step := 97
	if os.Getenv("PITBOSS_PROVE") != "" {
		step = 11
	}
	// Without the key, only a checksum of the ZIP shows that a digit of the seal's signature was changed.
	seal := bytes.LastIndex(content, []byte(`"seal":`))
	require.Positive(t, seal)
	end := seal + bytes.IndexByte(content[seal:], '\n')
	for at := 0; at < len(content); at++ {
		if at%step != 0 && (at < seal || at > end) {
			continue
		}
		changed := bytes.Clone(content)
		changed[at] ^= 1 << (at % 8)
		report := check(t, changed, pack.Options{})
		require.False(t, report.OK(), "byte %d of %d", at, len(content))
		require.Regexp(t, `\.(json|csv|pdf|gz)|ZIP|belong`, report.Problems[0])
	}
}

// rezipped returns a pack with files changed, as a forger would pack it.
func rezipped(t *testing.T, content []byte, change func(name string, text []byte) []byte) []byte {
	t.Helper()
	z, err := zip.NewReader(bytes.NewReader(content), int64(len(content)))
	require.NoError(t, err)
	var out bytes.Buffer
	w := zip.NewWriter(&out)
	files := unzipped(t, content)
	for _, f := range z.File {
		to, err := w.CreateHeader(&zip.FileHeader{Name: f.Name, Method: f.Method, Modified: f.Modified})
		require.NoError(t, err)
		_, err = to.Write(change(f.Name, []byte(files[f.Name])))
		require.NoError(t, err)
	}
	require.NoError(t, w.Close())
	return out.Bytes()
}

// If a byte within a file was changed, the check names the file, the byte and the line.
func TestAttackChangedFiles(t *testing.T) {
	b := newBooks(t, storetest.URL(t, storetest.SQLite), ledgerKey)
	content := b.make(request(b.story(), pack.Dispute))
	for name, text := range unzipped(t, content) {
		for _, at := range []int{0, len(text) / 2, len(text) - 1} {
			changed := rezipped(t, content, func(of string, text []byte) []byte {
				if of == name {
					text[at] ^= 4
				}
				return text
			})
			report := check(t, changed, pack.Options{Key: ledgerKey})
			require.False(t, report.OK(), "%s, byte %d", name, at)
			all := strings.Join(report.Problems, "\n")
			require.Contains(t, all, name)
			if name != "manifest.json" {
				require.Contains(t, all, fmt.Sprintf("%s was changed: byte %d, in line %d,", name, at,
					1+strings.Count(text[:at], "\n")), "%s", all)
			}
		}
	}
}

// Somebody without the key makes a new manifest for changed books. The check still finds the line, by the ledger's own rules.
func TestAttackForgedManifest(t *testing.T) {
	b := newBooks(t, storetest.URL(t, storetest.SQLite), nil)
	p := b.story()
	content := b.make(request(p, pack.Dispute))
	require.True(t, check(t, content, pack.Options{}).OK())
	for what, row := range map[string]struct{ file, was, is, words string }{
		"a balance":  {"ledger", `"after":"107.50"`, `"after":"907.50"`, "row 3"},
		"an amount":  {"ledger", `"win":"12.50"`, `"win":"13.50"`, "row 3"},
		"a name":     {"ledger", `"transaction_id":"w1"`, `"transaction_id":"w2"`, "its hash does not match its contents"},
		"a spin":     {"free-spin-ledger", `"stake":"0.20"`, `"stake":"0.30"`, "its hash does not match its contents"},
		"a reason":   {"staff-actions", "suspected of", "convicted of", "its reason is not the one that was recorded"},
		"an opening": {"manifest", `"opening_balance":"0.00"`, `"opening_balance":"9.00"`, "row 1"},
	} {
		forged, err := pack.Forge(content, models.NewChain(nil), func(name, text string) string {
			if strings.HasPrefix(name, row.file+".") {
				return strings.Replace(text, row.was, row.is, 1)
			}
			return text
		})
		require.NoError(t, err)
		report := check(t, forged, pack.Options{})
		require.False(t, report.OK(), what)
		require.Contains(t, strings.Join(report.Problems, "\n"), row.words, what)
	}
}

// Somebody leaves out what would show that the lines do not lead to a checkpoint kept elsewhere.
func TestAttackCutOffBeforeTheCheckpoint(t *testing.T) {
	b := newBooks(t, storetest.URL(t, storetest.SQLite), nil)
	r := request(b.story(), pack.Dispute)
	b.apply("anna", models.Win, "later", "r9", 0, 3_00, false)
	b.apply("anna", models.Rollback, "s1", "", 0, 0, true)
	content := b.make(r)
	report := check(t, content, pack.Options{})
	require.True(t, report.OK(), report.Problems)
	require.Contains(t, strings.Join(report.Proved, "\n"), "lead to checkpoint")
	spans := map[string]string{"ledger": `"ledger":{`, "free-spin-ledger": `"free_spin_ledger":{`}
	for table, last := range map[string]int64{"ledger": report.Manifest.Ledger.LastSeq,
		"free-spin-ledger": report.Manifest.Spins.LastSeq} {
		forged, err := pack.Forge(content, models.NewChain(nil), func(name, text string) string {
			switch name {
			case table + ".json": // without its last line
				lines := strings.Split(strings.TrimSuffix(text, "\n]\n"), ",\n")
				return strings.Join(lines[:len(lines)-1], ",\n") + "\n]\n"
			case "manifest.json":
				span := strings.Index(text, spans[table])
				return text[:span] + strings.Replace(text[span:], fmt.Sprintf(`"last_seq":%d`, last),
					fmt.Sprintf(`"last_seq":%d`, last-1), 1)
			}
			return text
		})
		require.NoError(t, err)
		report := check(t, forged, pack.Options{})
		require.Contains(t, strings.Join(report.Problems, "\n"), "and reach the checkpoint", table)
	}
	forged, err := pack.Forge(content, models.NewChain(nil), func(name, text string) string {
		if strings.HasPrefix(name, "ledger.") {
			return ""
		}
		return text
	})
	require.NoError(t, err)
	require.Contains(t, check(t, forged, pack.Options{}).Problems,
		"manifest.json does not list ledger.json, which every pack has.")
}

// A file that is not a pack gets a clear answer, quickly.
func TestAttackHostileArchives(t *testing.T) {
	b := newBooks(t, storetest.URL(t, storetest.SQLite), ledgerKey)
	content := b.make(request(b.story(), pack.Dispute))
	with := func(more func(*zip.Writer)) []byte {
		var out bytes.Buffer
		w := zip.NewWriter(&out)
		z, err := zip.NewReader(bytes.NewReader(content), int64(len(content)))
		require.NoError(t, err)
		for _, f := range z.File {
			require.NoError(t, w.Copy(f))
		}
		more(w)
		require.NoError(t, w.Close())
		return out.Bytes()
	}
	add := func(name, text string) func(*zip.Writer) {
		return func(w *zip.Writer) {
			to, err := w.Create(name)
			require.NoError(t, err)
			_, err = io.WriteString(to, text)
			require.NoError(t, err)
		}
	}
	without := func(name string) []byte {
		return rezippedWithout(t, content, name)
	}
	for what, row := range map[string]struct {
		content []byte
		words   string
	}{
		"nothing":       {nil, "This is not a complete ZIP file"},
		"a text":        {[]byte(strings.Repeat("no pack ", 99)), "This is not a complete ZIP file"},
		"half":          {content[:len(content)/2], "This is not a complete ZIP file"},
		"a path upward": {with(add("../../etc/passwd", "x")), `"../../etc/passwd" does not belong in a pack.`},
		"another file":  {with(add("notes.txt", "x")), `"notes.txt" does not belong in a pack.`},
		"a folder":      {with(add("ledger.json/", "")), `"ledger.json/" does not belong in a pack.`},
		"a file twice":  {with(add("ledger.json", "[]")), "ledger.json is in the ZIP twice."},
		"no manifest":   {without("manifest.json"), "manifest.json is missing"},
		"no ledger":     {without("ledger.csv"), "ledger.csv is missing."},
		"a bomb": {rezipped(t, content, replacing("ledger.json", strings.Repeat("0", 300<<20))),
			"no genuine pack compresses that well"},
		"a long manifest": {rezipped(t, content, replacing("manifest.json", strings.Repeat(" ", 2<<20))),
			"larger than any manifest"},
		"no JSON":         {rezipped(t, content, replacing("manifest.json", "{}")), "it cannot be read as the manifest"},
		"something after": {append(bytes.Clone(content), "more"...), "ZIP"},
		"something first": {append([]byte("more"), content...), "ZIP"},
	} {
		report := check(t, row.content, pack.Options{Key: ledgerKey})
		require.False(t, report.OK(), what)
		require.Contains(t, strings.Join(report.Problems, "\n"), row.words, what)
	}
}

func replacing(name, text string) func(string, []byte) []byte {
	return func(of string, was []byte) []byte {
		if of == name {
			return []byte(text)
		}
		return was
	}
}

func rezippedWithout(t *testing.T, content []byte, name string) []byte {
	t.Helper()
	z, err := zip.NewReader(bytes.NewReader(content), int64(len(content)))
	require.NoError(t, err)
	var out bytes.Buffer
	w := zip.NewWriter(&out)
	for _, f := range z.File {
		if f.Name != name {
			require.NoError(t, w.Copy(f))
		}
	}
	require.NoError(t, w.Close())
	return out.Bytes()
}

// If a player's older lines were archived, their pack begins where the books do, says so, and passes the check.
func TestPackAfterPurge(t *testing.T) {
	storetest.Each(t, func(t *testing.T, url string) {
		b := newBooks(t, url, ledgerKey)
		p := b.story()
		archived := time.Now().UTC()
		b.apply("anna", models.Win, "w9", "r9", 0, 3_00, false)
		b.apply("anna", models.Bet, "s9", "r10", 30, 0, true)
		var archive bytes.Buffer
		going, err := b.BeginPurge(t.Context(), models.PurgeScope{LedgerBefore: archived, AuditBefore: archived}, &archive)
		require.NoError(t, err)
		require.NoError(t, b.FinishPurge(t.Context(), sofia, going, "archive-1"))
		content := b.make(request(p, pack.Dispute))
		report := check(t, content, pack.Options{Key: ledgerKey})
		require.True(t, report.OK(), report.Problems)
		require.Contains(t, strings.Join(report.Proved, "\n"), "The ledger begins after line 8, because a purge archived")
		require.Equal(t, "108.50", report.Manifest.MoneyBefore())
		require.EqualValues(t, 9, report.Manifest.Ledger.ClosingSeq)
		report = check(t, content, pack.Options{})
		require.True(t, report.OK(), report.Problems)
		require.Contains(t, strings.Join(report.NotProved, "\n"), "was archived by a purge")
	})
}

// A player's rows are written one by one: memory does not grow with them.
func TestPackOfManyRows(t *testing.T) {
	lines := int64(30_000)
	if os.Getenv("PITBOSS_PROVE") != "" {
		lines = 1_000_000
	}
	chain := models.NewChain(ledgerKey)
	s := &endless{chain: chain, lines: lines, now: time.Now().UTC().Truncate(time.Microsecond)}
	out, err := os.Create(filepath.Join(t.TempDir(), "pack.zip"))
	require.NoError(t, err)
	defer out.Close()
	runtime.GC() // garbage of other tests
	var most uint64
	watch := func(int64, int) error {
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		most = max(most, m.HeapAlloc)
		return nil
	}
	maker := pack.Maker{Store: s, Tell: func(context.Context, models.AuditEvent) (string, error) { return "", nil }}
	rows, err := maker.Make(t.Context(),
		pack.Request{Player: models.Player{ID: 1}, Since: s.now.Add(-time.Duration(lines) * time.Second),
			Until: s.now.Add(time.Hour), At: s.now.Add(time.Hour), Purpose: pack.Dispute}, out, t.TempDir(), watch)
	require.NoError(t, err)
	require.EqualValues(t, lines, rows)
	require.Less(t, most, uint64(64<<20), "bytes of the heap")
	info, err := out.Stat()
	require.NoError(t, err)
	report, err := pack.Check(out, info.Size(), pack.Options{Key: ledgerKey})
	require.NoError(t, err)
	require.True(t, report.OK(), report.Problems)
	require.NoError(t, watch(0, 0))
	require.Less(t, most, uint64(64<<20), "bytes of the heap after checking")
	t.Logf("%d rows, %d bytes, at most %d bytes of heap", rows, info.Size(), most)
}
