package store_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"pitboss/cmd/testing/storetest"
	"pitboss/models"
)

// tampered is a site with everything that somebody might want to tamper with, and its last checkpoint.
type tampered struct {
	*storetest.Database
	*storetest.Colleagues
	names      *strings.Replacer // the rows' numbers, by their names in the statements
	checkpoint []byte
}

func newTampered(t *testing.T, x *storetest.Database) *tampered {
	t.Helper()
	ctx := t.Context()
	clock := &storetest.Clock{}
	clock.Set(time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC))
	x.Config.Now = clock.Now
	s := x.Open(t)
	d := storetest.NewColleagues(t, s, 100_000)
	bert := storetest.CreatePlayer(t, s, "bert", 50_000)
	_, err := s.CreatePlayer(ctx, storetest.Tester, models.NewPlayer{UserID: "tess", Currency: "EUR", Test: true})
	require.NoError(t, err)
	require.NoError(t, s.SetStaffTOTP(ctx, storetest.Tester, d.Jonas.StaffID,
		models.SecondFactor{Sealed: "sealed", Step: 1, Codes: []string{"code1", "code2"}}, ""))
	require.NoError(t, s.AddPasskey(ctx, storetest.Tester, models.Passkey{StaffID: d.Jonas.StaffID, Name: "key", Credential: "{\"id\":1}"},
		nil, ""))
	require.NoError(t, s.DisableStaff(ctx, storetest.Tester, d.Sofia.StaffID, "on leave"))
	limits := models.DefaultGrantRules
	limits.Limits.HouseSpinsPerDay = 54321
	storetest.Change(t, s, models.ChangeGrantLimits, limits)
	_, err = s.SyncGames(ctx, storetest.Tester, models.GameSync{At: clock.Now()},
		[]models.OfferedGame{{GameID: "g1", Name: "Embers"}, {GameID: "g2", Name: "Ancient Bells"}})
	require.NoError(t, err)
	terms := models.CampaignTerms{Name: "bonus", BudgetCost: map[models.Currency]models.Amount{"EUR": 100000}}
	campaign, bad, err := s.CreateCampaign(ctx, storetest.Tester,
		models.Campaign{CampaignTerms: terms, FileName: "spins.csv", Digest: "1234", Role: models.Bonus},
		[]models.GrantLine{{Line: 2, UserID: "anna", GameID: "g1", Spins: 5}})
	require.NoError(t, err)
	require.Empty(t, bad)
	grant, err := s.RequestGrant(ctx, storetest.Tester,
		models.GrantRequest{UserID: "anna", GameID: "g1", Spins: 10, Reason: "goodwill", Role: models.Bonus, CampaignID: campaign.ID})
	require.NoError(t, err)
	_, err = s.SendGrant(ctx, grant.ID)
	require.NoError(t, err)
	_, err = s.AnswerGrant(ctx, storetest.Tester, grant.ID, models.GrantOutcome{State: models.GrantActive, FreeSpinID: "fs-1"})
	require.NoError(t, err)
	for _, op := range []models.Operation{
		storetest.Bet("anna", "b1", 1000), storetest.Win("anna", "w1", 700), storetest.Bet("anna", "b2", 500),
		storetest.Rollback("anna", "b2"),
		storetest.FreeSpin("anna", "s1", 50), storetest.Bet("bert", "b3", 300),
	} {
		r, _ := storetest.Called(t, s, storetest.Signed(op))
		require.Equal(t, models.None, r.Decline)
	}
	again, _ := storetest.Called(t, s, storetest.Bet("anna", "b1", 999))
	require.True(t, again.OtherContents)
	require.NoError(t, s.AttributeSpins(ctx, d.Anna.ID, true))
	storetest.ReviewedCash(t, s, storetest.Cash("anna", "out", 100).CashOut())
	storetest.Restrict(t, s, "bert")
	require.NoError(t, s.SetLimits(ctx, storetest.SignerNamed(t, s, "stan", models.Support), d.Anna.ID, models.LimitsRequest{
		Changes: []models.LimitChange{{Kind: models.LimitLoss, Period: models.LimitMonth, To: new(models.Amount(5000))}}, Reason: "asked"}))
	_, err = s.Restrict(ctx, storetest.SignerNamed(t, s, "stan", models.Support), models.Restriction{Subject: models.OfGame,
		About: "g9", Kind: models.OtherRestriction, Scope: models.FromPlay, Until: models.Permanent, Reason: "it pays too much"})
	require.NoError(t, err)
	approved := d.MustApprove(d.Jonas, d.Request(d.Mira, d.Adjust(models.CorrectCredit, 300, "goodwill")))
	cases, _, err := s.OpenCases(ctx, []models.Finding{
		{Rule: models.CaseRules[0], Key: "one", At: clock.Now(), PlayerID: d.Anna.ID, Amount: 500, Currency: "EUR"},
		{Rule: models.CaseRules[0], Key: "two", At: clock.Now()},
	})
	require.NoError(t, err)
	require.NoError(t, s.CommentCase(ctx, storetest.Tester, cases[0], "looked at"))
	require.NoError(t, s.DecideCase(ctx, storetest.Tester, cases[1], models.CaseExplained, "the platform confirmed it"))

	bea, err := s.CreateStaff(ctx, models.System,
		models.Staff{Username: "bea", Name: "Bea", Role: models.Bonus, PasswordHash: "x", Identity: "https://idp.example#bea"})
	require.NoError(t, err)
	storetest.Confirm(t, s, "bea")
	bea.Unconfirmed = nil
	held, _, err := s.RequestCampaign(ctx, bea.Signer(), models.Campaign{CampaignTerms: models.CampaignTerms{Name: "goodwill"},
		Digest: "held", Again: true}, []models.GrantLine{{Line: 1, UserID: "anna", GameID: "g1", Spins: 90}})
	require.NoError(t, err)

	clock.Set(time.Date(2026, 11, 21, 6, 0, 0, 0, time.UTC))
	_, err = s.FollowDays(ctx)
	require.NoError(t, err)
	storetest.SignDay(t, s, "2026-11-20", models.Finance, "mira")
	client, _ := storetest.APIClient(t, s, models.APITerms{Name: "cashier", Networks: "192.0.2.0/24"})
	waiting := d.Request(d.Mira, d.Adjust(models.CorrectCredit, 500, "goodwill"))
	v, err := s.Verify(ctx, nil)
	require.NoError(t, err)
	require.NoError(t, s.RecordVerification(ctx, storetest.Tester, clock.Now(), v))
	storetest.WriteCheckpoint(t, s)
	n := func(name string, id int64) []string { return []string{name, fmt.Sprint(id)} }
	var names []string
	for _, pair := range [][]string{
		n("ANNA", d.Anna.ID), n("BERT", bert.ID), n("MIRA", d.Mira.StaffID), n("JONAS", d.Jonas.StaffID),
		n("SOFIA", d.Sofia.StaffID),
		n("APPROVED", approved.ID), n("WAITING", waiting.ID), n("OPENED", cases[0]),
		n("CLOSED", cases[1]),
	} {
		names = append(names, pair...)
	}
	ada, _ := storetest.Administrators(t, s)
	nora, err := s.CreateStaff(ctx, ada.Actor, models.Staff{Username: "nora", Name: "Nora", Role: models.Finance})
	require.NoError(t, err)
	link := models.StaffLink{StaffID: nora.ID, Hash: "link", Delivery: models.LinkShown, ExpiresAt: clock.Now().Add(time.Hour)}
	require.NoError(t, s.MakeStaffLink(ctx, ada.Actor, link))
	limits.Limits.HouseSpinsPerDay = 65432
	change, err := s.RequestChange(ctx, ada, models.ChangeGrantLimits, limits, "tried")
	require.NoError(t, err)
	names = append(names, "NORA", fmt.Sprint(nora.ID), "CLIENT", fmt.Sprint(client.ID), "CHANGE", fmt.Sprint(change.ID), "HELD", fmt.Sprint(held.ID))
	file := storetest.WriteCheckpoint(t, s)
	storetest.DropTriggers(t, x.Config.URL)
	return &tampered{Database: x, Colleagues: d, names: strings.NewReplacer(names...), checkpoint: file}
}

var tablesNamed = regexp.MustCompile(`(?:UPDATE|INTO|FROM) ([a-z_]+)`)

// with executes statements in the database, calls fn, and restores the tables.
func (x *tampered) with(t *testing.T, statements string, fn func()) {
	t.Helper()
	statements = x.names.Replace(statements)
	tables := map[string]bool{}
	for _, found := range tablesNamed.FindAllStringSubmatch(statements, -1) {
		tables[found[1]] = true
	}
	run := func(statement string) {
		_, err := x.DB.ExecContext(t.Context(), statement)
		require.NoError(t, err, statement)
	}
	for table := range tables {
		run("CREATE TABLE kept_" + table + " AS SELECT * FROM " + table)
	}
	for statement := range strings.SplitSeq(statements, ";") {
		x.Exec(t, strings.TrimSpace(statement))
	}
	fn()
	for table := range tables {
		run("DELETE FROM " + table)
		run("INSERT INTO " + table + " SELECT * FROM kept_" + table)
		run("DROP TABLE kept_" + table)
	}
}

