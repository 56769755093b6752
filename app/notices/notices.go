// Package notices notifies people outside the back office: by a webhook with signed messages, and by e-mail. Notices are stored
// in the database and sent in the background; failed ones are retried at growing intervals. A notice may arrive twice;
// receivers recognize that by its number. It contains only internal IDs and no personal data.
package notices

import (
	"bytes"
	"context"
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"crypto/tls"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"net/mail"
	"net/smtp"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"pitboss/app/jobs"
	"pitboss/models"
	"pitboss/models/store"
)

// Config configures a Service. A channel without an address is not used.
type Config struct {
	Store     *store.Store
	PublicURL *url.URL // the back office's address, for links; nil for none
	Site      string   // the operator's name, for the subject of e-mails

	Webhook       string // PITBOSS_NOTICE_WEBHOOK: a URL, which may contain a secret and is never shown
	WebhookSecret string // PITBOSS_NOTICE_WEBHOOK_SECRET: the key of the signature

	Server       string // PITBOSS_NOTICE_SMTP: smtp://host:587, with STARTTLS, or smtps://host:465
	User         string // PITBOSS_NOTICE_SMTP_USER: empty if the server does not need one
	Password     string // PITBOSS_NOTICE_SMTP_PASSWORD
	From         string // PITBOSS_NOTICE_FROM
	To           []string
	TLS          *tls.Config // nil means the system's certificate authorities
	Now          func() time.Time
	Log          *slog.Logger // nil discards
	KeptFor      time.Duration
	Every        time.Duration // between two runs; 0 means 10 s
	RequestLimit time.Duration // for sending one message; 0 means 10 s
}

// Service sends notices.
type Service struct {
	Config
	client *http.Client
}

// How much one run does, and how long sent notices are kept.
const (
	sentAtOnce  = 50
	slowWebhook = 2 * time.Second
	defaultKept = 180 * 24 * time.Hour
)

// New returns a service. It sends nothing until its job runs.
func New(cfg Config) *Service {
	if cfg.Log == nil {
		cfg.Log = slog.New(slog.DiscardHandler)
	}
	if cfg.Now == nil {
		cfg.Now = time.Now
	}
	if cfg.Every == 0 {
		cfg.Every = 10 * time.Second
	}
	if cfg.RequestLimit == 0 {
		cfg.RequestLimit = 10 * time.Second
	}
	if cfg.KeptFor == 0 {
		cfg.KeptFor = defaultKept
	}
	return &Service{Config: cfg, client: &http.Client{
		Timeout:       cfg.RequestLimit,
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}}
}

// Channels returns the configured channels.
func (s *Service) Channels() (list []models.NoticeChannel) {
	if s.Webhook != "" {
		list = append(list, models.NoticeWebhook)
	}
	if s.Server != "" {
		list = append(list, models.NoticeMail)
	}
	return list
}

// Job creates notices and sends those that are due, in one of several instances. Run it even without channels, so that one
// configured later does not send old events.
func (s *Service) Job() jobs.Job {
	return jobs.Job{Name: "notices", Every: s.Every, Work: s.Work}
}

// Work creates notices and sends those that are due, once.
func (s *Service) Work(ctx context.Context) error {
	if err := s.Store.NoteOverdue(ctx); err != nil {
		return err
	}
	for more := true; more; {
		var err error
		if more, err = s.Store.FollowNotices(ctx, s.Channels()); err != nil {
			return err
		}
	}
	due, err := s.Store.DueNotices(ctx, sentAtOnce)
	if err != nil {
		return err
	}
	down := map[int64]bool{} // clients whose webhook failed or is slow: others do not wait for them, and they get the rest later
	for _, n := range due {
		if down[n.ClientID] {
			continue
		}
		began := time.Now()
		failure := s.send(ctx, n)
		down[n.ClientID] = n.ClientID != 0 && (failure != nil || time.Since(began) > slowWebhook)
		if ctx.Err() != nil {
			return ctx.Err() // the receiver is not to blame
		}
		if failure != nil {
			s.Log.Warn("A notice could not be sent.", "notice", n.ID, "channel", n.Channel, "tries", n.Tries+1, "error",
				failure)
		}
		if err := s.Store.NoteNotice(ctx, n, failure); err != nil {
			return err
		}
	}
	return s.Store.PurgeNotices(ctx, s.Now().Add(-s.KeptFor))
}

var errNoChannel = errors.New("this channel is no longer set up")

func (s *Service) send(ctx context.Context, n models.Notice) error {
	ctx, cancel := context.WithTimeout(ctx, s.RequestLimit)
	defer cancel()
	switch {
	case n.Channel == models.NoticeWebhook && s.Webhook != "":
		return s.post(ctx, n)
	case n.Channel == models.NoticeMail && s.Server != "":
		return s.mail(ctx, n)
	case n.Channel == models.NoticeClient:
		return s.tell(ctx, n)
	}
	return errNoChannel
}

