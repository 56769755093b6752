package store_test

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"pitboss/cmd/testing/storetest"
	"pitboss/models"
)

// moneyDesk decides about money in every way, again and again, each time for new players, clients and campaigns.
type moneyDesk struct {
	*tampered
	scenes  int
	freezer models.Signer
}

// scene is what there is to decide.
type scene struct {
	t *testing.T
	*moneyDesk
	anna, lena, rhea, nils models.UserID // anna has money, lena a limit, rhea is restricted, and nils has no grant
	client                 int64
	name                   string // begins the transaction IDs
	waiting                models.Correction
	cashOut                int64
	sent                   models.Grant // to lena, on its way
	campaign               models.Campaign
	lines                  []models.CampaignLine
}

func (d *moneyDesk) id(n string) models.TransactionID {
	return models.TransactionID(fmt.Sprintf("t%d-%s", d.scenes, n))
}

// set makes a new scene.
func (d *moneyDesk) set(t *testing.T) *scene {
	d.scenes++
	ctx, s := t.Context(), d.Store
	sc := &scene{t: t, moneyDesk: d, client: int64(1000 + d.scenes), name: fmt.Sprint("t", d.scenes, "-")}
	user := func(name string) models.UserID {
		p := storetest.CreatePlayer(t, s, models.UserID(fmt.Sprintf("%s-%dx", name, d.scenes)), 0)
		storetest.ApplyCash(t, s, storetest.Cash(p.UserID, string(p.UserID), 10_000).Deposit())
		if name == "anna" {
			d.Anna = p
		}
		return p.UserID
	}
	sc.anna, sc.lena, sc.rhea, sc.nils = user("anna"), user("lena"), user("rhea"), user("nils")
	lena, _, err := s.Player(ctx, sc.lena)
	require.NoError(t, err)
	require.NoError(t, s.SetLimits(ctx, storetest.SignerNamed(t, s, "stan", models.Support), lena.ID, models.LimitsRequest{
		Changes: []models.LimitChange{{Kind: models.LimitLoss, Period: models.LimitMonth, To: new(models.Amount(5000))}}, Reason: "asked"}))
	storetest.Restrict(t, s, sc.rhea)
	for _, op := range []models.Operation{storetest.Bet(sc.anna, d.id("b1"), 1000), storetest.Win(sc.anna, d.id("w1"), 700),
		storetest.Bet(sc.anna, d.id("b2"), 300), storetest.Bet(sc.anna, d.id("poor"), 99_999), storetest.Bet(sc.nils, d.id("poor2"), 99_999), storetest.Bet(sc.lena, d.id("l1"), 1000)} {
		storetest.Apply(t, s, storetest.Signed(op))
	}

	grant := func(to models.UserID, spins int64) models.Grant {
		g, err := s.RequestGrant(ctx, storetest.Tester, models.GrantRequest{UserID: to, GameID: "g1", Spins: spins, Reason: "goodwill",
			Role: models.Bonus})
		require.NoError(t, err)
		g, err = s.SendGrant(ctx, g.ID)
		require.NoError(t, err)
		return g
	}
	_, err = s.AnswerGrant(ctx, storetest.Tester, grant(sc.anna, 2).ID,
		models.GrantOutcome{State: models.GrantActive, FreeSpinID: models.FreeSpinID(d.id("fs"))})
	require.NoError(t, err)
	storetest.Apply(t, s, storetest.FreeSpin(sc.anna, d.id("s1"), 50))
	sc.sent = grant(sc.lena, 3)
	sc.campaign, _, err = s.CreateCampaign(ctx, storetest.Tester, models.Campaign{Digest: sc.name, Role: models.Bonus,
		CampaignTerms: models.CampaignTerms{Name: "weekend", BudgetSpins: 8}}, []models.GrantLine{{Line: 1, UserID: sc.nils, GameID: "g2", Spins: 5},
		{Line: 2, UserID: sc.anna, GameID: "g2", Spins: 2}, {Line: 3, UserID: sc.lena, GameID: "g2", Spins: 4}})
	require.NoError(t, err)
	lines, err := s.CampaignLines(ctx, models.CampaignLineFilter{CampaignID: sc.campaign.ID, Span: models.Span{Limit: 10}})
	require.NoError(t, err)
	sc.lines = lines.Rows
	_, err = s.RequestCampaignLine(ctx, models.System, sc.campaign, sc.lines[0])
	require.NoError(t, err)

	require.Equal(t, models.None, sc.cash(sc.anna, "in", 2000, models.CashRequest.Deposit, models.APITerms{}).Decline)
	out := sc.cash(sc.anna, "out", 400, models.CashRequest.CashOut, storetest.ReviewTerms)
	require.Equal(t, models.CashWaiting, out.State)
	now, _, err := s.Cash(ctx, models.CashID(sc.client, "out"))
	require.NoError(t, err)
	sc.cashOut, sc.waiting = now.Number, d.Request(d.Mira, d.Adjust(models.CorrectCredit, 300, "goodwill"))
	require.NoError(t, s.Note(s.ForRequest(ctx, models.APIRequest{ClientID: sc.client, Key: "key", Route: "POST /v1/free-spins", Number: "n"}),
		models.AuditEvent{Actor: storetest.CashActor, Action: "grant requested", Object: "grant", ObjectID: "7"}))
	return sc
}