// The checks that find a tampering.
const (
	byVerify     = "verify"
	byCheckpoint = "verify --checkpoint"
)

// tamperings are changes to the database without the program, by somebody with every privilege there but without the ledger's
// key: what is done, how, and the check that has to find it.
var tamperings = []struct{ what, statements, by string }{
	{"players: user IDs swapped",
		"UPDATE players SET user_id = 'swap' WHERE id = ANNA; UPDATE players SET user_id = 'anna' " +
			"WHERE id = BERT; UPDATE players SET user_id = 'bert' WHERE id = ANNA", byVerify},
	{"players: renamed", "UPDATE players SET user_id = 'Anna' WHERE id = ANNA", byVerify},
	{"players: test flag set", "UPDATE players SET test = 1 WHERE id = ANNA", byVerify},
	{"players: another language", "UPDATE players SET language = 'tr' WHERE id = ANNA", byVerify},
	{"players: another time zone", "UPDATE players SET zone = 'Asia/Tokyo' WHERE id = ANNA", byVerify},
	{"players: created earlier", "UPDATE players SET created_at_us = created_at_us - 1 WHERE id = ANNA", byVerify},
	{"wallets: may play", "UPDATE wallets SET play_from_us = 0 WHERE player_id = BERT", byVerify},
	{"wallets: may not play", "UPDATE wallets SET play_from_us = 1 WHERE player_id = ANNA", byVerify},
	{"wallets: may not get bonuses", "UPDATE wallets SET bonuses_from_us = 1 WHERE player_id = ANNA", byVerify},
	{"wallets: a limit raised", "UPDATE wallets SET limits = REPLACE(limits, '5000', '9999') WHERE player_id = ANNA", byVerify},
	{"wallets: limits removed", "UPDATE wallets SET limits = '' WHERE player_id = ANNA", byVerify},
	{"wallets: less used of a limit", "UPDATE wallets SET limit_sums = REPLACE(limit_sums, '1000', '100') WHERE player_id = ANNA", byVerify},
	{"restrictions: ended", "UPDATE restrictions SET state = 2 WHERE player_id = BERT", byVerify},
	{"restrictions: shorter", "UPDATE restrictions SET until_us = until_us - 1 WHERE player_id = BERT", byVerify},
	{"restrictions: another kind", "UPDATE restrictions SET kind = 2 WHERE player_id = BERT", byVerify},
	{"restrictions: another scope", "UPDATE restrictions SET scope = 2 WHERE player_id = BERT", byVerify},
	{"restrictions: another player", "UPDATE restrictions SET player_id = ANNA WHERE player_id = BERT", byVerify},
	{"restrictions: another game", "UPDATE restrictions SET about = 'g1' WHERE about = 'g9'", byVerify},
	{"restrictions: of the house", "UPDATE restrictions SET subject = 2 WHERE about = 'g9'", byVerify},
	{"restrictions: another reason", "UPDATE restrictions SET reason = 'none' WHERE about = 'g9'", byVerify},
	{"restrictions: another end's reason", "UPDATE restrictions SET end_reason = 'none' WHERE about = 'g9'", byVerify},
	{"restrictions: another time", "UPDATE restrictions SET at_us = at_us - 1 WHERE about = 'g9'", byVerify},
	{"restrictions: set by somebody else", "UPDATE restrictions SET setter = 'mira', setter_id = MIRA, setter_role = 'finance' " +
		"WHERE about = 'g9'", byVerify},
	{"restrictions: removed", "DELETE FROM restrictions WHERE player_id = BERT", byVerify},
	{"cash-outs: approved", "UPDATE cash_reviews SET state = 2", byVerify},
	{"cash-outs: another amount", "UPDATE cash_reviews SET amount_minor = 1", byVerify},
	{"cash-outs: agreed to by somebody", "UPDATE cash_reviews SET maker_id = MIRA, maker = 'mira', maker_role = 'finance'", byVerify},
	{"cash-outs: another transaction", "UPDATE cash_reviews SET transaction_id = 'b1'", byVerify},
	{"cash-outs: removed", "DELETE FROM cash_reviews", byVerify},
	{"wallets: currency", "UPDATE wallets SET currency = 'USD' WHERE player_id = BERT", byVerify},

	{"corrections: maker", "UPDATE corrections SET maker = 'ada' WHERE id = APPROVED", byVerify},
	{"corrections: checker", "UPDATE corrections SET checker = 'ada' WHERE id = APPROVED", byVerify},
	{"corrections: checker made the maker",
		"UPDATE corrections SET checker = maker, checker_id = maker_id WHERE id = APPROVED", byVerify},
	{"corrections: note", "UPDATE corrections SET note = 'another' WHERE id = APPROVED", byVerify},
	{"corrections: reason", "UPDATE corrections SET reason = 'test' WHERE id = APPROVED", byVerify},
	{"corrections: reference", "UPDATE corrections SET reference = 'T-1' WHERE id = APPROVED", byVerify},
	{"corrections: amount of an approved one", "UPDATE corrections SET amount_minor = 301 WHERE id = APPROVED", byVerify},
	{"corrections: before and after",
		"UPDATE corrections SET before_minor = before_minor + 1, after_minor = after_minor + 1 WHERE id = APPROVED", byVerify},
	{"corrections: approved by somebody else", "UPDATE corrections SET checker = 'mira' WHERE id = APPROVED", byVerify},
	{"corrections: a waiting one raised",
		"UPDATE corrections SET amount_minor = 50000, effect_minor = 50000 WHERE id = WAITING", byVerify},
	{"corrections: a waiting one moved to another player", "UPDATE corrections SET player_id = BERT WHERE id = WAITING",
		byVerify},
	{"corrections: a waiting one given to another maker",
		"UPDATE corrections SET maker_id = JONAS, maker = 'jonas' WHERE id = WAITING", byVerify},
	{"corrections: a waiting one inserted", insertedCorrection, byVerify},
	{"corrections: a waiting one deleted", "DELETE FROM corrections WHERE id = WAITING", byVerify},
	{"corrections: an approved one deleted", "DELETE FROM corrections WHERE id = APPROVED", byVerify},
	{"corrections: an approved one waits again",
		"UPDATE corrections SET state = 1, checker_id = 0, checker = '', checker_role = '', decided_at_us = 0, seq = 0, " +
			"before_minor = 0, after_minor = 0 WHERE id = APPROVED", byVerify},
	{"settings: limits raised",
		"UPDATE settings SET value = REPLACE(value, '54321', '99999') WHERE name = 'grant limits'", byVerify},

	{"staff: role", "UPDATE staff SET role = 'administrator' WHERE id = MIRA", byVerify},
	{"staff: password hash", "UPDATE staff SET password_hash = 'y' WHERE id = MIRA", byVerify},
	{"staff: an account inserted with a copied password",
		"INSERT INTO staff (username, name, role, password_hash, must_change_password, totp_secret, totp_step, disabled, " +
			"zone, theme, density, created_at_us, password_set_at_us, signed_in_at_us, unconfirmed) SELECT 'eve', 'Eve', 'finance', " +
			"password_hash, 0, '', 0, 0, zone, theme, density, created_at_us, password_set_at_us, 0, 'null' FROM staff " +
			"WHERE id = MIRA", byVerify},
	{"staff: an account deleted", "DELETE FROM staff WHERE id = MIRA", byVerify},
	{"staff: enabled again", "UPDATE staff SET disabled = 0 WHERE id = SOFIA", byVerify},
	{"staff: second factor removed", "UPDATE staff SET totp_secret = '' WHERE id = JONAS", byVerify},
	{"staff: a recovery code inserted", "INSERT INTO staff_recovery_codes (staff_id, code_hash) VALUES (JONAS, 'mine')",
		byVerify},
	{"staff: a recovery code moved", "UPDATE staff_recovery_codes SET staff_id = MIRA WHERE code_hash = 'code1'", byVerify},
	{"staff: a passkey inserted", "INSERT INTO staff_passkeys (staff_id, name, credential, sign_count, added_at_us, used_at_us) " +
		"VALUES (MIRA, 'mine', '{}', 0, 1, 0)", byVerify},
	{"staff: a passkey replaced", "UPDATE staff_passkeys SET credential = '{}'", byVerify},
	{"staff: a passkey moved", "UPDATE staff_passkeys SET staff_id = MIRA", byVerify},
	{"staff: a passkey deleted", "DELETE FROM staff_passkeys", byVerify},
	{"staff: accounts swapped",
		"UPDATE staff SET username = 'swap' WHERE id = MIRA; UPDATE staff SET username = 'mira' " +
			"WHERE id = JONAS; UPDATE staff SET username = 'jonas' WHERE id = MIRA", byVerify},

	{"staff: linked to another identity", "UPDATE staff SET identity = 'https://idp.example#eve' WHERE id = NORA", byVerify},
	{"staff: e-mail address", "UPDATE staff SET email = 'eve@example.com' WHERE id = NORA", byVerify},
	{"staff: confirmed", "UPDATE staff SET unconfirmed = 'null' WHERE id = NORA", byVerify},
	{"staff: a link given to another account", "UPDATE staff_links SET staff_id = MIRA", byVerify},
	{"staff: a link that lasts longer", "UPDATE staff_links SET expires_at_us = expires_at_us * 2", byVerify},
	{"staff: an earlier password inserted", "INSERT INTO staff_passwords (staff_id, password_hash) VALUES (MIRA, 'z')",
		byVerify},

	{"changes: a waiting one altered", "UPDATE change_requests SET value_after = '{\"days\":1}' WHERE id = CHANGE", byVerify},
	{"changes: a waiting one given to another maker",
		"UPDATE change_requests SET maker = 'admin-two', maker_id = maker_id + 1 WHERE id = CHANGE", byVerify},
	{"changes: rates of another day", "UPDATE change_requests SET day = '2026-11-01' WHERE id = CHANGE", byVerify},
	{"changes: a waiting one said to be approved", "UPDATE change_requests SET state = 2 WHERE id = CHANGE", byVerify},
	{"changes: one deleted", "DELETE FROM change_requests WHERE id = CHANGE", byVerify},

	{"API clients: more scopes", "UPDATE api_clients SET scopes = '[\"deposits\"]' WHERE id = CLIENT", byVerify},
	{"API clients: other networks", "UPDATE api_clients SET networks = '' WHERE id = CLIENT", byVerify},
	{"API clients: more cash in one call", "UPDATE api_clients SET cash = 'EUR 999999.00' WHERE id = CLIENT", byVerify},
	{"API clients: more cash in a day", "UPDATE api_clients SET cash_per_day = 'EUR 999999.00' WHERE id = CLIENT", byVerify},
	{"API clients: more cash in a day with one player", "UPDATE api_clients SET cash_per_player = 'EUR 9.00' WHERE id = CLIENT", byVerify},
	{"API clients: no cash-out waits", "UPDATE api_clients SET approve_above = 'EUR 999999.00' WHERE id = CLIENT", byVerify},
	{"API clients: another webhook", "UPDATE api_clients SET webhook = 'https://x.example' WHERE id = CLIENT", byVerify},
	{"API clients: other events", "UPDATE api_clients SET events = '[\"player\"]' WHERE id = CLIENT", byVerify},
	{"API clients: another secret", "UPDATE api_clients SET secret_hash = previous_hash WHERE id = CLIENT", byVerify},
	{"API clients: not revoked", "UPDATE api_clients SET revoked_at_us = 1 WHERE id = CLIENT", byVerify},
	{"API clients: one deleted", "DELETE FROM api_clients", byVerify},
	{"API clients: another name", "UPDATE api_clients SET name = 'crm' WHERE id = CLIENT", byVerify},

	{"changes: a waiting one inserted", insertedChange, byVerify},
	{"campaigns: a waiting one with more spins", "UPDATE campaigns SET spins = 5000 WHERE id = HELD", byVerify},
	{"campaigns: a waiting one approved", "UPDATE campaigns SET job_state = 2, state = 2 WHERE id = HELD", byVerify},
	{"campaigns: a waiting one that lasts longer", "UPDATE campaigns SET expires_at_us = expires_at_us * 2 WHERE id = HELD", byVerify},
	{"campaigns: one deleted", "DELETE FROM campaigns WHERE id = HELD", byVerify},

	{"wallets: erased", "UPDATE wallets SET erased = 1 WHERE player_id = ANNA", byVerify},
	{"signed texts: that of a bet forgotten", "UPDATE postings SET signed_digest = NULL", byVerify},

	{"settings: one inserted", "INSERT INTO settings (name, value, changed_at_us) VALUES ('case thresholds', '{}', 1)", byVerify},
	{"free spins: a grant changed", "UPDATE grants SET spins = 100 WHERE free_spin_id = 'fs-1'", byVerify},
	{"free spins: a grant said to be refused, which gives its limit back",
		"UPDATE grants SET state = 5 WHERE free_spin_id = 'fs-1'", byVerify},
	{"free spins: a grant deleted", "DELETE FROM grants WHERE free_spin_id = 'fs-1'", byVerify},

	{"free spins: a line of an import given to somebody else", "UPDATE campaign_lines SET player_id = player_id + 1",
		byVerify},
	{"free spins: more spins in a line of an import", "UPDATE campaign_lines SET spins = spins + 1", byVerify},
	{"free spins: a line of an import deleted", "DELETE FROM campaign_lines", byVerify},
	{"free spins: an import inserted",
		"INSERT INTO campaigns (starts_at_us, ends_at_us, budget_spins, budget_cost, stopped_for, at_us, actor, role, file_name, digest, name, again, job_state, row_count, spins, " +
			"finished_at_us) VALUES (0, 0, 0, '', '', 1, 'ada', 'bonus', 'a.csv', '', 'bonus', 0, 1, 1, 50, 0); INSERT INTO " +
			"campaign_lines (campaign_id, line, player_id, game_id, spins, grant_id, refused_at_us, message) SELECT " +
			"MAX(i.id), 2, ANNA, 1, 50, 0, 0, '' FROM campaigns i", byVerify},

	{"control: a case deleted", "DELETE FROM cases WHERE id = OPENED", byVerify},
	{"control: a case closed",
		"UPDATE cases SET state = 2, decided_by = 'mira', decided_at_us = 1, reason = 'nothing' WHERE id = OPENED", byVerify},
	{"control: why a case was closed", "UPDATE cases SET reason = 'another' WHERE id = CLOSED", byVerify},
	{"control: a comment on a case", "UPDATE case_notes SET body = 'never looked at' WHERE case_id = OPENED", byVerify},
	{"control: a comment on a case deleted", "DELETE FROM case_notes WHERE case_id = OPENED", byVerify},
	{"control: the result of a verification", "UPDATE verifications SET faults = 1", byVerify},
	{"control: the report of a verification",
		"UPDATE verifications SET report = REPLACE(report, '\"Wallets\":3', '\"Wallets\":4')", byVerify},
	{"control: a verification inserted",
		"INSERT INTO verifications (at_us, actor, state, started_at_us, finished_at_us, lines_read, lines_expected, " +
			"faults, report, failure) SELECT at_us, actor, state, started_at_us, finished_at_us + 1, lines_read, " +
			"lines_expected, faults, report, failure FROM verifications", byVerify},
	{"control: a verification deleted", "DELETE FROM verifications", byVerify},
	{"control: a checkpoint's counts", "UPDATE checkpoints SET wallets = 2 WHERE number = 1", byVerify},
	{"control: a checkpoint's file name", "UPDATE checkpoints SET file_name = 'another' WHERE number = 1", byVerify},
	{"control: a checkpoint's actor", "UPDATE checkpoints SET actor = 'mira' WHERE number = 1", byVerify},
	{"control: a day's signature changed", "UPDATE day_signatures SET signed_by = 'jonas'", byVerify},
	{"control: a day's signature inserted",
		"INSERT INTO day_signatures (day, role, signed_by, at_us, note, digest, checkpoint, verification, statements, " +
			"open_cases, unknown_grants, faults) " +
			"SELECT day, 'compliance', 'chloe', at_us, note, digest, checkpoint, verification, " +
			"statements, open_cases, unknown_grants, faults " +
			"FROM day_signatures", byVerify},
	{"control: a signature of a day that is open",
		"INSERT INTO day_signatures (day, role, signed_by, at_us, note, digest, checkpoint, verification, statements, " +
			"open_cases, unknown_grants, faults) " +
			"SELECT '2026-11-21', role, signed_by, at_us, note, digest, checkpoint, verification, " +
			"statements, open_cases, unknown_grants, faults " +
			"FROM day_signatures", byVerify},
	{"control: a day's signature deleted", "DELETE FROM day_signatures", byVerify},
	{"control: stakes in play at the end of a day",
		`UPDATE closed_days SET stakes = '[{"Currency":"EUR","Test":false,"Rounds":1,"Sum":100}]'`, byVerify},
	{"control: a closed day that is no day", "UPDATE closed_days SET day = '2026-13-45'", byVerify},
	{"players: test flag of a player with money cleared", "UPDATE players SET test = 0 WHERE user_id = 'tess'", byVerify},
	{"control: a day opened again", "DELETE FROM closed_days; DELETE FROM day_signatures", byVerify},

	{"figures: a minute", "UPDATE money_minutes SET win_minor = win_minor + 1", byVerify},
	{"figures: a minute inserted",
		"INSERT INTO money_minutes (minute_us, currency, test, day, bets, stake_minor, stake_reversed_minor, win_minor, " +
			"win_reversed_minor, spins, spin_stake_minor, spin_win_minor, spin_win_reversed_minor) SELECT minute_us - " +
			"60000000, currency, test, day, bets, stake_minor, stake_reversed_minor, win_minor, win_reversed_minor, spins, " +
			"spin_stake_minor, spin_win_minor, spin_win_reversed_minor FROM money_minutes", byVerify},
	{"figures: a minute deleted", "DELETE FROM money_minutes", byVerify},
	{"figures: a day of a player", "UPDATE daily_sums SET bets = bets + 1 WHERE player_id = ANNA", byVerify},
	{"figures: a player's largest win", "UPDATE daily_sums SET largest_win_minor = largest_win_minor + 1 WHERE player_id = ANNA", byVerify},
	{"figures: which win was a player's largest", "UPDATE daily_sums SET largest_win_seq = largest_win_seq + 1 WHERE player_id = ANNA", byVerify},
	{"figures: a day's total", "UPDATE daily_totals SET bets = bets + 1", byVerify},

	{"games: one renamed", "UPDATE games SET name = 'Ancient Bells' WHERE game_id = 'g1'", byVerify},
	{"games: one inserted",
		"INSERT INTO games (game_id, name, type, provider, thumbnail, former_name, search, added_at_us, seen_at_us, " +
			"gone_at_us) SELECT 'g3', name, type, provider, thumbnail, former_name, search, added_at_us, seen_at_us, " +
			"gone_at_us FROM games WHERE game_id = 'g1'", byVerify},
	{"games: one deleted", "DELETE FROM games WHERE game_id = 'g2'", byVerify},

	{"settings: one deleted", "DELETE FROM settings WHERE name = 'grant limits'", byVerify},

	{"audit log: a state's flag cleared", "UPDATE audit_events SET stated = 0 WHERE object = 'staff' AND object_id = 'JONAS'",
		byVerify},
	{"audit log: channel", "UPDATE audit_events SET channel = 2 WHERE action = 'player restriction set'", byVerify},
	{"audit log: another player", "UPDATE audit_events SET player_id = BERT WHERE action = 'grant requested'", byVerify},
	{"audit log: the command line's system user", "UPDATE audit_events SET os_user = 'root' WHERE action = 'player restriction set'",
		byVerify},
	{"audit log: a state copied to another row's event",
		"UPDATE audit_events SET salts = (SELECT salts FROM (SELECT salts FROM audit_events WHERE object = 'staff' " +
			"AND object_id = 'MIRA') e), digests = (SELECT digests FROM (SELECT digests FROM audit_events " +
			"WHERE object = 'staff' AND object_id = 'MIRA') e) WHERE object = 'staff' AND object_id = 'SOFIA'; UPDATE staff " +
			"SET role = 'finance', disabled = 0 WHERE id = SOFIA", byVerify},
	{"audit log: an older state of a row replayed",
		"UPDATE audit_events SET stated = 0 WHERE action = 'staff disabled'; UPDATE staff SET disabled = 0 WHERE id = SOFIA",
		byVerify},
	{"audit log: the event of a change deleted with what it changed",
		"DELETE FROM audit_events WHERE action = 'staff disabled'; UPDATE staff SET disabled = 0 WHERE id = SOFIA", byVerify},
	{"audit log: the last events deleted with their rows, and the head moved back",
		"DELETE FROM corrections WHERE id = WAITING; DELETE FROM change_requests WHERE id = CHANGE; DELETE FROM staff " +
			"WHERE id = NORA; DELETE FROM verifications; DELETE FROM checkpoints; DELETE FROM audit_events " +
			"WHERE id >= (SELECT id FROM (SELECT MAX(id) AS id FROM audit_events " +
			"WHERE object = 'correction') e); UPDATE audit_head SET seq = (SELECT MAX(id) " +
			"FROM audit_events), hash = (SELECT hash FROM audit_events ORDER BY id DESC LIMIT 1)", byCheckpoint},
}

