package reconcile_test

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"pitboss/cmd/testing/storetest"
	"pitboss/models"
)

// A client's statement is compared with the deposits and cash-outs of that client alone, by the client's own IDs. What it holds
// or has returned has moved no money.
func TestCashierStatement(t *testing.T) {
	storetest.Each(t, func(t *testing.T, url string) {
		b := open(t, url)
		user := func(n int) models.UserID { return b.players[n].UserID }
		deposit := func(client int64, id string, amount models.Amount) {
			r := storetest.Cash(user(0), id, amount)
			r.Client = client
			require.Equal(t, models.None, storetest.ApplyCash(t, b.store, r.Deposit()).Decline)
		}
		for id, amount := range map[string]models.Amount{"same": 1000, "amount": 1000, "absent": 1100, "player": 1200, "twice": 1300,
			"other": 1400, "failed": 1500} {
			deposit(storetest.CashClient, id, amount)
		}
		deposit(storetest.CashClient+10, "same", 9900)
		storetest.Apply(t, b.store, storetest.Bet(user(0), "same", 100))
		for id, how := range map[string]models.OperationKind{"paid": models.CashPaid, "paid-absent": models.CashPaid, "held": 0, "held-paid": 0,
			"held-absent": 0, "canceled": models.CashReturned, "canceled-paid": models.CashReturned, "bounced": models.CashPaid,
			"bounced-absent": models.CashPaid, "bounced-paid": models.CashPaid, "paid-bounced": models.CashPaid} {
			require.Equal(t, models.None, storetest.ApplyCash(t, b.store, storetest.Cash(user(0), id, 100).CashOut()).Decline)
			if how != 0 {
				require.Equal(t, models.None, storetest.EndCashOut(t, b.store, id, how).Decline)
			}
		}
		for _, id := range []string{"bounced", "bounced-absent", "bounced-paid"} {
			require.Equal(t, models.None, storetest.EndCashOut(t, b.store, id, models.CashBounced).Decline)
		}
		const file = `id,type,amount,status,player,currency
same,deposit,10.00,deposited,anna,EUR
amount,deposit,12.00,deposited,anna,EUR
player,deposit,12.00,deposited,-bob,EUR
twice,deposit,13.00,deposited,anna,EUR
twice,deposit,13.00,deposited,anna,EUR
other,deposit,14.00,deposited,anna,EUR
other,deposit,15.00,deposited,anna,EUR
failed,deposit,15.00,failed,anna,EUR
extra,deposit,16.00,deposited,anna,EUR
paid,payout,1.00,paid,anna,EUR
held,cash-out,1.00,requested,anna,EUR
held-paid,cash-out,1.00,paid,anna,EUR
canceled-paid,cash-out,1.00,paid,anna,EUR
bounced,payout,1.00,paid,anna,EUR
bounced,return,1.00,,anna,EUR
bounced-paid,payout,1.00,paid,anna,EUR
paid-bounced,payout,1.00,paid,anna,EUR
paid-bounced,return,1.00,,anna,EUR
extra-requested,cash-out,1.00,requested,anna,EUR
`
		st, err := b.service.Keep(t.Context(), finance, storetest.CashClient, "cashier.csv", strings.NewReader(file))
		require.NoError(t, err)
		st.Since, st.Until, st.Margin = b.now().Add(-time.Hour), b.now().Add(time.Hour), 0
		run := b.compare(b.ask(st))
		require.EqualValues(t, 1, run.BadLines, "a line that contradicts another one")
		got := map[string]string{}
		for id, d := range b.found(run) {
			got[strings.TrimSuffix(id, "@7")] = d.Name() + ", " + d.Remedy.String() + " " + d.RemedyAmount.String()
		}
		require.Equal(t, map[string]string{
			"amount":        "amount differs, settle with client 2.00",
			"absent":        "missing at client, settle with client 11.00",
			"player":        "player differs, check both 0.00",
			"failed":        "state differs, settle with client 15.00",
			"extra":         "missing here, settle with client 16.00",
			"paid-absent":   "missing at client, settle with client 1.00",
			"held-paid":     "state differs, settle with client 1.00",
			"canceled-paid": "state differs, settle with client 1.00",
			"bounced-paid":  "state differs, settle with client 1.00",
			"paid-bounced":  "state differs, settle with client 1.00",

			"bounced-absent":         "missing at client, settle with client 1.00",
			"bounced-absent bounced": "missing at client, settle with client 1.00",
		}, got)
		list, err := b.store.Cases(t.Context(), models.CaseFilter{Rule: models.CaseStatement, Span: models.Span{Limit: 50}})
		require.NoError(t, err)
		require.Len(t, list.Rows, len(got))
		whole, err := b.store.Statements(t.Context(), models.StatementFilter{From: st.Since, To: st.Until, Span: models.Span{Limit: 5}})
		require.NoError(t, err)
		require.Empty(t, whole.Rows, "a day is signed with the platform's statements")
	})
}
