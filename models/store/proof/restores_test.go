package proof_test

import (
	"bytes"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"pitboss/models"
	"pitboss/models/store"
	"pitboss/models/store/storetest"
)

// restoredTables are the tables that a test copies back to restore an older state.
var restoredTables = append([]string{
	"audit_head", "checkpoints", "restores", "restore_wallets", "staff", "staff_links", "staff_sessions", "staff_passwords",
	"staff_devices",
	"verifications", "cash_reviews", "leases", "money_minutes", "campaigns",
}, storetest.LedgerTables...)

// backUp copies the ledger's tables within the database; the function that it returns puts them back, as a restored backup
// would.
func backUp(x *storetest.Database, t *testing.T) (restore func()) {
	t.Helper()
	for _, table := range restoredTables {
		_, err := x.DB.ExecContext(t.Context(), "CREATE TABLE kept_"+table+" AS SELECT * FROM "+table)
		require.NoError(t, err)
	}
	return func() {
		t.Helper()
		storetest.DropTriggers(t, x.Config.URL)
		for _, table := range restoredTables {
			for _, statement := range []string{"DELETE FROM " + table,
				"INSERT INTO " + table + " SELECT * FROM kept_" + table} {
				_, err := x.DB.ExecContext(t.Context(), statement)
				require.NoError(t, err)
			}
		}
	}
}

// restored is a ledger that went on after a backup, had two checkpoints written, and was restored from the backup.
type restored struct {
	*store.Store
	x                *storetest.Database
	base, lost, last []byte // checkpoints: before the backup, and two after it
	chloe            models.Signer
}

func newRestored(t *testing.T, x *storetest.Database) *restored {
	t.Helper()
	r := &restored{Store: x.Open(t), x: x}
	storetest.BookEveryKind(t, r.Store)
	chloe := hire(t, r.Store, "chloe", models.Compliance)
	r.chloe = models.Signer{Actor: models.Actor{Name: chloe.Username, Channel: models.ChannelBrowser}, StaffID: chloe.ID,
		Role: models.Compliance}
	r.base = storetest.WriteCheckpoint(t, r.Store)
	restore := backUp(x, t)
	storetest.Apply(t, r.Store, storetest.Win("anna", "big", 5000))
	storetest.ApplyCash(t, r.Store, storetest.Cash("anna", "held", 100).CashOut()) // its amount is still owed
	r.lost = storetest.WriteCheckpoint(t, r.Store)
	storetest.Apply(t, r.Store, storetest.Bet("bert", "x8", 100))
	storetest.Apply(t, r.Store, storetest.FreeSpin("carl", "later spin", 100))
	storetest.CreatePlayer(t, r.Store, "dora", 700)
	r.last = storetest.WriteCheckpoint(t, r.Store)
	restore()
	r.Store = x.Open(t) // every instance starts again after a restore
	return r
}

func (r *restored) file(t *testing.T, content []byte, name string) models.LostFile {
	t.Helper()
	cp, err := r.OpenCheckpoint(bytes.NewReader(content))
	require.NoError(t, err)
	return models.LostFile{CheckpointReader: cp, Name: name}
}

func (r *restored) plan(t *testing.T) (models.RestorePlan, error) {
	t.Helper()
	return r.PlanRestore(t.Context(),
		[]models.LostFile{r.file(t, r.base, "base"), r.file(t, r.lost, "lost"), r.file(t, r.last, "last")},
		r.file(t, r.base, "base").CheckpointReader, nil)
}

// hire creates a member of staff whose account was not touched at the command line.
func hire(t *testing.T, s *store.Store, name string, role models.Role) models.Staff {
	t.Helper()
	made, err := s.CreateStaff(t.Context(), models.System,
		models.Staff{Username: name, Name: name, Role: role, PasswordHash: "x", Profile: models.DefaultProfile})
	require.NoError(t, err)
	return made
}

