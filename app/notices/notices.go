// Package notices notifies people by e-mail and API clients by webhook. Notices are stored in the database and sent in the
// background; failed ones are retried at growing intervals. A notice may arrive twice. An e-mail contains internal IDs and no
// personal data.
package notices

import (
	"context"
	"crypto/rand"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	netmail "net/mail"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode"

	"github.com/wneessen/go-mail"
	"golang.org/x/sync/errgroup"

	"pitboss/models"
	"pitboss/models/store"
)

// Config configures a Service. Without a Server, no e-mails are sent.
type Config struct {
	Store     *store.Store
	PublicURL *url.URL // the back office's address, for links; nil for none
	Site      string   // the operator's name, for the subject of e-mails

	Server       string // PITBOSS_NOTICE_SMTP: smtp://host:587, with STARTTLS, or smtps://host:465
	User         string // PITBOSS_NOTICE_SMTP_USER: empty if the server does not need one
	Password     string // PITBOSS_NOTICE_SMTP_PASSWORD
	From         string // PITBOSS_NOTICE_FROM
	To           []string
	TLS          *tls.Config // nil means the system's certificate authorities
	Now          func() time.Time
	Log          *slog.Logger // nil discards
	KeptFor      time.Duration
	RequestLimit time.Duration // for sending one message; 0 means 10 s
}

// Service sends notices.
type Service struct{ Config }

// How much one run does, and how long sent notices are kept.
const (
	sentAtOnce  = 50
	turn        = 2 * time.Second // of one receiver in a run; the last message may take longer
	defaultKept = 180 * 24 * time.Hour
)

// New returns a service. It sends nothing until Work is called.
func New(cfg Config) *Service {
	if cfg.Log == nil {
		cfg.Log = slog.New(slog.DiscardHandler)
	}
	if cfg.Now == nil {
		cfg.Now = time.Now
	}
	if cfg.RequestLimit == 0 {
		cfg.RequestLimit = 10 * time.Second
	}
	if cfg.KeptFor == 0 {
		cfg.KeptFor = defaultKept
	}
	return &Service{cfg}
}

// Mails reports whether e-mail can be sent.
func (s *Service) Mails() bool { return s.Server != "" }

// Work creates notices and sends those that are due. Call it even without a mail server, so that one configured later does not
// send old events.
func (s *Service) Work(ctx context.Context) error {
	if err := s.Store.NoteOverdue(ctx); err != nil {
		return err
	}
	for more := true; more; {
		var err error
		if more, err = s.Store.FollowNotices(ctx, s.Mails()); err != nil {
			return err
		}
	}
	due, err := s.Store.DueNotices(ctx, sentAtOnce)
	if err != nil {
		return err
	}
	receivers := map[int64][]models.Notice{} // by client; 0 for people
	for _, n := range due {
		receivers[n.ClientID] = append(receivers[n.ClientID], n)
	}
	var group errgroup.Group // receivers do not wait for each other
	for _, list := range receivers {
		group.Go(func() error { return s.sendAll(ctx, list) })
	}
	if err := group.Wait(); err != nil {
		return err
	}
	return s.Store.PurgeNotices(ctx, s.Now().Add(-s.KeptFor))
}

// sendAll sends what is due to one receiver. If its turn is over, or its webhook fails, it gets the rest in a later run, so
// that it does not keep others waiting for theirs.
func (s *Service) sendAll(ctx context.Context, list []models.Notice) error {
	began := time.Now()
	for _, n := range list {
		failure := s.send(ctx, n)
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
		if n.ClientID != 0 && failure != nil || time.Since(began) > turn {
			return nil
		}
	}
	return nil
}

var errNoMail = errors.New("e-mail is no longer set up")

func (s *Service) send(ctx context.Context, n models.Notice) error {
	ctx, cancel := context.WithTimeout(ctx, s.RequestLimit)
	defer cancel()
	switch {
	case n.Channel == models.NoticeClient:
		return s.tell(ctx, n)
	case !s.Mails():
		return errNoMail
	}
	return s.mail(ctx, n)
}

// mail sends a notice to each of its recipients.
func (s *Service) mail(ctx context.Context, n models.Notice) error {
	readers, err := s.Store.NoticeReaders(ctx, n)
	if err != nil {
		return err
	}
	if !n.Kind.Personal() {
		readers = slices.Concat(s.To, readers)
	}
	if len(readers) == 0 {
		return nil // the colleague has no address, and will see it on a page
	}
	subject, text := n.Text(), []string{n.Text() + ".", "", "When: " + n.At.UTC().Format("2006-01-02 15:04:05") + " UTC"}
	if n.ObjectID != "" {
		subject += " (" + n.ObjectID + ")"
		text = append(text, "Number: "+n.ObjectID)
	}
	if s.PublicURL != nil && s.PublicURL.Host != "" {
		text = append(text, "Open it: "+s.PublicURL.JoinPath(n.Path()).String())
	}
	text = append(text, "", "Pitboss sent this automatically. It contains no names: sign in to see more.")
	return s.letters(ctx, readers, "notice-"+strconv.FormatInt(n.EventID, 10), subject, text)
}