// uncovered are tamperings that no check finds. The handbook lists each of them, with the reason.
// columns are its tables, or columns as "table.column" (TestEveryColumnIsCoveredOrListed).
var uncovered = []struct{ what, columns, statements string }{
	{"transactions: internal number", "postings.id",
		"UPDATE postings SET id = id + 1000000 WHERE id = (SELECT id FROM (SELECT MAX(id) AS id FROM postings) e)"},
	{"callback log: senders of applied callbacks", "postings.request postings.received_us postings.address",
		"UPDATE postings SET request = 1, address = x'00000000'"},
	{"callback log: records", "callback_records", "UPDATE callback_records SET cause = 'another', address = x'00000000'"},
	{"free spins: attributions", "spin_attributions", "UPDATE spin_attributions SET rule = rule + 1"},
	{"free spins: later answers of the platform about a grant",
		"grants.sent_at_us grants.used grants.remaining grants.observed_at_us grants.next_poll_at_us grants.polls grants.poll_error grants.ours grants.apart grants.compared_at_us grants.disowned_at_us grant_observations campaign_lines.grant_id campaign_lines.refused_at_us campaign_lines.message", "UPDATE grants SET used = 3, remaining = 7"},
	{"staff: profile, last sign-in, last code",
		"staff.zone staff.theme staff.density staff.signed_in_at_us staff.totp_step staff_passkeys.sign_count " +
			"staff_passkeys.used_at_us",
		"UPDATE staff SET zone = 'Asia/Tokyo', signed_in_at_us = 1, totp_step = 0"},
	{"control: where a checkpoint's file went", "checkpoints.kept_at_us",
		"UPDATE checkpoints SET kept_at_us = 1"},
	{"signed texts of declined callbacks", "declined_texts",
		"INSERT INTO declined_texts (digest, kind, user_length, transaction_length, at_us) " +
			"VALUES (x'00112233445566778899aabbccddeeff', 1, 4, 4, 1)"},
	{"staff: sessions", "staff_sessions staff_devices sign_in_counters",
		"INSERT INTO staff_sessions (id_hash, staff_id, data, address, agent, created_at_us, seen_at_us, " +
			"expires_at_us, mac) VALUES ('mine', MIRA, '{}', '', '', 1, 1, 1, '')"},
	{"statements: files, comparisons and differences", "statements statement_runs statement_differences",
		"INSERT INTO statements (at_us, actor, file_name, digest, file_bytes, header, header_digest, file_id, layout, since_us, until_us, " +
			"margin_us, client_id) VALUES (1, '', '', '', 1, '[]', '', '', '{}', 1, 2, 0, 0)"},
	{"notices: delivery log", "notices",
		"INSERT INTO notices (at_us, event_id, kind, object_id, channel, state, tries, next_us, sent_at_us, error) " +
			"VALUES (1, 1, 'case', '1', 'e-mail', 2, 1, 1, 1, '')"},
	{"figures: counts of answers", "callback_minutes",
		"INSERT INTO callback_minutes (minute_us, endpoint, result, answers) VALUES (0, 'Withdraw', 0, 9)"},
	{"programs: which instance runs", "program_runs leases.holder leases.until_us leases.turns",
		"INSERT INTO program_runs (place, version, settings, schema_no, started_at_us, seen_at_us, ended_at_us) " +
			"VALUES ('elsewhere', '9', '{}', 1, 1, 1, 1)"},
	{"files: contents of statements", "file_chunks",
		"INSERT INTO file_chunks (file_id, number, content) VALUES ('x', 0, x'00')"},
	{"figures: positions up to which days are summed", "daily_heads daily_sums.to_seq daily_sums.to_spin_seq",
		"UPDATE daily_heads SET spin_day = '2026-11-20'"},
	{"API: the order in which clients read events", "event_order", "DELETE FROM event_order"},
	{"figures: distribution of a day's play over its minutes", "money_minutes.minute_us",
		"UPDATE money_minutes SET minute_us = minute_us + 60000000"},
	{"games: times and changes of synchronizations",
		"games.search games.seen_at_us games.added_sync game_changes game_syncs game_sessions", "DELETE FROM game_changes"},
	{"staff: saved views", "saved_views",
		"INSERT INTO saved_views (staff_id, page, name, query, shared, created_at_us) VALUES (1, '/players', 'x', '', 1, 1)"},
	{"API: today's sums of clients with limits", "client_cash",
		"INSERT INTO client_cash (client_id, day_us, player_id, kind, currency, amount_minor) VALUES (CLIENT, 1, 0, 0, '', 0)"},
	{"API: answered requests", "api_requests",
		"INSERT INTO api_requests (client_id, idem_key, route, digest, object, object_id, number, at_us) " +
			"VALUES (1, 'k', 'r', x'" + strings.Repeat("0d", 32) + "', 'player', '1', 'n', 1)"},
	{"programs: the key's fingerprint, and internal numbers", "ledgers verifications.started_at_us " +
		"verifications.tries verifications.lines_expected", "UPDATE verifications SET lines_expected = 9"},
}

