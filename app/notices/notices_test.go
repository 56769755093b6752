package notices_test

import (
	"bufio"
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"fmt"
	"io"
	"math/big"
	"mime"
	"mime/quotedprintable"
	"net"
	"net/mail"
	"net/url"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"pitboss/app/notices"
	"pitboss/cmd/testing/storetest"
	"pitboss/models"
	"pitboss/models/store"
)

func TestMain(m *testing.M) { storetest.Main(m) }

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

// service returns a service that sends to a mail server.
func service(s *store.Store, office *postOffice, c *clock) *notices.Service {
	site := &url.URL{Scheme: "https", Host: "backoffice.example", Path: "/pitboss"}
	return notices.New(notices.Config{Store: s, PublicURL: site, Server: "smtp://" + office.Addr().String(), Now: c.now,
		From: "Pitboss <pitboss@lumen.example>", To: []string{"ops@lumen.example"}, Password: "hidden", TLS: office.trusted})
}

// TestRetries: a notice is sent once. If the server accepts it for nobody, it is sent again after longer and longer pauses.
func TestRetries(t *testing.T) {
	storetest.Each(t, func(t *testing.T, dbURL string) {
		c := &clock{at: time.Now()}
		s := storetest.Open(t, store.Config{URL: dbURL, Now: c.now})
		office := open(t, true, false)
		service := service(s, office, c)
		failedSync(t, s)
		c.on(2 * time.Hour)
		require.NoError(t, service.Work(t.Context()))
		require.Empty(t, office.letters, "events of more than an hour before are not sent")

		failedSync(t, s)
		_, err := s.CreatePlayer(t.Context(), models.System, models.NewPlayer{UserID: "anna", Currency: "EUR"})
		require.NoError(t, err)
		require.NoError(t, service.Work(t.Context()))
		require.NoError(t, service.Work(t.Context()))
		require.Len(t, office.letters, 1)
		require.Contains(t, office.letters[0].text, "https://backoffice.example/pitboss/games")
		require.NotContains(t, office.letters[0].text, "anna")
		require.Equal(t, models.NoticeSent, log(t, s)[0].State)

		office.refuse("ops@lumen.example")
		failedSync(t, s)
		pause, tries := time.Duration(0), 0
		for {
			require.NoError(t, service.Work(t.Context()))
			n := log(t, s)[0]
			require.Equal(t, tries+1, n.Tries)
			require.Contains(t, n.Error, "no such mailbox")
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
		office.refuse()
		require.NoError(t, s.RetryNotice(t.Context(), models.Actor{Name: "ann"}, 0, log(t, s)[0].ID))
		require.NoError(t, service.Work(t.Context()))
		require.Len(t, office.letters, 2)
		require.ErrorIs(t, s.RetryNotice(t.Context(), models.Actor{Name: "ann"}, 0, log(t, s)[0].ID), models.ErrNoticeUnknown)

		// Notices of kinds that nobody chose are not sent, but a test is.
		require.ErrorIs(t, s.SetNoticeRules(t.Context(), models.Actor{Name: "ann"},
			models.NoticeRules{Kinds: []models.NoticeKind{"shoe"}}), models.ErrNoticeKind)
		require.NoError(t, s.SetNoticeRules(t.Context(), models.Actor{Name: "ann"},
			models.NoticeRules{Kinds: []models.NoticeKind{models.NoticeRequest}}))
		failedSync(t, s)
		require.NoError(t, service.Work(t.Context()))
		require.Len(t, office.letters, 2)
		require.NoError(t, s.RequestTestNotice(t.Context(), models.Actor{Name: "ann"}))
		require.NoError(t, service.Work(t.Context()))
		require.Len(t, office.letters, 3)

		office.Close()
		require.NoError(t, s.RequestTestNotice(t.Context(), models.Actor{Name: "ann"}))
		require.NoError(t, service.Work(t.Context()))
		require.Contains(t, log(t, s)[0].Error, "the mail server: ")
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
		office := open(t, true, false)
		service := service(s, office, &clock{at: time.Now()})
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
		require.Len(t, office.letters, 2)

		rules := models.NoticeRules{Kinds: []models.NoticeKind{models.NoticeCase},
			Quiet: []models.CaseRule{models.CaseOpenRound}}
		require.NoError(t, s.SetNoticeRules(t.Context(), models.Actor{Name: "ann"}, rules))
		found("of all but one")
		require.Len(t, office.letters, 3)
		require.Equal(t, "A case was opened: negative balance (3)", office.letters[2].subject)
		require.NotContains(t, office.letters[2].text, "anna")

		rules.Kinds = []models.NoticeKind{models.NoticeSync}
		require.NoError(t, s.SetNoticeRules(t.Context(), models.Actor{Name: "ann"}, rules))
		found("of none")
		require.Len(t, office.letters, 3)
		require.ErrorIs(t, s.SetNoticeRules(t.Context(), models.Actor{Name: "ann"},
			models.NoticeRules{Quiet: []models.CaseRule{99}}), models.ErrNoticeKind)

		// Very many cases at once make one notice, and other notices are sent as usual.
		require.NoError(t, s.SetNoticeRules(t.Context(), models.Actor{Name: "ann"}, models.DefaultNoticeRules))
		var many []models.Finding
		for i := range 300 {
			many = append(many, models.Finding{Rule: models.CaseStatement, Key: fmt.Sprint(i), At: time.Now()})
		}
		_, _, err := s.OpenCases(t.Context(),
			append(many, models.Finding{Rule: models.CaseOverflow, Key: "one", At: time.Now()}))
		require.NoError(t, err)
		failedSync(t, s)
		require.NoError(t, service.Work(t.Context()))
		require.Len(t, office.letters, 6)
		require.Equal(t, "300 cases were opened: difference from a statement", office.letters[3].subject)
		require.Contains(t, office.letters[3].text, "https://backoffice.example/pitboss/cases\r\n")
		require.Contains(t, office.letters[4].subject, "overflow refused")
		require.Contains(t, office.letters[5].subject, "The games could not be synchronized")
	})
}

// TestApproversAreTold: a request that waits is told to those who can approve it, except its maker and those who want no
// e-mails.
func TestApproversAreTold(t *testing.T) {
	storetest.Each(t, func(t *testing.T, dbURL string) {
		s := storetest.Open(t, store.Config{URL: dbURL})
		office := open(t, true, false)
		service := service(s, office, &clock{at: time.Now()})
		require.NoError(t, service.Work(t.Context()))
		anna, err := s.CreatePlayer(t.Context(), models.System, models.NewPlayer{UserID: "anna", Currency: "EUR", Balance: 100000})
		require.NoError(t, err)
		hire := func(name string, role models.Role) models.Signer {
			member, err := s.CreateStaff(t.Context(), models.System, models.Staff{Username: name, Name: name, Role: role, PasswordHash: "x",
				Email: name + "@lumen.example", Profile: models.DefaultProfile})
			require.NoError(t, err)
			return models.Signer{Actor: models.Actor{Name: name}, StaffID: member.ID, Role: role}
		}
		mira := hire("mira", models.Finance)
		hire("farid", models.Finance)
		hire("bruno", models.Bonus)
		hire("sofia", models.Support)
		require.NoError(t, service.Work(t.Context()))
		told := func(subject string) (to []string) {
			t.Helper()
			office.letters = nil
			require.NoError(t, service.Work(t.Context()))
			for _, l := range office.letters {
				if strings.HasPrefix(l.subject, subject) {
					to = append(to, l.to)
				}
			}
			return to
		}
		ask := func() models.Correction {
			r := models.CorrectionRequest{Kind: models.CorrectCredit, PlayerID: anna.ID, Amount: 500, Reason: "goodwill",
				Text: "As anna was promised.", Another: "Each is for another day."}
			_, outlook, err := s.CorrectionOutlook(t.Context(), r)
			require.NoError(t, err)
			r.Seen = outlook.Similar
			c, err := s.RequestCorrection(t.Context(), mira, r)
			require.NoError(t, err)
			return c
		}
		c := ask()
		require.Equal(t, []string{"ops@lumen.example", "farid@lumen.example"}, told("A request waits for approval: correction"))
		require.Contains(t, office.letters[0].text, fmt.Sprintf("/pitboss/corrections/%d\r\n", c.ID))
		require.NotContains(t, office.letters[0].text, "anna")
		withdrawn := ask()
		err = storetest.Withdraw(t.Context(), s, "correction", mira, withdrawn.ID, "A mistake.")
		require.NoError(t, err)
		require.Empty(t, told("A request waits for approval"), "nobody has to decide it")
	})
}

// TestFollowsWithoutGap writes one notice for each event, although many happen at once and two instances follow them.
func TestFollowsWithoutGap(t *testing.T) {
	storetest.Each(t, func(t *testing.T, dbURL string) {
		s := storetest.Open(t, store.Config{URL: dbURL})
		_, err := s.FollowNotices(t.Context(), true) // an empty log is still a place to begin
		require.NoError(t, err)
		var group sync.WaitGroup
		stop := make(chan struct{})
		for range 2 {
			group.Go(func() {
				for {
					_, err := s.FollowNotices(context.WithoutCancel(t.Context()), true)
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
		_, err = s.FollowNotices(t.Context(), true)
		require.NoError(t, err)
		list := log(t, s)
		require.Len(t, list, 30)
		seen := map[string]bool{}
		for _, n := range list {
			key := fmt.Sprint(n.EventID, n.Channel)
			require.False(t, seen[key])
			seen[key] = true
		}
	})
}

// letter is an e-mail that was accepted.
type letter struct{ to, subject, raw, text string }

// postOffice is the test's mail server.
type postOffice struct {
	net.Listener
	mu       sync.Mutex
	startTLS bool
	config   *tls.Config
	trusted  *tls.Config // of its clients
	letters  []letter
	refused  []string // recipients
	signedIn []string
	plain    int // e-mails that came unencrypted
}

// refuse makes the server refuse recipients.
func (p *postOffice) refuse(addresses ...string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.refused = addresses
}

func open(t *testing.T, startTLS, implicit bool) *postOffice {
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
	p := &postOffice{startTLS: startTLS, trusted: &tls.Config{RootCAs: pool},
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
	return p
}

func (p *postOffice) serve(conn net.Conn, encrypted bool) {
	defer conn.Close()
	in, to := bufio.NewReader(conn), ""
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
			to = strings.Trim(strings.TrimPrefix(rest, "TO:"), "<>")
			p.mu.Lock()
			refused := slices.Contains(p.refused, to)
			p.mu.Unlock()
			if refused {
				say("550 no such mailbox")
			} else {
				say("250 ok")
			}
		case "DATA":
			say("354 go on")
			var raw strings.Builder
			for {
				line, err := in.ReadString('\n')
				if err != nil {
					return
				}
				if line == ".\r\n" {
					break
				}
				raw.WriteString(line)
			}
			p.mu.Lock()
			p.letters = append(p.letters, parsed(to, raw.String()))
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

// parsed reads an e-mail as a person's program does.
func parsed(to, raw string) letter {
	message, err := mail.ReadMessage(strings.NewReader(raw))
	if err != nil {
		return letter{raw: raw, text: err.Error()}
	}
	subject, _ := new(mime.WordDecoder).DecodeHeader(message.Header.Get("Subject"))
	text, _ := io.ReadAll(quotedprintable.NewReader(message.Body))
	return letter{to: to, subject: subject, raw: raw, text: string(text)}
}

// TestMail sends by STARTTLS and by TLS, signed in, to each address, whatever letters the site's name has. One refused
// recipient does not stop the others, and a server whose certificate cannot be verified gets nothing.
func TestMail(t *testing.T) {
	s := storetest.Open(t, store.Config{URL: storetest.URL(t, storetest.SQLite)})
	_, err := s.FollowNotices(t.Context(), false)
	require.NoError(t, err)
	for name, implicit := range map[string]bool{"smtp": false, "smtps": true} {
		t.Run(name, func(t *testing.T) {
			office := open(t, true, implicit)
			cfg := notices.Config{
				Store: s, Site: "Kasyno Łódź\r\nBcc: x@y.example", Server: name + "://" + office.Addr().String(),
				User: "pitboss", Password: "hidden", From: "Pitboss <pitboss@lumen.example>", TLS: office.trusted,
				To: []string{"ops@lumen.example", "gone@lumen.example", "Finance <finance@lumen.example>", "ops@lumen.example"},
			}
			failedSync(t, s)
			office.refuse("gone@lumen.example")
			require.NoError(t, notices.New(cfg).Work(t.Context()))
			require.Equal(t, models.NoticeSent, log(t, s)[0].State, log(t, s)[0].Error)
			require.Contains(t, log(t, s)[0].Error, "1 of 3 recipients were refused")
			require.Len(t, office.letters, 2)
			require.Zero(t, office.plain)
			require.Len(t, office.signedIn, 1)
			require.Equal(t, []string{"ops@lumen.example", "finance@lumen.example"}, []string{office.letters[0].to, office.letters[1].to})
			require.Contains(t, office.letters[0].subject, "[Kasyno ŁódźBcc: x@y.example] The games could not be synchronized")
			require.NotContains(t, office.letters[0].raw, "\r\nBcc:")
			require.Contains(t, office.letters[0].text, "The games could not be synchronized.")
			require.NotContains(t, office.letters[0].text, "anna")

			cfg.TLS = nil
			failedSync(t, s)
			require.NoError(t, notices.New(cfg).Work(t.Context()))
			require.Equal(t, models.NoticeWaiting, log(t, s)[0].State)
			require.NotContains(t, log(t, s)[0].Error, "hidden")
			require.Len(t, office.letters, 2)
		})
	}
}
