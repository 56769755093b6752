package platform

import (
	"cmp"
	"errors"
	"fmt"
	"log/slog"
	"net/url"
	"slices"
	"time"

	"pitboss/callbacks/wire"
)

// Config configures a Client. URL, AgentID, APIToken and SecretKey are required.
type Config struct {
	URL       string // {base_url} of the specification: http or https, possibly with a path
	AgentID   string
	APIToken  string
	SecretKey string

	// SignGameList and SignUserAuth are the fields whose values are signed, in order. The specification leaves both open. The
	// defaults are those of the platform's public documentation: agentID; agentID, userID, gameID.
	SignGameList []string
	SignUserAuth []string

	SendCurrency   bool              // whether /userAuth has the wallet's currency (Platform API rule 4)
	UserAuthFields map[string]string // additional fixed fields of /userAuth, such as a return address (rule 5)

	Timeout   time.Duration // for a whole attempt; 0 means 8 s. /gameList has listTimeout
	MaxAnswer int64         // bytes; 0 means 8 MiB

	Attempts        int           // for calls that may be retried; 0 means 3
	Backoff         time.Duration // before the second attempt, doubled before each further one, with jitter; 0 means 250 ms
	BreakerFailures uint          // consecutive failed calls until the circuit opens; 0 means 5
	BreakerDelay    time.Duration // until an open circuit tests the platform; 0 means 10 s

	Now func() time.Time // the clock; nil means the system's
	Log *slog.Logger     // nil discards
}

// The names of the calls' fields in JSON.
const (
	fieldAPIToken   = "apiToken"
	fieldGameID     = "gameID"
	fieldLanguage   = "language"
	fieldCurrency   = "currency"
	fieldSpinCount  = "spinCount"
	fieldFreeSpinID = "freeSpinID"
)

var userAuthFields = []string{fieldAPIToken, wire.FieldAgentID, wire.FieldUserID, fieldGameID, fieldLanguage, fieldCurrency,
	wire.FieldSign}

// withDefaults returns the configuration with defaults for zero fields.
func (c Config) withDefaults() Config {
	c.Timeout, c.MaxAnswer = cmp.Or(c.Timeout, 8*time.Second), cmp.Or(c.MaxAnswer, 8<<20)
	c.Attempts, c.Backoff = cmp.Or(c.Attempts, 3), cmp.Or(c.Backoff, 250*time.Millisecond)
	c.BreakerFailures, c.BreakerDelay = cmp.Or(c.BreakerFailures, 5), cmp.Or(c.BreakerDelay, 10*time.Second)
	if c.SignGameList == nil {
		c.SignGameList = []string{wire.FieldAgentID}
	}
	if c.SignUserAuth == nil {
		c.SignUserAuth = []string{wire.FieldAgentID, wire.FieldUserID, fieldGameID}
	}
	if c.Now == nil {
		c.Now = time.Now
	}
	if c.Log == nil {
		c.Log = slog.New(slog.DiscardHandler)
	}
	return c
}

const (
	connectTimeout = 3 * time.Second  // to connect, and again for the TLS handshake
	listTimeout    = 30 * time.Second // for a whole attempt of /gameList
)

// MaxTimeout is the longest Timeout. After two minutes, a grant that is still being sent is listed as one of unknown outcome.
const MaxTimeout = 15 * time.Second

// Check returns every problem of the configuration, without secrets.
func (c Config) Check() error {
	var problems []error
	if err := CheckURL(c.URL); err != nil {
		problems = append(problems, err)
	}
	for name := range c.UserAuthFields {
		if slices.Contains(userAuthFields, name) || name == "" {
			problems = append(problems,
				fmt.Errorf("%q cannot be a further field of /userAuth: it has one of this name already", name))
		}
	}
	d := c.withDefaults()
	if d.Timeout > MaxTimeout {
		problems = append(problems, fmt.Errorf("the platform's timeout is %v, and may be %v at most", d.Timeout, MaxTimeout))
	}
	for _, name := range d.SignGameList {
		if name != wire.FieldAgentID {
			problems = append(problems, fmt.Errorf("/gameList has no field %q to sign", name))
		}
	}
	for _, name := range d.SignUserAuth {
		_, further := c.UserAuthFields[name]
		known := slices.Contains(userAuthFields, name) && name != wire.FieldSign && name != fieldAPIToken &&
			(name != fieldCurrency || c.SendCurrency)
		if !further && !known {
			problems = append(problems, fmt.Errorf("/userAuth has no field %q to sign", name))
		}
	}
	return errors.Join(problems...)
}

// CheckURL returns what is wrong with the platform's address, or nil.
func CheckURL(address string) error {
	u, err := url.Parse(address)
	if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "" || u.User != nil || u.RawQuery != "" ||
		u.Fragment != "" {
		return errors.New("the platform's address is http or https, such as https://platform.example/api, without user, " +
			"query or fragment")
	}
	return nil
}