var operator = models.Actor{Name: "otto", Channel: models.ChannelCommandLine, OSUser: "root"}

func (r *restored) declare(t *testing.T) models.Restore {
	t.Helper()
	p, err := r.plan(t)
	require.NoError(t, err)
	d, err := r.DeclareRestore(t.Context(), operator, p,
		models.RestoreWords{Source: "dump of 03:00", Reason: "the disk failed"})
	require.NoError(t, err)
	return d
}

// A restore that is declared and confirmed explains what newer checkpoints have and the ledger does not, whatever is played
// afterwards. Every later verification reports the restore.
func TestDeclaredRestoreExplainsTheGap(t *testing.T) {
	storetest.OnEngines(t, func(t *testing.T, x *storetest.Database) {
		r := newRestored(t, x)
		for _, file := range [][]byte{r.lost, r.last} {
			require.False(t, storetest.VerifyAgainst(t, r.Store, file).OK(), "nobody has declared it")
		}
		p, err := r.plan(t)
		require.NoError(t, err)
		require.EqualValues(t, 1, p.Base)
		require.Equal(t, []string{"last", "lost"}, []string{p.Checkpoints[0].File, p.Checkpoints[1].File},
			"the newest first, and none that the database knows")
		require.EqualValues(t, 4, p.Wallets, "anna, bert, carl, and dora, who is gone")
		require.EqualValues(t, 4, p.Entries)
		require.EqualValues(t, 1, p.SpinEntries)
		require.Len(t, p.Sums, 1)
		require.Equal(t, "56.00", p.Sums[0].Before.Sub(p.Sums[0].After).StringFixed(2))
		x.Exec(t, "INSERT INTO staff_sessions (id_hash, staff_id, data, address, agent, created_at_us, seen_at_us, "+
			"expires_at_us, mac) VALUES ('ended later', ?, '{}', '', '', 1, 1, 1, '')", r.chloe.StaffID)

		d := r.declare(t)
		list, err := r.StaffSessions(t.Context(), r.chloe.StaffID)
		require.NoError(t, err)
		require.Empty(t, list, "everybody has to sign in again")
		_, err = r.plan(t)
		require.ErrorIs(t, err, models.ErrNothingLost, "it was declared")
		v := storetest.VerifyAgainst(t, r.Store, r.last)
		require.Equal(t, []string{
			fmt.Sprintf("checkpoint 3 has a later state, as restore %d declares, but it is not confirmed: finance or "+
				"compliance confirms it on the page Integrity", d.ID),
		}, v.Written.Faults)
		require.Equal(t, 1, v.Faults(), faultText(v))
		require.Contains(t, v.Restores[0].String(), `restore 1 of "dump of 03:00", declared by otto (system user root)`)
		require.Contains(t, v.Restores[0].String(),
			", not confirmed yet: at least 5 entries (4 of money, 1 of free spins) of 4 wallets are gone")

		_, err = r.ConfirmRestore(t.Context(),
			models.Signer{Actor: r.chloe.Actor, StaffID: r.chloe.StaffID, Role: models.Finance}, d.ID)
		require.ErrorIs(t, err, models.ErrSignerChanged)
		_, err = r.ConfirmRestore(t.Context(), r.chloe, d.ID)
		require.NoError(t, err)
		_, err = r.ConfirmRestore(t.Context(), r.chloe, d.ID)
		require.ErrorIs(t, err, models.DecidedError{State: models.ApprovalApproved})
		_, err = r.ConfirmRestore(t.Context(), r.chloe, d.ID+1)
		require.ErrorIs(t, err, models.ErrRestoreUnknown)

		// Play goes on past the lines that the checkpoints have, with the same line numbers, and new checkpoints follow.
		for i := range 3 {
			storetest.Apply(t, r.Store, storetest.Bet("bert", models.TransactionID(fmt.Sprint("again", i)), 1))
		}
		storetest.Apply(t, r.Store, storetest.Win("anna", "big", 5000))
		storetest.CreatePlayer(t, r.Store, "emil", 10)
		fresh := storetest.WriteCheckpoint(t, r.Store)
		for name, file := range map[string][]byte{"base": r.base, "lost": r.lost, "last": r.last, "fresh": fresh} {
			v := storetest.VerifyAgainst(t, r.Store, file)
			require.True(t, v.OK(), "%s: %s", name, faultText(v))
			require.Len(t, v.Restores, 1, name)
			require.Equal(t, name == "lost" || name == "last", v.Restores[0].Explains, name)
			require.Contains(t, v.Restores[0].String(), "confirmed by chloe on ")
		}
	})
}