// insertedCorrection is a request to credit money that nobody has made.
const insertedCorrection = `INSERT INTO corrections (at_us, kind, player_id, transaction_id, round_id, amount_minor,
	effect_minor, reason, note, reference, another, maker_id, maker, maker_role, asked_before_minor, state, checker_id, checker,
	checker_role, decided_at_us, decision_note, seq, spin, before_minor, after_minor)
	SELECT at_us, kind, player_id, transaction_id, round_id, 90000, 90000, reason, note, reference, another, maker_id, maker,
	maker_role, asked_before_minor, state, checker_id, checker, checker_role, decided_at_us, decision_note, seq, spin,
	before_minor, after_minor FROM corrections WHERE id = WAITING`

// insertedChange is a request that nobody has made.
const insertedChange = `INSERT INTO change_requests (at_us, subject, value_before, value_after, reason, maker_id, maker, maker_role,
	state, checker_id, checker, checker_role, decided_at_us, decision_note) SELECT at_us, subject, value_before, '{"days":1}',
		reason,
	maker_id, maker, maker_role, state, checker_id, checker, checker_role, decided_at_us, decision_note FROM change_requests
	WHERE id = CHANGE`

// found runs the checks, and returns which of them found something, with what they say.
func (x *tampered) found(t *testing.T) (by, words string) {
	t.Helper()
	v, err := x.Verify(t.Context(), nil)
	require.NoError(t, err)
	if !v.OK() {
		return byVerify, storetest.WordsOf(v)
	}
	if v = storetest.VerifyAgainst(t, x.Store, x.checkpoint); !v.OK() {
		return byCheckpoint, storetest.WordsOf(v)
	}
	return "", ""
}