// Message is what the webhook gets, as JSON.
type Message struct {
	ID       string            `json:"id"` // of the event: the same for each attempt
	Kind     models.NoticeKind `json:"kind"`
	Text     string            `json:"text"`
	At       string            `json:"at"`              // of the event, UTC, RFC 3339
	Rule     string            `json:"rule,omitempty"`  // that found the case
	Count    int64             `json:"count,omitempty"` // of cases, if the message is about several
	ObjectID string            `json:"object_id"`       // internal ID; empty if there is none, or several
	URL      string            `json:"url"`             // of the page about it; empty if the site's address is not set
}

func (s *Service) message(n models.Notice) Message {
	m := Message{ID: strconv.FormatInt(n.EventID, 10), Kind: n.Kind, Text: n.Text(), Rule: n.Detail,
		At: n.At.UTC().Format(time.RFC3339Nano), ObjectID: n.ObjectID}
	if n.Many > 1 {
		m.Count = n.Many
	}
	if s.PublicURL != nil && s.PublicURL.Host != "" {
		m.URL = s.PublicURL.JoinPath(n.Kind.Path(n.ObjectID)).String()
	}
	return m
}

func (s *Service) post(ctx context.Context, n models.Notice) error {
	body, err := json.Marshal(s.message(n))
	if err != nil {
		return err
	}
	return s.deliver(ctx, s.client, s.Webhook, [][]byte{[]byte(s.WebhookSecret)}, "notice-"+strconv.FormatInt(n.EventID, 10), body)
}

// Sign returns the signature of Standard Webhooks (version 1 of its scheme): the HMAC-SHA-256 of the ID, the timestamp as in the
// header, and the body, with periods between them. Receivers should compare it in constant time and refuse timestamps older than
// a few minutes, so that an intercepted message cannot be replayed.
func Sign(secret []byte, id, timestamp string, body []byte) string {
	h := hmac.New(sha256.New, secret)
	h.Write([]byte(id + "." + timestamp + "."))
	h.Write(body)
	return "v1," + base64.StdEncoding.EncodeToString(h.Sum(nil))
}

// deliver posts a message to a webhook, signed with each of the secrets. Errors do not contain the address.
func (s *Service) deliver(ctx context.Context, client *http.Client, address string, secrets [][]byte, id string, body []byte) error {
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, address, bytes.NewReader(body))
	if err != nil {
		return errors.New("the webhook is not an address")
	}
	timestamp := strconv.FormatInt(s.Now().Unix(), 10)
	signatures := make([]string, len(secrets))
	for i, secret := range secrets {
		signatures[i] = Sign(secret, id, timestamp, body)
	}
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("User-Agent", "Pitboss")
	r.Header.Set("Webhook-Id", id)
	r.Header.Set("Webhook-Timestamp", timestamp)
	r.Header.Set("Webhook-Signature", strings.Join(signatures, " "))
	answer, err := client.Do(r)
	if err != nil {
		var quoting *url.Error
		if errors.As(err, &quoting) {
			err = quoting.Err
		}
		return fmt.Errorf("the webhook could not be reached: %w", err)
	}
	defer answer.Body.Close()
	if answer.StatusCode/100 != 2 {
		return fmt.Errorf("the webhook answered %d", answer.StatusCode)
	}
	return nil
}

var errPlain = errors.New("the mail server offers no encryption (STARTTLS). Unencrypted mail is sent only to a server on " +
	"this machine")

// mail sends a notice to its recipients.
func (s *Service) mail(ctx context.Context, n models.Notice) error {
	readers, err := s.Store.NoticeReaders(ctx, n)
	if err != nil {
		return err
	}
	var to []*mail.Address
	configured := s.To
	if n.Kind.Personal() {
		if configured = nil; len(readers) == 0 {
			return nil // the assignee has no address; they will see it on the page
		}
	}
	for _, t := range slices.Concat(configured, readers) {
		address, err := mail.ParseAddress(t)
		if err != nil {
			return errors.New("PITBOSS_NOTICE_TO is not a list of addresses")
		}
		if !slices.ContainsFunc(to, func(a *mail.Address) bool { return a.Address == address.Address }) {
			to = append(to, address)
		}
	}
	m := s.message(n)
	subject := m.Text
	if m.ObjectID != "" {
		subject += " (" + m.ObjectID + ")"
	}
	text := []string{m.Text + ".", "", "When: " + n.At.UTC().Format("2006-01-02 15:04:05") + " UTC"}
	if m.ObjectID != "" {
		text = append(text, "Number: "+m.ObjectID)
	}
	if m.URL != "" {
		text = append(text, "Open it: "+m.URL)
	}
	text = append(text, "", "Pitboss sent this automatically. It contains no names: sign in to see more.", "")
	return s.sendLetter(ctx, letter{id: "notice-" + m.ID, to: to, subject: subject, text: text})
}

