package notices_test

import (
	"crypto/hmac"
	"crypto/sha256"
	"crypto/tls"
	"crypto/x509"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"pitboss/app/feed"
	"pitboss/app/notices"
	"pitboss/cmd/testing/storetest"
	"pitboss/models"
	"pitboss/models/store"
)

// system is a system of the casino that receives events, and checks them as Standard Webhooks says.
type system struct {
	*httptest.Server
	mu      sync.Mutex
	secrets []string // the first that it tries
	down    bool
	tries   int
	ids     []string
	got     []feed.Message
}

func listens(t *testing.T) *system {
	r := &system{}
	r.Server = httptest.NewTLSServer(http.HandlerFunc(func(w http.ResponseWriter, request *http.Request) {
		r.mu.Lock()
		defer r.mu.Unlock()
		r.tries++
		body, err := io.ReadAll(request.Body)
		id := request.Header.Get("webhook-id")
		valid := false
		for _, secret := range r.secrets {
			key, err2 := base64.StdEncoding.DecodeString(strings.TrimPrefix(secret, "whsec_"))
			h := hmac.New(sha256.New, key)
			fmt.Fprintf(h, "%s.%s.%s", id, request.Header.Get("webhook-timestamp"), body)
			for signature := range strings.FieldsSeq(request.Header.Get("webhook-signature")) {
				valid = valid || err2 == nil && signature == "v1,"+base64.StdEncoding.EncodeToString(h.Sum(nil))
			}
		}
		var told feed.Message
		if r.down || !valid || err != nil || json.Unmarshal(body, &told) != nil {
			w.WriteHeader(http.StatusForbidden)
			return
		}
		r.ids, r.got = append(r.ids, id), append(r.got, told)
		w.WriteHeader(http.StatusNoContent)
	}))
	t.Cleanup(r.Close)
	return r
}

func (r *system) trusted() *tls.Config {
	pool := x509.NewCertPool()
	pool.AddCert(r.Certificate())
	return &tls.Config{RootCAs: pool}
}

func deliveries(t *testing.T, s *store.Store, c models.APIClient) []models.Notice {
	t.Helper()
	list, err := s.Notices(t.Context(), models.NoticeFilter{ClientID: c.ID, Span: models.Span{Limit: 100}})
	require.NoError(t, err)
	return list.Rows
}