// A declaration explains what the restore lost, and nothing that somebody deletes in addition.
func TestAttackHideBehindARestore(t *testing.T) {
	for _, attack := range []struct{ what, statements, found string }{
		{"a tail cut behind the declaration",
			"",
			"gone since the checkpoint"},
		{"the declared wallets changed", "UPDATE restore_wallets SET seq = seq - 1 WHERE player_id = ANNA",
			"the wallets of restore 1 are not those that were declared"},
		{"a wallet added to the declaration",
			"INSERT INTO restore_wallets SELECT restore_id, player_id + 1000, currency, lost_seq, lost_spin_seq, " +
				"lost_minor, lost_held_minor, seq, head, spin_seq, spin_head, balance_minor, held_minor FROM restore_wallets WHERE player_id = ANNA",
			"the wallets of restore 1 are not those that were declared"},
		{"a wallet removed from the declaration", "DELETE FROM restore_wallets WHERE player_id = ANNA",
			"the wallets of restore 1 are not those that were declared"},
		{"the confirmation forged", "UPDATE restores SET state = 2, checker = 'chloe'", "restore 1 differs from audit event"},
		{"the declaration deleted", "DELETE FROM restores; DELETE FROM restore_wallets", "restore 1 is gone"},
		{"the checkpoints that it names changed", `UPDATE restores SET checkpoints = '[]'`,
			"restore 1 differs from audit event"},
		{"its texts made unreadable", `UPDATE restores SET checkpoints = 'x', state = 99 WHERE state = 1`, ""},
	} {
		t.Run(attack.what, func(t *testing.T) {
			storetest.OnEngines(t, func(t *testing.T, x *storetest.Database) {
				r := newRestored(t, x)
				d := r.declare(t)
				if attack.what != "the confirmation forged" && attack.found != "" {
					_, err := r.ConfirmRestore(t.Context(), r.chloe, d.ID)
					require.NoError(t, err)
				}
				storetest.Apply(t, r.Store, storetest.Bet("anna", "after", 50))
				fresh := storetest.WriteCheckpoint(t, r.Store)
				anna := fmt.Sprint(x.Number(t, "SELECT id FROM players WHERE user_id = 'anna'"))
				if attack.statements == "" {
					cutTail(t, x, "anna")
					cutTail(t, x, "anna") // into what was there when the restore was declared
					require.Contains(t, faultText(storetest.VerifyAgainst(t, r.Store, r.last)),
						"it does not continue from where restore 1 says")
				}
				for statement := range strings.SplitSeq(strings.ReplaceAll(attack.statements, "ANNA", anna), ";") {
					if statement == "" {
						break
					}
					x.Exec(t, statement)
				}
				v := storetest.VerifyAgainst(t, r.Store, fresh)
				require.False(t, v.OK())
				require.Contains(t, storetest.WordsOf(v)+faultText(v), attack.found)
				if attack.what != "a tail cut behind the declaration" {
					require.False(t, storetest.VerifyAgainst(t, r.Store, r.last).OK())
				}
			})
		})
	}
}

