package notices_test

import (
	"bufio"
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"encoding/json"
	"fmt"
	"io"
	"math/big"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"pitboss/app/notices"
	"pitboss/models"
	"pitboss/models/store"
	"pitboss/models/store/storetest"
)

func TestMain(m *testing.M) { storetest.Main(m) }

const secret = "webhook-secret-of-the-tests-of-32-bytes"

// clock is a clock that tests move.
type clock struct {
	mu sync.Mutex
	at time.Time
}

func (c *clock) now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.at
}

func (c *clock) on(d time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.at = c.at.Add(d)
}

// receiver receives what the webhook sends.
type receiver struct {
	*httptest.Server
	t      *testing.T
	mu     sync.Mutex
	status int
	got    []notices.Message
	tries  int
}

func receive(t *testing.T) *receiver {
	r := &receiver{t: t, status: http.StatusNoContent}
	r.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, request *http.Request) {
		r.mu.Lock()
		defer r.mu.Unlock()
		r.tries++
		body, err := io.ReadAll(request.Body)
		if err != nil || r.status != http.StatusNoContent {
			w.Header().Set("Location", "/elsewhere")
			w.WriteHeader(r.status)
			return
		}
		var m notices.Message
		if request.Header.Get("webhook-signature") != notices.Sign([]byte(secret), request.Header.Get("webhook-id"),
			request.Header.Get("webhook-timestamp"), body) || json.Unmarshal(body, &m) != nil {
			w.WriteHeader(http.StatusForbidden)
			return
		}
		r.got = append(r.got, m)
		w.WriteHeader(http.StatusNoContent)
	}))
	t.Cleanup(r.Close)
	return r
}

func (r *receiver) answer(status int) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.status = status
}

// failedSync records that the games could not be synchronized.
func failedSync(t *testing.T, s *store.Store) {
	t.Helper()
	_, err := s.SyncGames(t.Context(), models.System,
		models.GameSync{At: time.Now(), Error: "the platform of anna did not answer"}, nil)
	require.NoError(t, err)
}

func log(t *testing.T, s *store.Store) []models.Notice {
	t.Helper()
	list, err := s.Notices(t.Context(), models.NoticeFilter{Span: models.Span{Limit: 100}})
	require.NoError(t, err)
	return list.Rows
}