// TestClientWebhook tells a client's webhook what its terms say, signed, retried and sent again, while another one is down.
func TestClientWebhook(t *testing.T) {
	storetest.Each(t, func(t *testing.T, url string) {
		c := &clock{at: time.Now()}
		s := storetest.Open(t, store.Config{URL: url, Now: c.now, LedgerKey: storetest.LedgerKey})
		up, down := listens(t), listens(t)
		config := up.trusted()
		config.RootCAs.AddCert(down.Certificate())
		service := notices.New(notices.Config{Store: s, Now: c.now, TLS: config})
		crm, _ := storetest.APIClient(t, s, models.APITerms{Name: "crm", Webhook: up.URL + "/hook", Events: []string{"player", "restriction"}})
		other, _ := storetest.APIClient(t, s, models.APITerms{Name: "other", Webhook: down.URL, Events: []string{"player"}})
		up.secrets = s.WebhookSecrets(crm)
		require.NoError(t, service.Work(t.Context()))
		require.Empty(t, up.got)

		for _, user := range []models.UserID{"anna", "bert"} {
			_, err := s.CreatePlayer(t.Context(), models.System, models.NewPlayer{UserID: user, Currency: "EUR"})
			require.NoError(t, err)
		}
		failedSync(t, s)
		require.NoError(t, service.Work(t.Context()))
		require.Len(t, up.got, 2)
		require.Equal(t, []string{"player", "player created", "system"}, []string{up.got[0].Type, up.got[0].Data.Action, up.got[0].Data.By})
		require.Equal(t, "anna", up.got[0].Data.Player)
		for _, got := range up.got { // its place in the feed, although nothing else has put it there
			place, err := models.ParseEventPlace(got.Data.ID)
			require.NoError(t, err)
			_, _, _, err = s.EventsAfter(t.Context(), place, 1)
			require.NoError(t, err)
		}
		require.Equal(t, []models.NoticeState{models.NoticeSent, models.NoticeSent},
			[]models.NoticeState{deliveries(t, s, crm)[0].State, deliveries(t, s, crm)[1].State})
		require.Equal(t, 1, down.tries, "a webhook that is down is asked once")
		require.Empty(t, log(t, s), "no notice to people")

		// The other one comes back and gets both, each once.
		down.secrets = s.WebhookSecrets(other)
		c.on(time.Minute)
		require.NoError(t, service.Work(t.Context()))
		require.Len(t, down.got, 2)
		require.NotEqual(t, up.secrets, down.secrets)
		require.NoError(t, service.Work(t.Context()))
		require.Len(t, up.got, 2)

		// It is sent again, with the same ID. Nobody sends it to another client, or a notice to people twice.
		first := deliveries(t, s, crm)[1]
		require.ErrorIs(t, s.RetryNotice(t.Context(), models.System, other.ID, first.ID), models.ErrNoticeUnknown)
		require.ErrorIs(t, s.RetryNotice(t.Context(), models.System, 0, first.ID), models.ErrNoticeUnknown)
		require.NoError(t, s.RetryNotice(t.Context(), models.System, crm.ID, first.ID))
		require.NoError(t, service.Work(t.Context()))
		require.Len(t, up.got, 3)
		require.Equal(t, up.ids[0], up.ids[2])

		// Another secret: until the overlap ends, messages are signed with both.
		ada, _ := storetest.Administrators(t, s)
		storetest.APISecret(t, s, crm.ID, 1)
		crm, _, err := s.APIClient(t.Context(), crm.ID)
		require.NoError(t, err)
		old := up.secrets
		require.NotEqual(t, old[0], s.WebhookSecrets(crm)[0])
		again := func() {
			require.NoError(t, s.RetryNotice(t.Context(), models.System, crm.ID, first.ID))
			require.NoError(t, service.Work(t.Context()))
		}
		again()
		require.Len(t, up.got, 4)
		c.on(time.Hour)
		again()
		require.Len(t, up.got, 4, "the previous secret signs no more")
		require.Equal(t, "the webhook answered 403", deliveries(t, s, crm)[1].Error)
		up.secrets = s.WebhookSecrets(crm)
		again()
		require.Len(t, up.got, 5)

		require.NoError(t, s.RevokeAPIClient(t.Context(), ada, crm.ID, "it leaked"))
		_, err = s.CreatePlayer(t.Context(), models.System, models.NewPlayer{UserID: "carl", Currency: "EUR"})
		require.NoError(t, err)
		again()
		require.Len(t, up.got, 5, "a revoked client is told nothing")
		require.Len(t, down.got, 3)
	})
}

// TestSlowWebhook has a webhook that answers only once another client's has got the same event: nobody waits for it.
func TestSlowWebhook(t *testing.T) {
	s := storetest.Open(t, store.Config{URL: storetest.URL(t, storetest.SQLite), LedgerKey: storetest.LedgerKey})
	told := make(chan struct{})
	slow := httptest.NewTLSServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		select {
		case <-told:
		case <-r.Context().Done():
		}
	}))
	defer slow.Close()
	quick := httptest.NewTLSServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { close(told) }))
	defer quick.Close()
	trusted := &tls.Config{RootCAs: x509.NewCertPool()}
	trusted.RootCAs.AddCert(slow.Certificate())
	trusted.RootCAs.AddCert(quick.Certificate())
	service := notices.New(notices.Config{Store: s, TLS: trusted, RequestLimit: time.Minute})
	first, _ := storetest.APIClient(t, s, models.APITerms{Name: "slow", Webhook: slow.URL, Events: []string{"player"}})
	second, _ := storetest.APIClient(t, s, models.APITerms{Name: "quick", Webhook: quick.URL, Events: []string{"player"}})
	require.NoError(t, service.Work(t.Context()))
	storetest.CreatePlayer(t, s, "anna", 100)
	require.NoError(t, service.Work(t.Context()))
	for _, c := range []models.APIClient{first, second} {
		require.Equal(t, models.NoticeSent, deliveries(t, s, c)[0].State, c.Name)
	}
}