// cutTail removes the last line of a wallet, and everything in its row that shows it.
func cutTail(t *testing.T, x *storetest.Database, user string) {
	t.Helper()
	storetest.DropTriggers(t, x.Config.URL)
	player := x.Number(t, "SELECT id FROM players WHERE user_id = ?", user)
	x.Exec(t, "DELETE FROM postings WHERE player_id = ? AND free_spin = 0 AND seq = (SELECT seq FROM wallets "+
		"WHERE player_id = ?)", player, player)
	last := "(SELECT %s FROM postings p WHERE p.player_id = wallets.player_id AND p.free_spin = 0 ORDER BY p.seq DESC LIMIT 1)"
	x.Exec(t, fmt.Sprintf("UPDATE wallets SET seq = "+last+", head = "+last+", balance_minor = "+last+" WHERE player_id = %d",
		"seq", "hash", "after_minor", player))
}

// Somebody who has cut off a tail cannot declare that as a restore: what is left must have no faults, and match an older
// checkpoint.
func TestAttackDeclareTamperingARestore(t *testing.T) {
	storetest.OnEngines(t, func(t *testing.T, x *storetest.Database) {
		r := newRestored(t, x)
		anna := x.Number(t, "SELECT id FROM players WHERE user_id = 'anna'")
		x.Exec(t, "UPDATE wallets SET balance_minor = balance_minor + 1 WHERE player_id = ?", anna)
		_, err := r.plan(t)
		require.ErrorAs(t, err, &models.RestoreFaultsError{})
		x.Exec(t, "UPDATE wallets SET balance_minor = balance_minor - 1 WHERE player_id = ?", anna)
		// The cut goes further back than the checkpoint that the database knows.
		cutTail(t, x, "bert")
		require.Empty(t, storetest.RequireWhole(t, r.Store).Faulty, "only the older checkpoint shows it")
		_, err = r.plan(t)
		require.ErrorAs(t, err, &models.RestoreFaultsError{})
		// A loss that no checkpoint shows cannot be declared.
		_, err = r.PlanRestore(t.Context(), []models.LostFile{r.file(t, r.base, "base")}, nil, nil)
		require.ErrorIs(t, err, models.ErrNothingLost)
	})
}

// The person who declared a restore at the command line may also have created an account there, so such an account cannot
// confirm before an administrator has confirmed the account.
func TestConfirmingARestoreTakesAnotherPerson(t *testing.T) {
	storetest.OnEngines(t, func(t *testing.T, x *storetest.Database) {
		r := newRestored(t, x)
		d := r.declare(t)
		made, err := r.CreateStaff(t.Context(), operator,
			models.Staff{Username: "farid", Name: "Farid", Role: models.Finance, PasswordHash: "x",
				Profile: models.DefaultProfile})
		require.NoError(t, err)
		_, err = r.ConfirmRestore(t.Context(),
			models.Signer{Actor: models.Actor{Name: "farid", Channel: models.ChannelBrowser}, StaffID: made.ID,
				Role: models.Finance}, d.ID)
		require.ErrorIs(t, err, models.ErrSignerChanged)
		admin := hire(t, r.Store, "ann", models.Administrator)
		_, err = r.ConfirmRestore(t.Context(),
			models.Signer{Actor: models.Actor{Name: "ann", Channel: models.ChannelBrowser}, StaffID: admin.ID,
				Role: models.Administrator}, d.ID)
		require.ErrorIs(t, err, models.ErrCheckerRole)
	})
}

// A restore declared under a name cannot be confirmed under the same name.
func TestAttackConfirmOnesOwnRestore(t *testing.T) {
	storetest.OnEngines(t, func(t *testing.T, x *storetest.Database) {
		r := newRestored(t, x)
		otto := hire(t, r.Store, operator.Name, models.Finance)
		d := r.declare(t)
		_, err := r.ConfirmRestore(t.Context(), models.Signer{Actor: models.Actor{Name: otto.Username,
			Channel: models.ChannelBrowser}, StaffID: otto.ID, Role: models.Finance}, d.ID)
		require.ErrorIs(t, err, models.ErrOwnRequest)
	})
}