// TestWebhook sends what has happened since the webhook was set up, signed, once. If nobody accepts a notice, it is retried
// after longer and longer pauses.
func TestWebhook(t *testing.T) {
	storetest.Each(t, func(t *testing.T, dbURL string) {
		c := &clock{at: time.Now()}
		s := storetest.Open(t, store.Config{URL: dbURL, Now: c.now})
		r := receive(t)
		site, err := url.Parse("https://backoffice.example/pitboss")
		require.NoError(t, err)
		service := notices.New(notices.Config{Store: s, PublicURL: site, Webhook: r.URL + "/hook?key=hidden",
			WebhookSecret: secret, Now: c.now})
		require.Equal(t, []models.NoticeChannel{models.NoticeWebhook}, service.Channels())

		failedSync(t, s)
		c.on(2 * time.Hour)
		require.NoError(t, service.Work(t.Context()))
		require.Empty(t, r.got, "events of more than an hour before are not sent")

		failedSync(t, s)
		_, err = s.CreatePlayer(t.Context(), models.System, models.NewPlayer{UserID: "anna", Currency: "EUR"})
		require.NoError(t, err)
		require.NoError(t, service.Work(t.Context()))
		require.NoError(t, service.Work(t.Context()))
		require.Len(t, r.got, 1)
		m := r.got[0]
		require.Equal(t, models.NoticeSync, m.Kind)
		require.Equal(t, "https://backoffice.example/pitboss/games", m.URL)
		text, err := json.Marshal(m)
		require.NoError(t, err)
		require.NotContains(t, string(text), "anna")
		require.Equal(t, models.NoticeSent, log(t, s)[0].State)

		// Nobody accepts the notice: each pause is longer than the one before, and in the end it is given up. No secret is
		// logged.
		for i, status := range []int{http.StatusInternalServerError, http.StatusFound} {
			r.answer(status)
			failedSync(t, s)
			pause, tries := time.Duration(0), 0
			for {
				require.NoError(t, service.Work(t.Context()))
				n := log(t, s)[0]
				require.Equal(t, tries+1, n.Tries)
				require.Equal(t, fmt.Sprintf("the webhook answered %d", status), n.Error)
				tries = n.Tries
				if n.State == models.NoticeFailed {
					break
				}
				wait := n.Next.Sub(c.now())
				require.GreaterOrEqual(t, wait, pause)
				pause = wait
				require.NoError(t, service.Work(t.Context()))
				require.Equal(t, tries, log(t, s)[0].Tries, "it is not due yet")
				c.on(wait + time.Second)
			}
			require.Equal(t, models.MaxNoticeTries, tries)
			r.answer(http.StatusNoContent)
			require.NoError(t, s.RetryNotice(t.Context(), models.Actor{Name: "ann"}, 0, log(t, s)[0].ID))
			require.NoError(t, service.Work(t.Context()))
			require.Len(t, r.got, 2+i)
			require.ErrorIs(t, s.RetryNotice(t.Context(), models.Actor{Name: "ann"}, 0, log(t, s)[0].ID), models.ErrNoticeUnknown)
			c.on(time.Minute)
		}

		// Notices of kinds that nobody chose are not sent.
		require.ErrorIs(t, s.SetNoticeRules(t.Context(), models.Actor{Name: "ann"},
			models.NoticeRules{Kinds: []models.NoticeKind{"shoe"}}), models.ErrNoticeKind)
		require.NoError(t, s.SetNoticeRules(t.Context(), models.Actor{Name: "ann"},
			models.NoticeRules{Kinds: []models.NoticeKind{models.NoticeCorrection}}))
		failedSync(t, s)
		require.NoError(t, service.Work(t.Context()))
		require.Len(t, r.got, 3)
		require.NoError(t, s.RequestTestNotice(t.Context(), models.Actor{Name: "ann"}, service.Channels()))
		require.NoError(t, s.RequestTestNotice(t.Context(), models.Actor{Name: "ann"}, service.Channels()))
		require.NoError(t, service.Work(t.Context()))
		require.Len(t, r.got, 5)
		require.NotEqual(t, r.got[3].ID, r.got[4].ID)

		// The receiver is gone: its address, which may have a secret, is not in the log.
		r.Close()
		require.NoError(t, s.RequestTestNotice(t.Context(), models.Actor{Name: "ann"}, service.Channels()))
		require.NoError(t, service.Work(t.Context()))
		require.Contains(t, log(t, s)[0].Error, "could not be reached")
		require.NotContains(t, log(t, s)[0].Error, "hidden")

		c.on(400 * 24 * time.Hour)
		require.NoError(t, service.Work(t.Context()))
		for _, n := range log(t, s) {
			require.Equal(t, models.NoticeWaiting, n.State, "sent notices are deleted in the end")
		}
	})
}