// TestTamperingIsFound tampers with the database, one thing after the other, and prints which check found what.
func TestTamperingIsFound(t *testing.T) {
	t.Parallel()
	storetest.OnEngines(t, func(t *testing.T, x *storetest.Database) {
		s := newTampered(t, x)
		by, words := s.found(t)
		require.Empty(t, by, words)
		for _, row := range tamperings {
			s.with(t, row.statements, func() {
				by, words := s.found(t)
				t.Logf("%-70s %-20s %s", row.what, by, words)
				require.Equal(t, row.by, by, row.what)
			})
		}
		for _, row := range uncovered {
			s.with(t, row.statements, func() {
				by, words := s.found(t)
				t.Logf("%-70s %-20s", row.what, "not covered")
				require.Empty(t, by, "%s: %s", row.what, words)
			})
		}
		by, words = s.found(t)
		require.Empty(t, by, words)
	})
}

// TestUncoveredIsInHandbook compares what no check finds with the handbook's list of it.
func TestUncoveredIsInHandbook(t *testing.T) {
	handbook, err := os.ReadFile("../../views/help/assurance.md")
	require.NoError(t, err)
	_, section, found := strings.Cut(string(handbook), "\n## What no check covers\n")
	require.True(t, found)
	section, _, _ = strings.Cut(section, "\n#")
	var listed, tested []string
	for line := range strings.Lines(section) {
		cells := strings.Split(strings.Trim(line, "| \n"), " | ")
		if strings.HasPrefix(line, "| ") && len(cells) == 2 && cells[0] != "what" {
			listed = append(listed, cells[0])
			require.Greater(t, len(cells[1]), 30, "why is %q not covered?", cells[0])
		}
	}
	for _, row := range uncovered {
		tested = append(tested, row.what)
	}
	require.Equal(t, tested, listed)
}

// TestAttackRowsThatAuthorize tries to act on rows that were changed or inserted without the program: nothing is done, and the
// error names the row.
func TestAttackRowsThatAuthorize(t *testing.T) {
	storetest.OnEngines(t, func(t *testing.T, x *storetest.Database) {
		s := newTampered(t, x)
		ctx := t.Context()
		newest := func() models.Correction {
			id := s.Number(t, "SELECT MAX(id) FROM corrections")
			c, found, err := s.Correction(ctx, id)
			require.NoError(t, err)
			require.True(t, found)
			return c
		}
		approve := func() error {
			_, err := s.Approve(s.Jonas, newest())
			return err
		}
		approveChange := func() error {
			_, checker := storetest.Administrators(t, s.Store)
			err := storetest.Approve(ctx, s.Store, "change", checker, s.Number(t, "SELECT MAX(id) FROM change_requests"))
			return err
		}
		approveCampaign := func() error {
			return storetest.Approve(ctx, s.Store, "campaign", s.Mira, s.Number(t, "SELECT MAX(id) FROM campaigns"))
		}
		session := func(who models.Signer) error {
			hash := fmt.Sprint("session of ", who.Name, time.Now().UnixNano())
			account, _, err := s.Staff(ctx, who.StaffID)
			if err != nil {
				return err
			}
			require.NoError(t, s.CreateStaffSession(ctx,
				models.StaffSession{Hash: hash, StaffID: who.StaffID, ExpiresAt: time.Now().Add(time.Hour)}, account))
			_, _, _, err = s.StaffSession(ctx, hash)
			return err
		}
		for _, row := range []struct {
			what, statements, object string
			act                      func() error
		}{
			{"approve an inserted correction", insertedCorrection, "correction", approve},
			{"approve a raised correction",
				"UPDATE corrections SET amount_minor = 90000, effect_minor = 90000 WHERE id = WAITING", "correction", approve},
			{"approve a correction moved to another player", "UPDATE corrections SET player_id = BERT WHERE id = WAITING",
				"correction", approve},
			{"approve a correction of one's own, given to another maker",
				"UPDATE corrections SET maker_id = JONAS, maker = 'jonas' WHERE id = WAITING", "correction", func() error {
					_, err := s.Approve(s.Mira, newest())
					return err
				}},
			{"refuse an inserted correction", insertedCorrection, "correction", func() error {
				err := storetest.Refuse(ctx, s.Store, "correction", s.Jonas, newest().ID, "no")
				return err
			}},
			{"grant free spins within raised limits",
				"UPDATE settings SET value = REPLACE(value, '54321', '99999') WHERE name = 'grant limits'", "setting",
				func() error {
					_, err := s.RequestGrant(ctx, storetest.Tester,
						models.GrantRequest{UserID: "tess", GameID: "g1", Spins: 10, Reason: "goodwill", Role: models.Bonus})
					return err
				}},
			{"approve with an inserted role", "UPDATE staff SET role = 'compliance' WHERE id = JONAS", "staff", func() error {
				c := newest()
				by := s.Jonas
				by.Role = models.Compliance
				_, err := s.Approve(by, c)
				return err
			}},
			{"resume a session with an inserted role", "UPDATE staff SET role = 'administrator' WHERE id = MIRA", "staff",
				func() error { return session(s.Mira) }},
			{"resume a session of an account enabled again", "UPDATE staff SET disabled = 0 WHERE id = SOFIA", "staff",
				func() error { return session(s.Sofia) }},
			{"sign in with an inserted password", "UPDATE staff SET password_hash = 'y' WHERE id = MIRA", "staff",
				func() error { return s.NoteSignIn(ctx, storetest.Tester, "staff signed in", s.Mira.StaffID, "d") }},
			{"begin a session of an account enabled again", "UPDATE staff SET disabled = 0 WHERE id = SOFIA", "staff",
				func() error {
					return s.CreateStaffSession(ctx, models.StaffSession{Hash: "h", StaffID: s.Sofia.StaffID},
						models.Staff{ID: s.Sofia.StaffID, Role: models.Support, PasswordHash: "x"})
				}},
			{"use an inserted recovery code", "INSERT INTO staff_recovery_codes (staff_id, code_hash) VALUES (JONAS, 'mine')",
				"staff", func() error {
					_, err := s.UseRecoveryCode(ctx, storetest.Tester, s.Jonas.StaffID, "mine")
					return err
				}},
			{"approve a change altered", "UPDATE change_requests SET value_after = '{\"days\":1}' WHERE id = CHANGE", "change",
				approveChange},
			{"call as a client with another secret", "UPDATE api_clients SET secret_hash = previous_hash WHERE id = CLIENT", "API client",
				func() error {
					_, _, err := s.APIClient(ctx, s.Number(t, "SELECT id FROM api_clients"))
					return err
				}},
			{"approve a change inserted", insertedChange, "change", approveChange},
			{"approve a change given to another maker",
				"UPDATE change_requests SET maker = 'nora', maker_id = NORA WHERE id = CHANGE", "change", func() error {
					maker, _ := storetest.Administrators(t, s.Store)
					err := storetest.Approve(ctx, s.Store, "change", maker, s.Number(t, "SELECT MAX(id) FROM change_requests"))
					return err
				}},
			{"approve a campaign with more spins", "UPDATE campaigns SET spins = 5000 WHERE id = HELD", "campaign", approveCampaign},
			{"approve a campaign of another maker", "UPDATE campaigns SET maker_id = NORA WHERE id = HELD", "campaign", approveCampaign},
			{"approve a campaign that has expired", "UPDATE campaigns SET expires_at_us = expires_at_us * 2 WHERE id = HELD",
				"campaign", approveCampaign},
			{"grant free spins to a test player whose flag is cleared", "UPDATE players SET test = 0 WHERE user_id = 'tess'",
				"player", func() error {
					_, err := s.RequestGrant(ctx, storetest.Tester,
						models.GrantRequest{UserID: "tess", GameID: "g1", Spins: 10, Reason: "goodwill", Role: models.Bonus})
					return err
				}},
			{"approve a correction for a player made a test player", "UPDATE players SET test = 1 WHERE id = ANNA", "player",
				approve},
			{"use an account that a second administrator has not confirmed",
				"UPDATE staff SET unconfirmed = 'null' WHERE id = NORA",
				"staff", func() error {
					_, _, err := s.Staff(ctx, s.Number(t, "SELECT id FROM staff WHERE username = 'nora'"))
					return err
				}},
			{"use a link given to another account", "UPDATE staff_links SET staff_id = MIRA", "staff", func() error {
				link := models.StaffLink{StaffID: s.Mira.StaffID, Hash: "link"}
				return s.UseStaffLink(ctx, storetest.Tester, link, "new password", "device")
			}},
			{"approve a correction for a player renamed", "UPDATE players SET user_id = 'Anna' WHERE id = ANNA", "player",
				approve},
			{"grant free spins to a player whose restriction was removed", "UPDATE wallets SET play_from_us = 0 WHERE player_id = BERT", "player",
				func() error {
					_, err := s.RequestGrant(ctx, storetest.Tester,
						models.GrantRequest{UserID: "bert", GameID: "g1", Spins: 10, Reason: "goodwill", Role: models.Bonus})
					return err
				}},
			{"grant free spins in a game said not to be frozen", "UPDATE restrictions SET about = 'g2' WHERE about = 'g9'",
				"restriction", func() error { return s.Frozen(ctx, models.Game{OfferedGame: models.OfferedGame{GameID: "g2"}}) }},
			{"end a restriction said to be about another player", "UPDATE restrictions SET player_id = ANNA WHERE player_id = BERT",
				"restriction", func() error {
					return s.RequestEnd(ctx, storetest.SignerNamed(t, s.Store, "stan", models.Support),
						s.Number(t, "SELECT id FROM restrictions WHERE subject = 1"), "asked again")
				}},
			{"approve a cash-out of another amount", "UPDATE cash_reviews SET amount_minor = 1", "cash-out", func() error {
				return storetest.Approve(ctx, s.Store, "cash-out", s.Jonas, s.Number(t, "SELECT id FROM cash_reviews"))
			}},
			{"pay a cash-out whose request is gone", "DELETE FROM cash_reviews", "cash-out", func() error {
				_, err := s.EndCashOut(ctx, storetest.CashActor, storetest.CashID("out"), models.CashPaid)
				return err
			}},
			{"resolve a grant changed", "UPDATE grants SET spins = 100 WHERE free_spin_id = 'fs-1'", "grant", func() error {
				_, err := s.AnswerGrant(ctx, storetest.Tester, s.Number(t, "SELECT id FROM grants"),
					models.GrantOutcome{State: models.GrantRefused})
				return err
			}},
			{"close a case changed", "UPDATE cases SET amount_minor = 1 WHERE id = OPENED", "case", func() error {
				_, err := s.DecideCases(ctx, storetest.Tester, models.CaseFilter{}, models.CaseExplained, "nothing to see here",
					10)
				return err
			}},
			{"sign a day signed by nobody",
				"INSERT INTO day_signatures (day, role, signed_by, at_us, note, digest, checkpoint, verification, statements, " +
					"open_cases, unknown_grants, faults) SELECT day, 'compliance', 'chloe', at_us, note, digest, checkpoint, " +
					"verification, statements, open_cases, unknown_grants, faults FROM day_signatures", "day", func() error {
					_, err := s.SignDay(ctx, s.Jonas, "2026-11-20", models.DaySeen{}, "all is well so far")
					return err
				}},
			{"synchronize games over one renamed", "UPDATE games SET name = 'Other' WHERE game_id = 'g1'", "games",
				func() error {
					_, err := s.SyncGames(ctx, storetest.Tester, models.GameSync{},
						[]models.OfferedGame{{GameID: "g1", Name: "Other"}})
					return err
				}},
			{"restrict a player renamed", "UPDATE players SET user_id = 'carl' WHERE id = BERT", "player", func() error {
				_, err := s.Restrict(ctx, storetest.SignerNamed(t, s.Store, "stan", models.Support), models.Restriction{Subject: models.OfPlayer, PlayerID: s.Number(t,
					"SELECT id FROM players WHERE user_id = 'carl'"), Kind: models.Abuse, Scope: models.FromPlay, Until: models.Permanent, Reason: "cheats"})
				return err
			}},
		} {
			s.with(t, row.statements, func() {
				before := s.Number(t, "SELECT SUM(seq) FROM wallets")
				var refused models.TamperedError
				require.ErrorAs(t, row.act(), &refused, row.what)
				require.Equal(t, row.object, refused.Object, row.what)
				require.Equal(t, before, s.Number(t, "SELECT SUM(seq) FROM wallets"), row.what)
				by, words := s.found(t)
				require.Equal(t, byVerify, by, row.what)
				require.Contains(t, strings.ToLower(words), strings.ToLower(row.object), row.what)
			})
		}
		require.NoError(t, approve(), "an untouched request is approved")
		_, err := s.FindCases(t.Context(), models.CaseRulesConfig{})
		require.NoError(t, err)
		require.Empty(t, storetest.RequireWhole(t, s.Store).Rows.Faults)
	})
}