// Somebody changes rows in the database and tries to have them confirmed together with a restore: before the declaration they
// stop it, and after it the verification still names them.
func TestAttackLaunderRowsThroughARestore(t *testing.T) {
	attacks := []struct{ what, statement, named string }{
		{"an inserted account", "INSERT INTO staff (username, name, role, password_hash, must_change_password, totp_secret, " +
			"totp_step, disabled, zone, theme, density, created_at_us, password_set_at_us, signed_in_at_us, unconfirmed) SELECT 'eve', 'Eve', " +
			"'finance', password_hash, 0, '', 0, 0, zone, theme, density, 1, 1, 0, 'null' FROM staff WHERE username = 'chloe'",
			"has no audit event: it was inserted in the database"},
		{"an inserted waiting correction", "INSERT INTO corrections (at_us, kind, player_id, transaction_id, round_id, " +
			"amount_minor, effect_minor, reason, note, reference, another, maker_id, maker, maker_role, asked_before_minor, state, " +
			"checker_id, checker, checker_role, alone, decided_at_us, decision_note, seq, spin, before_minor, after_minor) " +
			"SELECT 1, 1, id, '', '', 777700, 777700, 'goodwill', 'x', '', '', 1, 'chloe', 'finance', 0, 1, 0, '', '', 0, 0, '', 0, " +
			"0, 0, 0 FROM players WHERE user_id = 'anna'", "has no audit event: it was inserted in the database"},
		{"swapped user IDs", "UPDATE players SET user_id = CASE user_id WHEN 'anna' THEN 'bert ' ELSE 'anna ' END " +
			"WHERE user_id IN ('anna', 'bert')", "differs from audit event"},
		{"another currency", "UPDATE wallets SET currency = 'USD' WHERE player_id = (SELECT id FROM players " +
			"WHERE user_id = 'anna')", "differs from audit event"},
		{"raised limits", "INSERT INTO settings (name, value, changed_at_us) VALUES ('grant limits', '{}', 1)",
			"has no audit event: it was inserted in the database"},
	}
	for _, attack := range attacks {
		t.Run(attack.what, func(t *testing.T) {
			storetest.OnEngines(t, func(t *testing.T, x *storetest.Database) {
				r := newRestored(t, x)
				_, err := r.CreateStaff(t.Context(), operator, models.Staff{Username: "farid", Name: "Farid",
					Role: models.Finance, PasswordHash: "x", Profile: models.DefaultProfile})
				require.NoError(t, err)
				p, err := r.plan(t)
				require.NoError(t, err)
				x.Exec(t, attack.statement)
				_, err = r.plan(t)
				var faults models.RestoreFaultsError
				require.ErrorAs(t, err, &faults)
				require.Contains(t, storetest.WordsOf(faults.Verification), attack.named)

				// A plan from before is declared and confirmed.
				d, err := r.DeclareRestore(t.Context(), operator, p,
					models.RestoreWords{Source: "dump", Reason: "the disk failed"})
				if err == nil {
					_, err = r.ConfirmRestore(t.Context(), r.chloe, d.ID)
				}
				if err != nil {
					require.ErrorAs(t, err, new(models.TamperedError))
				}
				v := storetest.VerifyAgainst(t, r.Store, r.last)
				require.NotZero(t, v.Rows.Total)
				require.Contains(t, storetest.WordsOf(v), attack.named, "it is still named")
			})
		})
	}
}