// TestCasesOfChosenRules sends a notice about a case of a chosen rule, with the rule's name, but none about cases of other
// rules.
func TestCasesOfChosenRules(t *testing.T) {
	storetest.Each(t, func(t *testing.T, dbURL string) {
		s := storetest.Open(t, store.Config{URL: dbURL})
		r := receive(t)
		site, err := url.Parse("https://backoffice.example")
		require.NoError(t, err)
		service := notices.New(notices.Config{Store: s, PublicURL: site, Webhook: r.URL, WebhookSecret: secret})
		require.NoError(t, service.Work(t.Context()))
		found := func(key string) {
			_, opened, err := s.OpenCases(t.Context(), []models.Finding{
				{Rule: models.CaseNegativeBalance, Key: key, At: time.Now(),
					Facts: []models.CaseFact{{Label: "Who", Value: "anna"}}},
				{Rule: models.CaseOpenRound, Key: key, At: time.Now()},
			})
			require.NoError(t, err)
			require.Equal(t, 2, opened)
			require.NoError(t, service.Work(t.Context()))
		}
		found("unless somebody chooses, of all rules")
		require.Len(t, r.got, 2)

		rules := models.NoticeRules{Kinds: []models.NoticeKind{models.NoticeCase},
			Quiet: []models.CaseRule{models.CaseOpenRound}}
		require.NoError(t, s.SetNoticeRules(t.Context(), models.Actor{Name: "ann"}, rules))
		found("of all but one")
		require.Len(t, r.got, 3)
		require.Equal(t, models.NoticeCase, r.got[2].Kind)
		require.Equal(t, "negative balance", r.got[2].Rule)
		require.Equal(t, "A case was opened: negative balance", r.got[2].Text)
		require.Equal(t, "3", r.got[2].ObjectID)
		require.Equal(t, "negative balance", log(t, s)[0].Detail)

		rules.Kinds = []models.NoticeKind{models.NoticeSync}
		require.NoError(t, s.SetNoticeRules(t.Context(), models.Actor{Name: "ann"}, rules))
		found("of none")
		require.Len(t, r.got, 3)
		require.ErrorIs(t, s.SetNoticeRules(t.Context(), models.Actor{Name: "ann"},
			models.NoticeRules{Quiet: []models.CaseRule{99}}), models.ErrNoticeKind)

		// Very many cases at once make one notice, and other notices are sent as usual.
		require.NoError(t, s.SetNoticeRules(t.Context(), models.Actor{Name: "ann"}, models.DefaultNoticeRules))
		var many []models.Finding
		for i := range 300 {
			many = append(many, models.Finding{Rule: models.CaseStatement, Key: fmt.Sprint(i), At: time.Now()})
		}
		_, _, err = s.OpenCases(t.Context(),
			append(many, models.Finding{Rule: models.CaseOverflow, Key: "one", At: time.Now()}))
		require.NoError(t, err)
		failedSync(t, s)
		require.NoError(t, service.Work(t.Context()))
		require.Len(t, r.got, 6)
		require.Equal(t, "300 cases were opened: difference from a statement", r.got[3].Text)
		require.EqualValues(t, 300, r.got[3].Count)
		require.Equal(t, "https://backoffice.example/cases", r.got[3].URL)
		require.Empty(t, r.got[3].ObjectID)
		require.Equal(t, []string{"overflow refused", ""}, []string{r.got[4].Rule, r.got[5].Rule})
		require.Equal(t, models.NoticeSync, r.got[5].Kind)
	})
}

// TestApprovalsWaiting sends a notice about a correction that waits for a second approver, but none about other corrections.
func TestApprovalsWaiting(t *testing.T) {
	storetest.Each(t, func(t *testing.T, dbURL string) {
		s := storetest.Open(t, store.Config{URL: dbURL})
		r := receive(t)
		site, err := url.Parse("https://backoffice.example")
		require.NoError(t, err)
		service := notices.New(notices.Config{Store: s, PublicURL: site, Webhook: r.URL, WebhookSecret: secret})
		require.NoError(t, service.Work(t.Context()))
		anna, err := s.CreatePlayer(t.Context(), models.System, models.NewPlayer{UserID: "anna", Currency: "EUR"})
		require.NoError(t, err)
		mira, err := s.CreateStaff(t.Context(), models.System,
			models.Staff{Username: "mira", Name: "Mira", Role: models.Finance, PasswordHash: "x",
				Profile: models.DefaultProfile})
		require.NoError(t, err)
		by := models.Signer{Actor: models.Actor{Name: "mira"}, StaffID: mira.ID, Role: models.Finance}
		ask := func() models.Correction {
			r := models.CorrectionRequest{
				Kind: models.CorrectCredit, PlayerID: anna.ID, Amount: 500, Reason: "goodwill", Text: "As anna was promised.",
				Another: "Each is for another day.",
			}
			_, outlook, err := s.CorrectionOutlook(t.Context(), r)
			require.NoError(t, err)
			r.Seen = outlook.Similar
			c, err := s.RequestCorrection(t.Context(), by, r)
			require.NoError(t, err)
			return c
		}
		waits := ask()
		require.NoError(t, service.Work(t.Context()))
		// Staff also get notices about accounts and limits.
		ofCorrections := func() []notices.Message {
			return slices.DeleteFunc(slices.Clone(r.got),
				func(m notices.Message) bool { return m.Kind != models.NoticeCorrection })
		}
		got := ofCorrections()
		require.Len(t, got, 1)
		require.Equal(t, "A correction waits for approval", got[0].Text)
		require.Equal(t, fmt.Sprintf("https://backoffice.example/corrections/%d", waits.ID), got[0].URL)
		text, err := json.Marshal(got[0])
		require.NoError(t, err)
		require.NotContains(t, string(text), "anna")

		storetest.Change(t, s, models.ChangeCorrectionLimits,
			models.AloneLimits{models.Finance: {"EUR": {Amount: 500, PerDay: 500}}})
		alone := ask()
		_, err = s.BookCorrectionAlone(t.Context(), by, alone.ID, models.CorrectionBasis{After: 500, Similar: 1, AnyBalance: true})
		require.NoError(t, err)
		withdrawn := ask()
		_, err = s.WithdrawCorrection(t.Context(), by, withdrawn.ID, "A mistake.")
		require.NoError(t, err)
		last := ask()
		require.NoError(t, service.Work(t.Context()))
		got = ofCorrections()
		require.Len(t, got, 2)
		require.Equal(t, fmt.Sprint(last.ID), got[1].ObjectID)
	})
}