// TestAttackResumedSession changes an account in the database while its owner is signed in, after its lists have been compared:
// each request compares the account's row again.
func TestAttackResumedSession(t *testing.T) {
	storetest.OnEngines(t, func(t *testing.T, x *storetest.Database) {
		s := newTampered(t, x)
		ctx := t.Context()
		session := func(who models.Signer) func() error {
			account, _, err := s.Staff(ctx, who.StaffID)
			require.NoError(t, err)
			require.NoError(t, s.CreateStaffSession(ctx, models.StaffSession{Hash: "of " + who.Name, StaffID: who.StaffID,
				ExpiresAt: x.Config.Now().Add(time.Hour)}, account))
			return func() error {
				_, read, found, err := s.StaffSession(ctx, "of "+who.Name)
				if err == nil {
					require.True(t, found)
					account, _, err := s.Staff(ctx, who.StaffID)
					require.NoError(t, err)
					require.Equal(t, account, read, "one account, read in two ways")
				}
				return err
			}
		}
		jonas := session(s.Jonas)
		for range 2 {
			require.NoError(t, jonas())
		}
		var refused models.TamperedError
		for _, statement := range []string{
			"UPDATE staff SET role = 'administrator' WHERE id = JONAS",
			"UPDATE staff SET disabled = 1 WHERE id = JONAS",
			"UPDATE staff SET email = 'eve@example.com' WHERE id = JONAS",
		} {
			s.with(t, statement, func() {
				require.ErrorAs(t, jonas(), &refused, statement)
				require.Equal(t, "staff", refused.Object)
			})
			require.NoError(t, jonas())
		}
		// An honest change takes effect at once, and what was there before is refused if somebody puts it back.
		require.NoError(t, s.DisableStaff(ctx, storetest.Tester, s.Jonas.StaffID, "has left"))
		require.NoError(t, s.EnableStaff(ctx, storetest.Tester, s.Jonas.StaffID))
		jonas = session(s.Jonas)
		require.NoError(t, jonas())
		s.with(t, "UPDATE staff SET enabled_at_us = 0 WHERE id = JONAS", func() { require.ErrorAs(t, jonas(), &refused) })
		require.NoError(t, jonas())
	})
}

// TestAttackVerificationsInTheWay inserts verifications that look as if they waited or ran, so that no other can begin.
func TestAttackVerificationsInTheWay(t *testing.T) {
	storetest.OnEngines(t, func(t *testing.T, x *storetest.Database) {
		s := x.Open(t)
		for _, state := range []models.JobState{models.JobRunning, models.JobWaiting} {
			x.Exec(t, "INSERT INTO verifications (at_us, actor, state, report, failure) VALUES (1, 'eve', ?, '', '')",
				int(state))
		}
		open, err := s.OpenJobs(t.Context(), models.VerificationJobs)
		require.NoError(t, err)
		require.Len(t, open, 2)
		v, err := s.Verify(t.Context(), nil)
		require.NoError(t, err)
		for _, id := range open {
			require.NoError(t, s.EndVerification(t.Context(), id, v, nil))
		}
		asked, err := s.RequestVerification(t.Context(), storetest.Tester)
		require.NoError(t, err)
		open, err = s.OpenJobs(t.Context(), models.VerificationJobs)
		require.NoError(t, err)
		require.Equal(t, []int64{asked}, open)
		v, err = s.Verify(t.Context(), nil)
		require.NoError(t, err)
		require.Equal(t, 2, v.Rows.Total, "both are named")
	})
}

// TestErasureForgetsStates erases a player: nothing is left with which somebody could test guessed names, and the row is still
// covered.
func TestErasureForgetsStates(t *testing.T) {
	storetest.OnEngines(t, func(t *testing.T, x *storetest.Database) {
		s := x.Open(t)
		anna := storetest.CreatePlayer(t, s, "anna", 0)
		storetest.Restrict(t, s, "anna")
		stateSalt := func(action string) []byte {
			var salts []byte
			require.NoError(t, x.DB.QueryRowContext(t.Context(), "SELECT salts FROM audit_events WHERE action = ?", action).
				Scan(&salts))
			return salts[len(salts)-len(models.AuditSalt{}):]
		}
		created, blocked := stateSalt("player created"), stateSalt("player restriction set")
		_, err := s.ErasePlayer(t.Context(), storetest.Tester, "anna", "asked for it")
		require.NoError(t, err)
		require.NotEqual(t, created, stateSalt("player created"))
		require.NotEqual(t, blocked, stateSalt("player restriction set"))
		require.True(t, storetest.RequireWhole(t, s).OK())
		x.Exec(t, "UPDATE players SET user_id = 'anna' WHERE id = ?", anna.ID)
		v, err := s.Verify(t.Context(), nil)
		require.NoError(t, err)
		require.Equal(t, 1, v.Rows.Total)
	})
}