func (sc *scene) cash(user models.UserID, id string, amount models.Amount, of func(models.CashRequest) models.Operation, terms models.APITerms) models.CashResult {
	r, err := sc.ApplyCash(sc.t.Context(), storetest.CashActor, of(models.CashRequest{Client: sc.client, ID: id, UserID: user,
		Amount: amount, Currency: "EUR", Caps: models.CashCaps{PerDay: 3000}}), terms)
	require.NoError(sc.t, err)
	return r
}

var numbersSaid = regexp.MustCompile(`\d+`)

// decide decides everything, and returns what was decided, without the numbers of rows.
func (sc *scene) decide() (said []string) {
	ctx, t := sc.t.Context(), sc.t
	add := func(what string, v ...any) {
		for i := range v {
			if err, is := v[i].(error); is {
				v[i] = numbersSaid.ReplaceAllString(strings.ReplaceAll(err.Error(), sc.name, ""), "N")
			}
		}
		said = append(said, what+": "+fmt.Sprint(v...))
	}
	play := func(what string, op models.Operation) {
		if op.Signed == "" {
			op = storetest.Signed(op)
		}
		r, err := sc.Apply(ctx, op)
		require.NoError(t, err)
		add(what, r.Decline, " ", r.Balance.Amount)
	}
	id := sc.id
	play("bet", storetest.Bet(sc.anna, id("b3"), 500))
	play("the same bet again", storetest.Bet(sc.anna, id("b1"), 1000))
	play("bet beyond the balance", storetest.Bet(sc.anna, id("b4"), 99_999))
	play("bet within the limit", storetest.Bet(sc.lena, id("l2"), 3900))
	play("bet beyond the limit", storetest.Bet(sc.lena, id("l3"), 200))
	play("bet of a restricted player", storetest.Bet(sc.rhea, id("r1"), 100))
	play("win", storetest.Win(sc.anna, id("w3"), 250))
	play("rollback", storetest.Rollback(sc.anna, id("b2")))
	play("rollback of nothing", storetest.Rollback(sc.anna, id("late")))
	play("bet after its rollback", storetest.Bet(sc.anna, id("late"), 100))
	accepted := storetest.Signed(storetest.Bet(sc.anna, id("b1"), 1000))
	accepted.TransactionID, accepted.RoundID = accepted.TransactionID+models.TransactionID(accepted.RoundID[:1]), accepted.RoundID[1:]
	play("another reading of a bet", accepted)
	play("a declined bet again", storetest.Bet(sc.anna, id("poor"), 99_999))
	won := storetest.Signed(storetest.Bet(sc.nils, id("poor2"), 99_999))
	won.Kind, won.Bet, won.Win = models.Win, 0, won.Bet
	play("a declined bet as a win", won)
	play("free spin of a grant", storetest.FreeSpin(sc.anna, id("s2"), 50))
	play("free spin too many", storetest.FreeSpin(sc.anna, id("s3"), 50))
	play("free spin without a grant", storetest.FreeSpin(sc.rhea, id("s4"), 50))

	add("deposit", sc.cash(sc.nils, "in2", 900, models.CashRequest.Deposit, models.APITerms{}).Decline)
	add("deposit beyond the client's day", sc.cash(sc.nils, "in3", 200, models.CashRequest.Deposit, models.APITerms{}).Decline)
	add("deposit repeated", sc.cash(sc.anna, "in", 2000, models.CashRequest.Deposit, models.APITerms{}).Decline)
	beyond, err := sc.ApplyCash(ctx, storetest.CashActor, storetest.Cash(sc.anna, sc.name, 2_000_000).CashOut(), models.APITerms{})
	add("cash-out beyond the balance", err, beyond.Decline)
	out3 := sc.cash(sc.nils, "out3", 100, models.CashRequest.CashOut, storetest.ReviewTerms)
	add("cash-out that waits", out3.Decline, " ", out3.State)
	_, err = sc.EndCashOut(ctx, storetest.CashActor, models.CashID(sc.client, "out"), models.CashPaid)
	add("payment before the approval", err)
	add("approval of a cash-out", storetest.Approve(ctx, sc.Store, "cash-out", sc.Jonas, sc.cashOut))
	_, err = sc.EndCashOut(ctx, storetest.CashActor, models.CashID(sc.client, "out"), models.CashPaid)
	add("payment of a cash-out", err)
	_, again, err := sc.APIRequest(ctx, sc.client, "key")
	require.NoError(t, err)
	add("a client's request repeated", again)

	_, err = sc.Approve(sc.Mira, sc.waiting)
	add("approval of one's own correction", err)
	corrected, err := sc.Approve(sc.Jonas, sc.waiting)
	add("approval of a correction", err, corrected.Effect)
	g, err := sc.AnswerGrant(ctx, storetest.Tester, sc.sent.ID, models.GrantOutcome{State: models.GrantRefused})
	add("answer of a grant", err, g.State)
	_, err = sc.SendGrant(ctx, sc.sent.ID)
	add("a grant sent again", err)
	for i, what := range []string{"line granted again", "line within the budget", "line beyond the budget"} {
		g, err := sc.RequestCampaignLine(ctx, models.System, sc.campaign, sc.lines[i])
		add(what, err, g.Spins, g.CampaignLine)
	}
	_, err = sc.RequestGrant(ctx, storetest.Tester, models.GrantRequest{UserID: sc.nils, GameID: "g1", Spins: 51, Reason: "more", Role: models.Bonus})
	add("grant beyond the limits", err)
	_, err = sc.RequestGrant(ctx, storetest.Tester, models.GrantRequest{UserID: sc.anna, GameID: "g1", Spins: 2, Reason: "more", Role: models.Bonus})
	add("the same grant again", err)

	frozen, err := sc.Restrict(ctx, sc.freezer, models.Restriction{Subject: models.OfHouse, Kind: models.OtherRestriction,
		Scope: models.FromPlay, Until: models.Permanent, Reason: "tried"})
	require.NoError(t, err)
	play("bet during a freeze", storetest.Bet(sc.anna, id("b9"), 100))
	storetest.EndRestriction(t, sc.Store, frozen.ID)
	play("bet after the freeze", storetest.Bet(sc.anna, id("b10"), 100))
	return said
}