// TestFollowsWithoutGap writes one notice for each event, although many happen at once and two instances follow them.
func TestFollowsWithoutGap(t *testing.T) {
	storetest.Each(t, func(t *testing.T, dbURL string) {
		s := storetest.Open(t, store.Config{URL: dbURL})
		channels := []models.NoticeChannel{models.NoticeWebhook, models.NoticeMail}
		_, err := s.FollowNotices(t.Context(), channels) // an empty log is still a place to begin
		require.NoError(t, err)
		var group sync.WaitGroup
		stop := make(chan struct{})
		for range 2 {
			group.Go(func() {
				for {
					_, err := s.FollowNotices(context.WithoutCancel(t.Context()), channels)
					if err != nil {
						t.Error(err)
						return
					}
					select {
					case <-stop:
						return
					default:
					}
				}
			})
		}
		for range 30 {
			failedSync(t, s)
		}
		close(stop)
		group.Wait()
		_, err = s.FollowNotices(t.Context(), channels)
		require.NoError(t, err)
		list := log(t, s)
		require.Len(t, list, 60)
		seen := map[string]bool{}
		for _, n := range list {
			key := fmt.Sprint(n.EventID, n.Channel)
			require.False(t, seen[key])
			seen[key] = true
		}
	})
}

// postOffice is the test's mail server.
type postOffice struct {
	net.Listener
	mu       sync.Mutex
	startTLS bool
	config   *tls.Config
	letters  []string
	to       []string
	signedIn []string
	plain    int // e-mails that came unencrypted
}

func open(t *testing.T, startTLS, implicit bool) (*postOffice, *tls.Config) {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	require.NoError(t, err)
	template := &x509.Certificate{SerialNumber: big.NewInt(1), NotBefore: time.Now().Add(-time.Hour),
		NotAfter: time.Now().Add(time.Hour), IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1)}, IsCA: true,
		BasicConstraintsValid: true}
	der, err := x509.CreateCertificate(rand.Reader, template, template, &key.PublicKey, key)
	require.NoError(t, err)
	certificate, err := x509.ParseCertificate(der)
	require.NoError(t, err)
	pool := x509.NewCertPool()
	pool.AddCert(certificate)
	p := &postOffice{startTLS: startTLS,
		config: &tls.Config{Certificates: []tls.Certificate{{Certificate: [][]byte{der}, PrivateKey: key}}}}
	p.Listener, err = net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	if implicit {
		p.Listener = tls.NewListener(p.Listener, p.config)
	}
	t.Cleanup(func() { p.Listener.Close() })
	go func() {
		for {
			conn, err := p.Accept()
			if err != nil {
				return
			}
			go p.serve(conn, implicit)
		}
	}()
	return p, &tls.Config{RootCAs: pool}
}