// Mail sends an e-mail to one person immediately, and returns why it could not be sent. It is not stored.
func (s *Service) Mail(ctx context.Context, to, subject string, text []string) error {
	ctx, cancel := context.WithTimeout(ctx, s.RequestLimit)
	defer cancel()
	return s.letters(ctx, []string{to}, rand.Text(), subject, text)
}

// letters sends a letter to each recipient, encrypted unless the server is on this machine. It returns a
// models.PartlySentError if only some recipients were accepted.
func (s *Service) letters(ctx context.Context, to []string, id, subject string, text []string) error {
	server, err := url.Parse(s.Server)
	if err != nil || server.Hostname() == "" {
		return errors.New("PITBOSS_NOTICE_SMTP is not an address")
	}
	var letters []*mail.Msg
	known := map[string]bool{}
	for _, address := range to {
		recipient, err := netmail.ParseAddress(address)
		if err != nil {
			return errors.New("a recipient is not an e-mail address")
		}
		if known[recipient.Address] {
			continue
		}
		known[recipient.Address] = true
		letter, err := s.letter(recipient.String(), id, subject, text)
		if err != nil {
			return err
		}
		letters = append(letters, letter)
	}
	client, err := s.connection(server)
	if err == nil {
		err = client.DialWithContext(ctx)
	}
	if err != nil {
		return fmt.Errorf("the mail server: %w", err)
	}
	defer client.Close() // an error of Close does not undo the server's answer
	failure := client.Send(letters...)
	refused := len(slices.DeleteFunc(slices.Clone(letters), func(m *mail.Msg) bool { return !m.HasSendError() }))
	switch {
	case failure == nil:
		return nil
	case refused < len(letters):
		return models.PartlySentError{Refused: refused, Of: len(letters), Err: failure}
	}
	return fmt.Errorf("the mail server: %w", failure)
}

// maxMailAnswers is how many bytes a mail server may send over one connection, certificates included.
const maxMailAnswers = 256 << 10

// said is a connection with a limit on incoming bytes.
type said struct {
	net.Conn
	from io.Reader
}

func (c said) Read(b []byte) (int, error) { return c.from.Read(b) }

// connection returns a client of the mail server.
func (s *Service) connection(server *url.URL) (*mail.Client, error) {
	config := &tls.Config{}
	if s.TLS != nil {
		config = s.TLS.Clone()
	}
	config.ServerName = server.Hostname()
	port, err := strconv.Atoi(server.Port())
	if err != nil {
		return nil, errors.New("PITBOSS_NOTICE_SMTP has no port")
	}
	dial := func(ctx context.Context, network, address string) (net.Conn, error) {
		conn, err := (&net.Dialer{}).DialContext(ctx, network, address)
		if err != nil {
			return nil, err
		}
		conn = said{conn, io.LimitReader(conn, maxMailAnswers)}
		if server.Scheme == "smtps" {
			conn = tls.Client(conn, config)
		}
		return conn, nil
	}
	options := []mail.Option{mail.WithPort(port), mail.WithTimeout(s.RequestLimit), mail.WithTLSConfig(config),
		mail.WithDialContextFunc(dial)}
	ip := net.ParseIP(server.Hostname())
	switch {
	case server.Scheme == "smtps":
		options = append(options, mail.WithSSL())
	case server.Hostname() == "localhost" || ip != nil && ip.IsLoopback():
		options = append(options, mail.WithTLSPolicy(mail.TLSOpportunistic))
	default:
		options = append(options, mail.WithTLSPolicy(mail.TLSMandatory))
	}
	if s.User != "" {
		// SMTPAuthAutoDiscover takes a connection of our dialer for one without TLS. PLAIN and LOGIN refuse to be sent without
		// it.
		options = append(options, mail.WithUsername(s.User), mail.WithPassword(s.Password), mail.WithOpportunisticSMTPAuth(
			mail.SMTPAuthSCRAMSHA256, mail.SMTPAuthSCRAMSHA1, mail.SMTPAuthPlain, mail.SMTPAuthLogin))
	}
	return mail.NewClient(server.Hostname(), options...)
}

func (s *Service) letter(to, id, subject string, text []string) (*mail.Msg, error) {
	if site := strings.Map(printable, s.Site); site != "" {
		subject = "[" + site + "] " + subject
	}
	m := mail.NewMsg(mail.WithNoDefaultUserAgent())
	if err := m.From(s.From); err != nil {
		return nil, errors.New("PITBOSS_NOTICE_FROM is not an address")
	}
	if err := m.To(to); err != nil {
		return nil, err
	}
	m.Subject(subject)
	m.SetDateWithValue(s.Now())
	m.SetMessageIDWithValue(id + strings.TrimSuffix(s.From[strings.LastIndexByte(s.From, '@'):], ">"))
	m.SetGenHeader("Auto-Submitted", "auto-generated")
	m.SetBodyString(mail.TypeTextPlain, strings.Join(append(text, ""), "\r\n"))
	return m, nil
}

func printable(r rune) rune {
	if !unicode.IsPrint(r) {
		return -1
	}
	return r
}