// The ways in which rows are changed.
var hostile = []string{"emptied", "filled", "deleted"}

// change changes the tables and columns of a row of uncovered in one of the hostile ways. It leaves primary keys alone, because
// a row with another one is another row.
func (d *moneyDesk) change(t *testing.T, columns, how string) {
	keys := "SELECT m.name || '.' || c.name FROM sqlite_schema m JOIN pragma_table_info(m.name) c WHERE m.type = 'table' AND c.pk > 0"
	if d.Engine == storetest.MariaDB {
		keys = "SELECT CONCAT(table_name, '.', column_name) FROM information_schema.columns WHERE table_schema = DATABASE() AND column_key = 'PRI'"
	}
	var primary []string
	rows, err := d.DB.QueryContext(t.Context(), keys)
	require.NoError(t, err)
	defer rows.Close()
	for rows.Next() {
		primary = append(primary, "")
		require.NoError(t, rows.Scan(&primary[len(primary)-1]))
	}
	require.NoError(t, rows.Err())
	for of := range strings.FieldsSeq(columns) {
		table, named, _ := strings.Cut(of, ".")
		if how == "deleted" {
			if named == "" {
				_, err := d.DB.ExecContext(t.Context(), "DELETE FROM "+table)
				require.NoError(t, err)
			}
			continue
		}
		list, err := d.DB.QueryContext(t.Context(), "SELECT * FROM "+table+" LIMIT 0")
		require.NoError(t, err)
		names, err := list.Columns()
		require.NoError(t, err)
		require.NoError(t, list.Close())
		for _, name := range names {
			values := map[string][]string{"emptied": {"0", "''", "x''"}, "filled": {"1000003", "120", "1", "'tampered'", "x'7a7a'"}}[how]
			switch {
			case named == name && name == "id":
				values = []string{"id + 1000000"}
			case named != "" && named != name || slices.Contains(primary, table+"."+name):
				continue
			case strings.HasSuffix(name, "_us") && how == "filled":
				values = []string{"4000000000000000"} // in the year 2096
			}
			set := slices.ContainsFunc(values, func(value string) bool {
				_, err := d.DB.ExecContext(t.Context(), "UPDATE "+table+" SET "+name+" = "+value)
				return err == nil
			})
			require.True(t, set, "%s.%s", table, name)
		}
	}
}