// TestAttackWebhookTellsKinds restricts a player because of money laundering: a webhook is told why only if its client may
// know.
func TestAttackWebhookTellsKinds(t *testing.T) {
	s := storetest.Open(t, store.Config{URL: storetest.URL(t, storetest.SQLite), LedgerKey: storetest.LedgerKey})
	for name, scopes := range map[string][]models.APIScope{"plain": {models.ScopeRead}, "knows": {models.ScopeRead, models.ScopeKinds}} {
		r := listens(t)
		service := notices.New(notices.Config{Store: s, TLS: r.trusted()})
		client, _ := storetest.APIClient(t, s, models.APITerms{Name: name, Scopes: scopes, Webhook: r.URL, Events: []string{"player", "restriction"}})
		r.secrets = s.WebhookSecrets(client)
		require.NoError(t, service.Work(t.Context()))
		p := storetest.CreatePlayer(t, s, models.UserID(name), 100)
		_, err := s.RestrictAs(t.Context(), models.System, models.Restriction{Subject: models.OfPlayer, PlayerID: p.ID,
			Kind: models.MoneyLaundering, Scope: models.FromPlay, Until: models.Permanent, Reason: "SUSPICION smurfing"})
		require.NoError(t, err)
		require.NoError(t, service.Work(t.Context()))
		told := fmt.Sprint(r.got)
		require.Contains(t, told, "restriction set")
		require.NotContains(t, told, "smurfing")
		for _, word := range []string{"money laundering", "cash_outs_from"} {
			require.Equal(t, name == "knows", strings.Contains(told, word), told)
		}
	}
}

// TestAttackWebhookAddress gives clients webhooks at addresses that only machines of the operator reach, and changes the row of
// a client: nothing is sent.
func TestAttackWebhookAddress(t *testing.T) {
	storetest.Each(t, func(t *testing.T, url string) {
		s := storetest.Open(t, store.Config{URL: url, LedgerKey: storetest.LedgerKey})
		r := listens(t)
		port := r.URL[strings.LastIndex(r.URL, ":")+1:]
		service := notices.New(notices.Config{Store: s, TLS: r.trusted()})
		require.NoError(t, service.Work(t.Context()))
		var clients []models.APIClient
		for i, host := range []string{"127.0.0.1", "localhost", "[::1]", "[::ffff:127.0.0.1]", "0.0.0.0", "[::]", "10.1.2.3", "172.16.0.1",
			"192.168.0.1", "169.254.169.254", "100.64.0.1", "[fe80::1]", "[fd00::1]", "[64:ff9b::7f00:1]", "[2002:7f00:1::]", "255.255.255.255"} {
			c, _ := storetest.APIClient(t, s, models.APITerms{Name: fmt.Sprintf("c-%d", i), Networks: "192.0.2.1/32",
				Webhook: "https://" + host + ":" + port, Events: []string{"player"}})
			clients = append(clients, c)
		}
		mine, _ := storetest.APIClient(t, s, models.APITerms{Name: "mine", Webhook: "https://192.0.2.1", Events: []string{"player"}})
		db := storetest.OpenURL(t, url)
		_, err := db.ExecContext(t.Context(), "UPDATE api_clients SET webhook = ? WHERE id = ?", r.URL, mine.ID)
		require.NoError(t, err)
		_, err = s.CreatePlayer(t.Context(), models.System, models.NewPlayer{UserID: "anna", Currency: "EUR"})
		require.NoError(t, err)
		require.NoError(t, service.Work(t.Context()))
		for _, c := range clients {
			sent := deliveries(t, s, c)
			require.Len(t, sent, 1)
			require.Contains(t, sent[0].Error, "this address is not public", c.Webhook)
		}
		require.Contains(t, deliveries(t, s, mine)[0].Error, "differs from")
		require.Zero(t, r.tries)
		for _, terms := range []models.APITerms{{Webhook: "http://crm.example", Events: []string{"player"}},
			{Webhook: "https://a:b@crm.example", Events: []string{"player"}}, {Webhook: "https://crm.example"}, {Events: []string{"player"}},
			{Webhook: "https://crm.example", Events: []string{"staff"}}, {Webhook: "https://crm.example", Events: []string{"player"}, Test: true}} {
			terms.Name, terms.PerMinute, terms.Scopes = "client", 1, []models.APIScope{models.ScopeRead}
			require.Error(t, terms.Check())
		}
	})
}