// Mails reports whether e-mail can be sent.
func (s *Service) Mails() bool { return s.Server != "" }

// Mail sends an e-mail to one person immediately, and returns why it could not be sent. It is not stored.
func (s *Service) Mail(ctx context.Context, to, subject string, text []string) error {
	address, err := mail.ParseAddress(to)
	if err != nil {
		return errors.New("this is not an e-mail address")
	}
	ctx, cancel := context.WithTimeout(ctx, s.RequestLimit)
	defer cancel()
	return s.sendLetter(ctx, letter{id: rand.Text(), to: []*mail.Address{address}, subject: subject, text: append(text, "")})
}

// letter is an e-mail.
type letter struct {
	id      string
	to      []*mail.Address
	subject string
	text    []string
}

// sendLetter sends a letter by SMTP, encrypted unless the server is on this machine.
func (s *Service) sendLetter(ctx context.Context, l letter) (err error) {
	server, err := url.Parse(s.Server)
	if err != nil || server.Hostname() == "" {
		return errors.New("PITBOSS_NOTICE_SMTP is not an address")
	}
	conn, err := (&net.Dialer{}).DialContext(ctx, "tcp", server.Host)
	if err != nil {
		return fmt.Errorf("the mail server could not be reached: %w", err)
	}
	defer conn.Close()
	if deadline, set := ctx.Deadline(); set {
		if err := conn.SetDeadline(deadline); err != nil {
			return err
		}
	}
	config := &tls.Config{}
	if s.TLS != nil {
		config = s.TLS.Clone()
	}
	config.ServerName = server.Hostname()
	if server.Scheme == "smtps" {
		conn = tls.Client(conn, config)
	}
	client, err := smtp.NewClient(conn, server.Hostname())
	if err != nil {
		return fmt.Errorf("the mail server: %w", err)
	}
	defer client.Close()
	if err := s.secure(client, server, config); err != nil {
		return fmt.Errorf("the mail server: %w", err)
	}
	if err := s.handOver(client, l); err != nil {
		return fmt.Errorf("the mail server: %w", err)
	}
	return nil
}

// secure starts TLS and signs in.
func (s *Service) secure(client *smtp.Client, server *url.URL, config *tls.Config) error {
	if server.Scheme != "smtps" {
		offered, _ := client.Extension("STARTTLS")
		ip := net.ParseIP(server.Hostname())
		here := server.Hostname() == "localhost" || ip != nil && ip.IsLoopback()
		switch {
		case offered:
			if err := client.StartTLS(config); err != nil {
				return err
			}
		case !here:
			return errPlain
		}
	}
	if s.User == "" {
		return nil
	}
	return client.Auth(smtp.PlainAuth("", s.User, s.Password, server.Hostname()))
}

func (s *Service) handOver(client *smtp.Client, l letter) error {
	from, err := mail.ParseAddress(s.From)
	if err != nil {
		return errors.New("PITBOSS_NOTICE_FROM is not an address")
	}
	if err := client.Mail(from.Address); err != nil {
		return err
	}
	for _, to := range l.to {
		if err := client.Rcpt(to.Address); err != nil {
			return err
		}
	}
	w, err := client.Data()
	if err != nil {
		return err
	}
	if _, err := w.Write(s.written(l, from)); err != nil {
		return err
	}
	if err := w.Close(); err != nil {
		return err
	}
	client.Quit() // the server has accepted the letter, whatever this returns
	return nil
}

// written returns a letter in ASCII, whatever characters the site's name has.
func (s *Service) written(l letter, from *mail.Address) []byte {
	subject := l.subject
	if site := strings.Map(printable, s.Site); site != "" {
		subject = "[" + site + "] " + subject
	}
	var to []string
	for _, t := range l.to {
		to = append(to, t.String())
	}
	domain := from.Address[strings.LastIndexByte(from.Address, '@')+1:]
	lines := []string{
		"From: " + from.String(), "To: " + strings.Join(to, ", "), "Subject: " + subject,
		"Date: " + s.Now().UTC().Format("Mon, 02 Jan 2006 15:04:05 +0000"),
		"Message-ID: <" + l.id + "@" + domain + ">", "Auto-Submitted: auto-generated", "MIME-Version: 1.0",
		"Content-Type: text/plain; charset=us-ascii", "",
	}
	return []byte(strings.Join(append(lines, l.text...), "\r\n"))
}

func printable(r rune) rune {
	if r < ' ' || r > '~' {
		return -1
	}
	return r
}