type decides struct {
	what, how string
	differs   []string
}

// uncoveredDecides are the decisions that uncovered rows do change, with what is then decided. The handbook says so.
var uncoveredDecides = []decides{
	{"free spins: later answers of the platform about a grant", "emptied", campaignPaused},
	{"free spins: later answers of the platform about a grant", "filled", campaignPaused},
	{"signed texts of declined callbacks", "emptied", []string{"a declined bet again: signature reused for different values 110.50"}},
	{"signed texts of declined callbacks", "filled", []string{"a declined bet again: signature reused for different values 110.50"}},
	{"signed texts of declined callbacks", "deleted", []string{"a declined bet as a win: applied 1099.99"}},
	{"API: today's sums of clients with limits", "emptied", []string{"deposit beyond the client's day: applied"}},
	{"API: today's sums of clients with limits", "filled", []string{"deposit: API client's limit for the day reached",
		"cash-out that waits: API client's limit for the day reached unknown"}},
	{"API: answered requests", "deleted", []string{"a client's request repeated: false"}},
}

// campaignPaused is what is decided if the grant of a campaign's line was changed in the database.
var campaignPaused = []string{"line granted again: request the grant of line N: this campaign is not running: it is paused, waits for " +
	"an approval or has ended\ncampaign N was changed directly in the database (no audit event mentions it), so nothing was done: " +
	"ask compliance to run a verification0 0",
	"line within the budget: request the grant of line N: this campaign is not running: it is paused, waits for an approval or has ended0 0"}

// TestUncoveredDecidesNothing changes what no check covers in hostile ways, and deletes it: every decision about money is the
// same, except for uncoveredDecides.
func TestUncoveredDecidesNothing(t *testing.T) {
	t.Parallel()
	storetest.OnEngines(t, func(t *testing.T, x *storetest.Database) {
		x.Config.GrantedOnly = true
		d := &moneyDesk{tampered: newTampered(t, x)}
		d.freezer = storetest.SignerNamed(t, d.Store, "chris", models.Compliance)
		want := d.set(t).decide()
		differs := func(how string, columns ...string) (differ []string) {
			sc := d.set(t)
			for _, c := range columns {
				d.change(t, c, how)
			}
			for i, got := range sc.decide() {
				if got != want[i] {
					differ = append(differ, got)
				}
			}
			return differ
		}
		require.Empty(t, differs(""), "without any change")
		columns := map[string]string{}
		for _, row := range uncovered {
			columns[row.what] = row.columns
		}
		for _, c := range uncoveredDecides {
			require.NotEmpty(t, columns[c.what], c.what)
			assert.Equal(t, c.differs, differs(c.how, columns[c.what]), "%s, %s", c.what, c.how)
		}
		for _, how := range hostile {
			var all []string
			for _, row := range uncovered {
				if !slices.ContainsFunc(uncoveredDecides, func(c decides) bool { return c.what == row.what && c.how == how }) {
					all = append(all, strings.TrimPrefix(row.columns, map[string]string{"deleted": "ledgers "}[how]))
				}
			}
			if differ := differs(how, all...); differ != nil {
				for _, c := range all {
					require.Empty(t, differs(how, c), "%s, %s", c, how)
				}
				require.Empty(t, differ, how)
			}
		}
		sc := d.set(t)
		d.change(t, "ledgers", "deleted")
		r, err := sc.Apply(t.Context(), storetest.Bet(sc.anna, d.id("last"), 100))
		require.NoError(t, err)
		require.Equal(t, models.HouseFrozen, r.Decline, "a freeze cannot be read then, so nobody plays")
	})
}