func (p *postOffice) serve(conn net.Conn, encrypted bool) {
	defer conn.Close()
	in := bufio.NewReader(conn)
	say := func(line string) { fmt.Fprintf(conn, "%s\r\n", line) }
	say("220 post.example ESMTP")
	for {
		line, err := in.ReadString('\n')
		if err != nil {
			return
		}
		line = strings.TrimSpace(line)
		switch verb, rest, _ := strings.Cut(line, " "); strings.ToUpper(verb) {
		case "EHLO", "HELO":
			say("250-post.example")
			if p.startTLS && !encrypted {
				say("250-STARTTLS")
			}
			say("250 AUTH PLAIN")
		case "STARTTLS":
			say("220 go on")
			upgraded := tls.Server(conn, p.config)
			conn, in, encrypted = upgraded, bufio.NewReader(upgraded), true
		case "AUTH":
			p.mu.Lock()
			p.signedIn = append(p.signedIn, rest)
			p.mu.Unlock()
			say("235 welcome")
		case "RCPT":
			p.mu.Lock()
			p.to = append(p.to, rest)
			p.mu.Unlock()
			say("250 ok")
		case "DATA":
			say("354 go on")
			var letter strings.Builder
			for {
				line, err := in.ReadString('\n')
				if err != nil {
					return
				}
				if line == ".\r\n" {
					break
				}
				letter.WriteString(line)
			}
			p.mu.Lock()
			p.letters = append(p.letters, letter.String())
			if !encrypted {
				p.plain++
			}
			p.mu.Unlock()
			say("250 taken")
		case "QUIT": // some hang up without a word
			return
		default:
			say("250 ok")
		}
	}
}

// TestMail sends by STARTTLS and by TLS, signed in, to each address, and nothing to a server whose certificate cannot be
// verified.
func TestMail(t *testing.T) {
	s := storetest.Open(t, store.Config{URL: storetest.URL(t, storetest.SQLite)})
	_, err := s.FollowNotices(t.Context(), nil)
	require.NoError(t, err)
	for name, implicit := range map[string]bool{"smtp": false, "smtps": true} {
		t.Run(name, func(t *testing.T) {
			office, trusted := open(t, true, implicit)
			cfg := notices.Config{
				Store: s, Site: "lumen.example\r\nBcc: x@y.example", Server: name + "://" + office.Addr().String(),
				User: "pitboss", Password: "hidden", From: "Pitboss <pitboss@lumen.example>",
				To: []string{"ops@lumen.example", "Finance <finance@lumen.example>"}, TLS: trusted,
			}
			require.Equal(t, []models.NoticeChannel{models.NoticeMail}, notices.New(cfg).Channels())
			failedSync(t, s)
			require.NoError(t, notices.New(cfg).Work(t.Context()))
			require.Equal(t, models.NoticeSent, log(t, s)[0].State, log(t, s)[0].Error)
			require.Len(t, office.letters, 1)
			require.Zero(t, office.plain)
			require.Len(t, office.signedIn, 1)
			require.Equal(t, []string{"TO:<ops@lumen.example>", "TO:<finance@lumen.example>"}, office.to)
			head, body, _ := strings.Cut(office.letters[0], "\r\n\r\n")
			require.Contains(t, head, "Subject: [lumen.exampleBcc: x@y.example] The games could not be synchronized")
			require.NotContains(t, head, "\r\nBcc:")
			require.Contains(t, body, "The games could not be synchronized.")
			require.NotContains(t, office.letters[0], "anna")

			cfg.TLS = nil
			failedSync(t, s)
			require.NoError(t, notices.New(cfg).Work(t.Context()))
			require.Equal(t, models.NoticeWaiting, log(t, s)[0].State)
			require.NotContains(t, log(t, s)[0].Error, "hidden")
			require.Len(t, office.letters, 1)
		})
	}
}