// TestAttackStatePassedOver removes the event of a change and restores the older row, has the program write another event about
// it, and puts the first event back: the chain has no gap, and the row matches its latest event.
func TestAttackStatePassedOver(t *testing.T) {
	storetest.OnEngines(t, func(t *testing.T, x *storetest.Database) {
		s := x.Open(t)
		mira, err := s.CreateStaff(t.Context(), storetest.Tester,
			models.Staff{Username: "mira", Name: "Mira", Role: models.Finance, PasswordHash: "x"})
		require.NoError(t, err)
		require.NoError(t, s.DisableStaff(t.Context(), storetest.Tester, mira.ID, "has left"))
		require.True(t, storetest.RequireWhole(t, s).OK())
		storetest.DropTriggers(t, x.Config.URL)
		disabled := x.Number(t, "SELECT MAX(id) FROM audit_events")
		run := func(statement string) {
			_, err := x.DB.ExecContext(t.Context(), statement)
			require.NoError(t, err, statement)
		}
		run(fmt.Sprint("CREATE TABLE kept_event AS SELECT * FROM audit_events WHERE id = ", disabled))
		x.Exec(t, "DELETE FROM audit_events WHERE id = ?", disabled)
		x.Exec(t, "UPDATE staff SET disabled = 0 WHERE id = ?", mira.ID)
		require.NoError(t, s.NoteSignIn(t.Context(), storetest.Tester, "staff signed in", mira.ID, "device"))
		run("INSERT INTO audit_events SELECT * FROM kept_event")
		run("DROP TABLE kept_event")
		v, err := s.Verify(t.Context(), nil)
		require.NoError(t, err)
		require.Equal(t, 1, v.Audit.Total, v.Audit.Faults)
		require.Contains(t, v.Audit.Faults[0], fmt.Sprintf("but that was event %d", disabled))
	})
}

// TestAttackPasswordPutBackAtOnce replaces an account's password just while the sign-in reads it, and restores it before the
// sign-in is recorded: what is read has to match the audit log.
func TestAttackPasswordPutBackAtOnce(t *testing.T) {
	storetest.OnEngines(t, func(t *testing.T, x *storetest.Database) {
		s := newTampered(t, x)
		for _, statement := range []string{
			"UPDATE staff SET password_hash = 'known' WHERE id = MIRA", "UPDATE staff SET totp_secret = '' WHERE id = JONAS",
			"UPDATE staff SET email = 'eve@example.com' WHERE id = MIRA; UPDATE staff SET email = 'eve@example.com' " +
				"WHERE id = JONAS",
			"UPDATE staff SET username = 'jona' WHERE id = JONAS; UPDATE staff SET username = 'jonas' WHERE id = SOFIA",
		} {
			s.with(t, statement, func() {
				refused := 0
				for _, who := range []models.Signer{s.Mira, s.Jonas} {
					var tampered models.TamperedError
					if _, _, err := s.StaffNamed(t.Context(), who.Name); errors.As(err, &tampered) {
						refused++
					}
					if _, _, err := s.Staff(t.Context(), who.StaffID); errors.As(err, &tampered) {
						refused++
					}
				}
				require.GreaterOrEqual(t, refused, 2, statement)
			})
		}
	})
}

// TestAttackTriggerWritesAlong has a trigger make somebody an administrator while the program writes their row for another
// reason, so that the program would record the trigger's change as its own.
func TestAttackTriggerWritesAlong(t *testing.T) {
	storetest.OnEngines(t, func(t *testing.T, x *storetest.Database) {
		s := x.Open(t)
		mira, err := s.CreateStaff(t.Context(), storetest.Tester,
			models.Staff{Username: "mira", Name: "Mira", Role: models.Finance, PasswordHash: "x"})
		require.NoError(t, err)
		for _, trigger := range []struct{ sqlite, mariadb string }{
			{"CREATE TRIGGER held AFTER UPDATE OF totp_secret ON staff BEGIN UPDATE staff SET role = 'administrator' " +
				"WHERE id = NEW.id; END",
				"CREATE TRIGGER held BEFORE UPDATE ON staff FOR EACH ROW SET NEW.role = 'administrator'"},
			{"CREATE TRIGGER `held BEFORE DELETE ON postings ` AFTER INSERT ON staff_devices BEGIN UPDATE staff " +
				"SET role = 'administrator'; END",
				"CREATE TRIGGER held AFTER INSERT ON staff_devices FOR EACH ROW UPDATE staff SET role = 'administrator'"},
		} {
			create, drop := trigger.sqlite, "DROP TRIGGER held"
			if x.Engine == storetest.MariaDB {
				create = trigger.mariadb
			} else if strings.Contains(create, "`") {
				drop = "DROP TRIGGER `held BEFORE DELETE ON postings `"
			}
			_, err = x.DB.ExecContext(t.Context(), create)
			require.NoError(t, err)
			var refused models.TamperedError
			if strings.Contains(create, "UPDATE O") {
				err = s.SetStaffTOTP(t.Context(), storetest.Tester, mira.ID,
					models.SecondFactor{Sealed: "sealed", Step: 1, Codes: []string{"code"}}, "")
			} else {
				err = s.NoteSignIn(t.Context(), storetest.Tester, "staff signed in", mira.ID, "device")
			}
			require.ErrorAs(t, err, &refused)
			require.Equal(t, "trigger", refused.Object)
			v, err := s.Verify(t.Context(), nil)
			require.NoError(t, err)
			require.Equal(t, 1, v.Rows.Total, v.Rows.Faults)
			_, err = x.DB.ExecContext(t.Context(), drop)
			require.NoError(t, err)
		}
		require.NoError(t, s.NoteSignIn(t.Context(), storetest.Tester, "staff signed in", mira.ID, "device"))
		is, _, err := s.Staff(t.Context(), mira.ID)
		require.NoError(t, err)
		require.Equal(t, models.Finance, is.Role)
		require.True(t, storetest.RequireWhole(t, s).OK())
	})
}

// TestAttackImportPutIn inserts an import of grants that nobody has uploaded.
func TestAttackImportPutIn(t *testing.T) {
	storetest.OnEngines(t, func(t *testing.T, x *storetest.Database) {
		s := newTampered(t, x)
		inserted := "INSERT INTO campaigns (starts_at_us, ends_at_us, budget_spins, budget_cost, stopped_for, at_us, actor, role, file_name, digest, name, again, job_state, row_count, " +
			"spins, finished_at_us) VALUES (0, 0, 0, '', '', 1, 'ada', 'bonus', 'a.csv', '', 'bonus', 1, 1, 1, 5, 0); " +
			"INSERT INTO campaign_lines (campaign_id, line, player_id, game_id, spins, grant_id, refused_at_us, message) " +
			"SELECT MAX(i.id), 2, ANNA, 1, 5, 0, 0, '' FROM campaigns i"
		s.with(t, inserted, func() {
			campaign, found, err := s.Campaign(t.Context(), x.Number(t, "SELECT MAX(id) FROM campaigns"))
			require.NoError(t, err)
			require.True(t, found)
			line := models.CampaignLine{GrantLine: models.GrantLine{Line: 2, UserID: "anna", GameID: "g1", Spins: 5},
				PlayerID: s.Anna.ID}
			_, err = s.RequestCampaignLine(t.Context(), storetest.Tester, campaign, line)
			var refused models.TamperedError
			require.ErrorAs(t, err, &refused)
			require.ErrorAs(t, s.SetCampaignState(t.Context(), storetest.Tester, campaign.ID, models.JobPaused, ""), &refused)
		})
	})
}

// TestAttackLineOfAnotherGrant has one line of an import send the grant of another line once more, and takes the state of a
// grant back while it is on its way.
func TestAttackLineOfAnotherGrant(t *testing.T) {
	storetest.OnEngines(t, func(t *testing.T, x *storetest.Database) {
		s := x.Open(t)
		storetest.CreatePlayer(t, s, "anna", 1000)
		storetest.CreatePlayer(t, s, "bert", 1000)
		_, err := s.SyncGames(t.Context(), storetest.Tester, models.GameSync{At: time.Now().UTC()},
			[]models.OfferedGame{{GameID: "g1", Name: "Embers"}})
		require.NoError(t, err)
		campaign, bad, err := s.CreateCampaign(t.Context(), storetest.Tester,
			models.Campaign{CampaignTerms: models.CampaignTerms{Name: "bonus"}, FileName: "a.csv", Digest: "1234",
				Role: models.Bonus}, []models.GrantLine{{Line: 2, UserID: "anna", GameID: "g1", Spins: 5},
				{Line: 3, UserID: "bert", GameID: "g1", Spins: 5}})
		require.NoError(t, err)
		require.Empty(t, bad)
		lines, err := s.CampaignLines(t.Context(), models.CampaignLineFilter{CampaignID: campaign.ID, ToGo: true, Span: models.Span{Limit: 10}})
		require.NoError(t, err)
		g, err := s.RequestCampaignLine(t.Context(), models.System, campaign, lines.Rows[0])
		require.NoError(t, err)
		_, err = s.SendGrant(t.Context(), g.ID)
		require.NoError(t, err)
		for _, statement := range []string{"UPDATE grants SET state = 1 WHERE state = 2",
			"UPDATE campaign_lines SET grant_id = 1 WHERE line = 3"} {
			_, err = x.DB.ExecContext(t.Context(), statement)
			require.NoError(t, err)
		}
		_, err = s.RequestCampaignLine(t.Context(), models.System, campaign, lines.Rows[1])
		require.ErrorIs(t, err, models.ErrCampaignHeld)
		campaign, _, err = s.Campaign(t.Context(), campaign.ID)
		require.NoError(t, err)
		require.Equal(t, models.JobPaused, campaign.State)
		require.Contains(t, campaign.StoppedFor, "line 3 cannot be granted: ")
		answered, err := s.AnswerGrant(t.Context(), models.System, g.ID,
			models.GrantOutcome{State: models.GrantActive, FreeSpinID: "fs-1"})
		require.NoError(t, err, "the platform has granted it, whatever the row says")
		require.Equal(t, models.GrantActive, answered.State)
	})
}