// A declaration inserted with SQL explains nothing, and one with altered wallets cannot be confirmed.
func TestAttackInsertARestore(t *testing.T) {
	storetest.OnEngines(t, func(t *testing.T, x *storetest.Database) {
		r := newRestored(t, x)
		d := r.declare(t)
		known, err := r.KnownCheckpoints(t.Context())
		require.NoError(t, err)
		require.True(t, known.Files["last"])
		x.Exec(t, "UPDATE restores SET reason = 'another'")
		known, err = r.KnownCheckpoints(t.Context())
		require.NoError(t, err)
		require.False(t, known.Files["last"], "it is not what the audit log says")
		x.Exec(t, "UPDATE restores SET reason = 'the disk failed'")
		x.Exec(t, "UPDATE restore_wallets SET lost_held_minor = lost_held_minor - 1")
		_, err = r.ConfirmRestore(t.Context(), r.chloe, d.ID)
		require.ErrorAs(t, err, &models.TamperedError{})
	})
}

// A checkpoint inserted with SQL does not hide that the database lost it.
func TestAttackInsertACheckpoint(t *testing.T) {
	storetest.OnEngines(t, func(t *testing.T, x *storetest.Database) {
		r := newRestored(t, x)
		known, err := r.KnownCheckpoints(t.Context())
		require.NoError(t, err)
		require.False(t, known.Files["last"])
		lost := models.Checkpoint{Number: 900, Digest: models.Hash{7}}
		x.Exec(t,
			"INSERT INTO checkpoints (number, at_us, digest, previous, signature, key_fingerprint, actor, wallets, entries, "+
				"spin_entries, audit_seq, size_bytes, file_name) SELECT 900, at_us, ?, previous, signature, key_fingerprint, actor, "+
				"wallets, entries, spin_entries, audit_seq, size_bytes, 'last' FROM checkpoints ORDER BY number LIMIT 1",
			lost.Digest[:])
		known, err = r.KnownCheckpoints(t.Context())
		require.NoError(t, err)
		require.False(t, known.Files["last"])
		there, err := r.HasCheckpoint(t.Context(), lost)
		require.NoError(t, err)
		require.False(t, there)
	})
}

// An import that was under way when the backup was made would grant again what it has granted since. So it waits for a person.
// One that cannot be paused, because somebody changed its row, keeps no other from being paused.
func TestRestorePausesImports(t *testing.T) {
	storetest.OnEngines(t, func(t *testing.T, x *storetest.Database) {
		s := x.Open(t)
		storetest.CreatePlayer(t, s, "anna", 0)
		_, err := s.SyncGames(t.Context(), models.System, models.GameSync{At: time.Now()},
			[]models.OfferedGame{{GameID: "g1", Name: "Embers"}})
		require.NoError(t, err)
		var ids []int64
		for _, digest := range []string{"1234", "5678"} {
			campaign, bad, err := s.CreateCampaign(t.Context(), models.System,
				models.Campaign{CampaignTerms: models.CampaignTerms{Name: "bonus"}, FileName: "spins.csv", Digest: digest, Role: models.Bonus},
				[]models.GrantLine{{Line: 2, UserID: "anna", GameID: "g1", Spins: 5}})
			require.NoError(t, err)
			require.Empty(t, bad)
			ids = append(ids, campaign.ID)
		}
		x.Exec(t, "UPDATE campaigns SET name = 'another' WHERE id = ?", ids[0])
		paused, err := s.PauseCampaigns(t.Context(), operator)
		require.ErrorAs(t, err, new(models.TamperedError))
		require.Equal(t, ids[1:], paused)
		x.Exec(t, "UPDATE campaigns SET name = 'bonus' WHERE id = ?", ids[0])
		for _, want := range [][]int64{ids[:1], nil} {
			paused, err := s.PauseCampaigns(t.Context(), operator)
			require.NoError(t, err)
			require.Equal(t, want, paused)
		}
		require.EqualValues(t, 2, x.Number(t, "SELECT COUNT(*) FROM campaigns WHERE job_state = ?", models.JobPaused))
		v, err := s.Verify(t.Context(), nil)
		require.NoError(t, err)
		require.True(t, v.OK(), faultText(v))
	})
}