// Somebody swaps the platform's IDs of two games for a moment. Nothing is granted or sent meanwhile.
func TestSwappedGamesAreNotGranted(t *testing.T) {
	storetest.OnEngines(t, func(t *testing.T, x *storetest.Database) {
		s := x.Open(t)
		storetest.CreatePlayer(t, s, "anna", 1000)
		storetest.CreatePlayer(t, s, "bert", 1000)
		_, err := s.SyncGames(t.Context(), storetest.Tester, models.GameSync{At: time.Now().UTC()},
			[]models.OfferedGame{{GameID: "g1", Name: "Embers"}, {GameID: "g2", Name: "Ancient Bells"}})
		require.NoError(t, err)
		request := models.GrantRequest{UserID: "anna", GameID: "g1", Spins: 10, Reason: "goodwill",
			Role: models.Bonus, Again: true}
		g, err := s.RequestGrant(t.Context(), storetest.Tester, request)
		require.NoError(t, err)
		swap := func() {
			for _, to := range []string{"'x' WHERE game_id = 'g1'", "'g1' WHERE game_id = 'g2'", "'g2' WHERE game_id = 'x'"} {
				_, err := x.DB.ExecContext(t.Context(), "UPDATE games SET game_id = "+to)
				require.NoError(t, err)
			}
		}
		swap()
		var tampered models.TamperedError
		_, err = s.SendGrant(t.Context(), g.ID)
		require.ErrorAs(t, err, &tampered)
		require.Equal(t, "games", tampered.Object)
		_, err = s.RequestGrant(t.Context(), storetest.Tester, request)
		require.ErrorAs(t, err, &tampered)
		upload := func() error {
			_, bad, err := s.CreateCampaign(t.Context(), storetest.Tester,
				models.Campaign{CampaignTerms: models.CampaignTerms{Name: "bonus"}, FileName: "a.csv", Digest: "1234", Role: models.Bonus, Again: true},
				[]models.GrantLine{{Line: 2, UserID: "anna", GameID: "g1", Spins: 5}})
			require.Empty(t, bad)
			return err
		}
		require.ErrorAs(t, upload(), &tampered)
		require.Equal(t, "games", tampered.Object)
		swap()
		for range 2 { // there and back
			for _, to := range []string{"'x' WHERE user_id = 'anna'", "'anna' WHERE user_id = 'bert'",
				"'bert' WHERE user_id = 'x'"} {
				_, err := x.DB.ExecContext(t.Context(), "UPDATE players SET user_id = "+to)
				require.NoError(t, err)
			}
			if tampered.Object == "games" {
				require.ErrorAs(t, upload(), &tampered)
			}
		}
		require.Equal(t, "player", tampered.Object)
		require.NoError(t, upload())
		sent, err := s.SendGrant(t.Context(), g.ID)
		require.NoError(t, err)
		require.EqualValues(t, "g1", sent.Game.GameID)
		storetest.RequireWhole(t, s)
	})
}

// One tampered grant does not keep the others without an outcome, and nothing is sent to a player who was erased meanwhile or
// accepted as found with another number of spins.
func TestGrantsThatAreNotAsTheyWere(t *testing.T) {
	storetest.OnEngines(t, func(t *testing.T, x *storetest.Database) {
		s := x.Open(t)
		_, err := s.SyncGames(t.Context(), storetest.Tester, models.GameSync{At: time.Now().UTC()},
			[]models.OfferedGame{{GameID: "g1", Name: "Embers"}})
		require.NoError(t, err)
		request := func(user models.UserID) int64 {
			g, err := s.RequestGrant(t.Context(), storetest.Tester,
				models.GrantRequest{UserID: user, GameID: "g1", Spins: 10, Reason: "goodwill", Role: models.Bonus})
			require.NoError(t, err)
			return g.ID
		}
		for _, user := range []models.UserID{"anna", "bert", "carl", "dora"} {
			storetest.CreatePlayer(t, s, user, 0)
		}
		anna, bert, carl, dora := request("anna"), request("bert"), request("carl"), request("dora")
		storetest.Restrict(t, s, "dora")
		_, err = s.ErasePlayer(t.Context(), storetest.Tester, "dora", "asked for it")
		require.NoError(t, err)
		_, err = s.SendGrant(t.Context(), dora)
		require.ErrorIs(t, err, models.ErrPlayerUnknown)

		_, err = s.SendGrant(t.Context(), carl)
		require.NoError(t, err)
		_, err = x.DB.ExecContext(t.Context(), "UPDATE grants SET spins = 100 WHERE id = ?", anna)
		require.NoError(t, err)
		closed, err := s.CloseStaleGrants(t.Context(), time.Now().Add(time.Hour))
		require.ErrorAs(t, err, new(models.TamperedError))
		require.Equal(t, 3, closed)
		for id, want := range map[int64]models.GrantState{bert: models.GrantUnknown, carl: models.GrantUnknown} {
			g, _, err := s.Grant(t.Context(), id)
			require.NoError(t, err)
			require.Equal(t, want, g.State)
		}

		found := models.GrantResolution{Kind: models.ResolvedFound, FreeSpinID: "fs-1", Total: 20, Note: "seen there"}
		_, err = s.ResolveGrant(t.Context(), storetest.Tester, carl, found)
		require.ErrorIs(t, err, models.ErrFreeSpinIDMismatch)
		found.Total = 10
		_, err = s.ResolveGrant(t.Context(), storetest.Tester, carl, found)
		require.NoError(t, err)
	})
}

// TestAttackWatchersBlinded has the database change rows by itself, refuse rows, and skip notices. Each of these is a fault.
func TestAttackWatchersBlinded(t *testing.T) {
	storetest.OnEngines(t, func(t *testing.T, x *storetest.Database) {
		s := x.Open(t)
		_, err := s.CreateStaff(t.Context(), storetest.Tester,
			models.Staff{Username: "mira", Name: "Mira", Role: models.Administrator, PasswordHash: "x"})
		require.NoError(t, err)
		_, err = s.FollowNotices(t.Context(), false)
		require.NoError(t, err)
		change := func(statement string) {
			_, err := x.DB.ExecContext(t.Context(), statement)
			require.NoError(t, err, statement)
		}
		for _, c := range []struct{ blind, repair, says string }{
			{"CREATE EVENT quiet ON SCHEDULE EVERY 1 DAY DO DELETE FROM notices", "DROP EVENT quiet",
				"event quiet does not belong"},
			{"ALTER TABLE cases ADD CONSTRAINT few CHECK (rule <> 6)", "ALTER TABLE cases DROP CONSTRAINT few",
				"check constraint few does not belong"},
			{"UPDATE leases SET position = position + 5 WHERE name = 'notices follow the audit log'",
				"UPDATE leases SET position = position - 5 WHERE name = 'notices follow the audit log'",
				"the position of the job notices follow the audit log was changed"},
		} {
			if x.Engine != storetest.MariaDB && !strings.HasPrefix(c.blind, "UPDATE") {
				continue // SQLite has no events, and no statement adds a constraint to a table
			}
			change(c.blind)
			v, err := s.Verify(t.Context(), nil)
			require.NoError(t, err)
			require.Contains(t, storetest.WordsOf(v), c.says)
			change(c.repair)
			require.Empty(t, storetest.WordsOf(storetest.RequireWhole(t, s)))
		}
	})
}

// TestAttackSignInsThatWait floods the sign-in of an account that is locked for strangers: the tries are refused without a
// write, even while somebody else holds every lock.
func TestAttackSignInsThatWait(t *testing.T) {
	storetest.OnEngines(t, func(t *testing.T, x *storetest.Database) {
		s := x.Open(t)
		try := models.SignInTry{Username: "mira", Address: "203.0.113.5"}
		for range 5 {
			wait, _, err := s.BeginSignIn(t.Context(), try)
			require.NoError(t, err)
			require.Zero(t, wait)
		}
		held, err := x.DB.Conn(t.Context())
		require.NoError(t, err)
		defer held.Close()
		begin := []string{"START TRANSACTION", "SELECT * FROM sign_in_counters FOR UPDATE"}
		if x.Engine != storetest.MariaDB {
			begin = []string{"BEGIN IMMEDIATE"}
		}
		for _, statement := range begin {
			_, err := held.ExecContext(t.Context(), statement)
			require.NoError(t, err)
		}
		ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
		defer cancel()
		for range 20 {
			wait, _, err := s.BeginSignIn(ctx, try)
			require.NoError(t, err)
			require.Positive(t, wait)
		}
		_, err = held.ExecContext(t.Context(), "ROLLBACK")
		require.NoError(t, err)
	})
}
