// Package config reads the settings of the program's commands from environment variables, checks them, and turns them into the
// configurations of the program's parts. Each command reads the groups of settings that it needs. Instead of NAME, NAME_FILE
// may name a file that contains the value, which is meant for secrets. All problems are reported at once, without the values of
// secrets.
package config

import (
	"fmt"
	"log/slog"
	"net"
	"net/mail"
	"net/url"
	"slices"
	"strings"
	"time"

	"pitboss/app"
	"pitboss/app/evidence"
	"pitboss/app/notices"
	"pitboss/app/platform"
	"pitboss/app/signon"
	"pitboss/app/web"
	"pitboss/callbacks"
	"pitboss/callbacks/listener"
	"pitboss/callbacks/wire"
	"pitboss/models"
	"pitboss/models/store"
)

// Database say where the data is.
type Database struct {
	URL string `env:"PITBOSS_DATABASE_URL,required,notEmpty"` // sqlite://PATH or mysql://DSN
	// the same database with an account that may change its schema
	Migrate   string `env:"PITBOSS_MIGRATE_DATABASE_URL"`
	LedgerKey string `env:"PITBOSS_LEDGER_KEY"` // keys the ledger's hash chains; at least 16 bytes

	FreeSpins string `env:"PITBOSS_FREE_SPINS" envDefault:"all"` // granted: refuse free spins that no grant covers
}

// Evidence say where checkpoints go; see evidence.Config.
type Evidence struct {
	Dir   string        `env:"PITBOSS_CHECKPOINT_DIR"`
	Every time.Duration `env:"PITBOSS_CHECKPOINT_EVERY" envDefault:"24h"`
}

func (s Evidence) Check() (p Problems) {
	p.must(s.Every == 0 || s.Every >= time.Minute, "PITBOSS_CHECKPOINT_EVERY must be at least 1m, or 0 for no schedule, not %v", s.Every)
	return p
}

// Service returns the service that writes checkpoints. holder identifies this instance.
func (s Evidence) Service(st *store.Store, holder string, log *slog.Logger) *evidence.Service {
	return evidence.New(evidence.Config{Store: st, Dir: s.Dir, Every: s.Every, Holder: holder, Log: log})
}

// Cases are parameters of the rules that find cases.
type Cases struct {
	// after this many hours, a bet without a win or a rollback becomes a case; 0 means never
	OpenRoundHours int `env:"PITBOSS_CASE_OPEN_ROUND_HOURS" envDefault:"0"`
}

// Notices say where notices go; see notices.Config.
type Notices struct {
	Server   string   `env:"PITBOSS_NOTICE_SMTP"`
	User     string   `env:"PITBOSS_NOTICE_SMTP_USER"`
	Password string   `env:"PITBOSS_NOTICE_SMTP_PASSWORD"`
	From     string   `env:"PITBOSS_NOTICE_FROM"`
	To       []string `env:"PITBOSS_NOTICE_TO"`
}

func (s Notices) Check() (p Problems) {
	if s.Server == "" {
		return p
	}
	u, err := url.Parse(s.Server)
	p.must(err == nil && u.Hostname() != "" && u.Port() != "" && u.User == nil && (u.Scheme == "smtp" || u.Scheme == "smtps"),
		"PITBOSS_NOTICE_SMTP must be smtp://HOST:587 or smtps://HOST:465; the user name and password belong in "+
			"PITBOSS_NOTICE_SMTP_USER and PITBOSS_NOTICE_SMTP_PASSWORD")
	_, err = mail.ParseAddress(s.From)
	p.must(err == nil, "PITBOSS_NOTICE_FROM must be an address such as pitboss@casino.example")
	_, err = mail.ParseAddressList(strings.Join(s.To, ","))
	p.must(err == nil, "PITBOSS_NOTICE_TO must list the recipients, such as ops@casino.example,finance@casino.example")
	return p
}

// Service returns the service that sends notices.
func (s Notices) Service(st *store.Store, site Site, log *slog.Logger) *notices.Service {
	return notices.New(notices.Config{
		Store: st, PublicURL: &site.PublicURL, Site: site.Operator,
		Server: s.Server, User: s.User, Password: s.Password, From: s.From, To: s.To, Log: log,
	})
}

// Platform has the names and keys with which the platform and Pitboss identify themselves to each other.
type Platform struct {
	AgentID   string `env:"PITBOSS_AGENT_ID,required,notEmpty"`
	SecretKey string `env:"PITBOSS_SECRET_KEY,required,notEmpty"`
}

// API says how Pitboss calls the platform; see platform.Config.
type API struct {
	URL            string            `env:"PITBOSS_PLATFORM_URL,required,notEmpty"`
	APIToken       string            `env:"PITBOSS_API_TOKEN,required,notEmpty"`
	SignGameList   []string          `env:"PITBOSS_PLATFORM_SIGN_GAME_LIST" envDefault:"agentID"`               // fields, in order
	SignUserAuth   []string          `env:"PITBOSS_PLATFORM_SIGN_USER_AUTH" envDefault:"agentID,userID,gameID"` // fields, in order
	SendCurrency   onOff             `env:"PITBOSS_PLATFORM_SEND_CURRENCY" envDefault:"off"`
	UserAuthFields map[string]string `env:"PITBOSS_PLATFORM_USER_AUTH_FIELDS" envKeyValSeparator:"="` // name=value,name=value
	Timeout        time.Duration     `env:"PITBOSS_PLATFORM_TIMEOUT" envDefault:"8s"`                 // of one attempt
	SyncEvery      time.Duration     `env:"PITBOSS_GAMES_SYNC_EVERY" envDefault:"1h"`
}

func (s API) Config(ids Platform, log *slog.Logger) platform.Config {
	return platform.Config{
		URL: s.URL, AgentID: ids.AgentID, APIToken: s.APIToken, SecretKey: ids.SecretKey,
		SignGameList: s.SignGameList, SignUserAuth: s.SignUserAuth, SendCurrency: bool(s.SendCurrency),
		UserAuthFields: s.UserAuthFields,
		Timeout:        s.Timeout, Log: log,
	}
}

func (s API) Check() (p Problems) {
	err := platform.CheckURL(s.URL)
	p.must(s.URL == "" || err == nil, "PITBOSS_PLATFORM_URL: %w", err)
	return p
}

// Callbacks has the settings of the callback listener; see callbacks.Config.
type Callbacks struct {
	Addr              string            `env:"PITBOSS_CALLBACK_ADDR" envDefault:"127.0.0.1:8081"`
	Path              string            `env:"PITBOSS_CALLBACK_PATH"`
	PreviousSecretKey string            `env:"PITBOSS_SECRET_KEY_PREVIOUS"`
	Wire              wire.Dialect      `env:"PITBOSS_WIRE" envDefault:"spec"`
	DuplicateResult   int               `env:"PITBOSS_DUPLICATE_RESULT" envDefault:"11"`
	Deadline          time.Duration     `env:"PITBOSS_CALLBACK_DEADLINE" envDefault:"2.5s"`
	OutageStatus      int               `env:"PITBOSS_OUTAGE_STATUS" envDefault:"503"`
	Proxy             listener.Networks `env:"PITBOSS_CALLBACK_PROXY"`
	Allow             allowList         `env:"PITBOSS_CALLBACK_ALLOW"`
	MaxConnections    int               `env:"PITBOSS_CALLBACK_MAX_CONNECTIONS" envDefault:"2048"`
	LogDays           int               `env:"PITBOSS_CALLBACK_LOG_DAYS" envDefault:"365"` // days to keep the callback log
}

// Site has the settings of the back office; see web.Config.
type Site struct {
	Addr string `env:"PITBOSS_ADMIN_ADDR" envDefault:"127.0.0.1:8080"`
	// keys sessions, and encrypts second factors
	SessionKey     string            `env:"PITBOSS_SESSION_KEY,required,notEmpty"`
	PublicURL      url.URL           `env:"PITBOSS_PUBLIC_URL"`
	AdminProxy     listener.Networks `env:"PITBOSS_ADMIN_PROXY"`
	AdminAllow     listener.Networks `env:"PITBOSS_ADMIN_ALLOW"`
	MaxConns       int               `env:"PITBOSS_ADMIN_MAX_CONNECTIONS" envDefault:"1024"`
	GameHosts      []string          `env:"PITBOSS_GAME_HOSTS"`
	ThumbnailHosts []string          `env:"PITBOSS_THUMBNAIL_HOSTS"`
	DecimalComma   onOff             `env:"PITBOSS_DECIMAL_COMMA" envDefault:"off"` // staff may type 10,50
	Operator       string            `env:"PITBOSS_OPERATOR"`
	Address        string            `env:"PITBOSS_OPERATOR_ADDRESS"` // the casino's address, on players' statements
	Support        string            `env:"PITBOSS_PLAYER_SUPPORT"`   // where players ask questions, on their statements and under answers
	Environment    string            `env:"PITBOSS_ENVIRONMENT"`
	Contact        string            `env:"PITBOSS_PLATFORM_CONTACT"` // how staff reach the platform's support
}

// SignOn has the settings of single sign-on, which is on if there is an issuer; see signon.Config.
type SignOn struct {
	Issuer       string            `env:"PITBOSS_OIDC_ISSUER"`
	ClientID     string            `env:"PITBOSS_OIDC_CLIENT_ID"`
	ClientSecret string            `env:"PITBOSS_OIDC_CLIENT_SECRET"`
	Groups       string            `env:"PITBOSS_OIDC_GROUPS_CLAIM" envDefault:"groups"`
	Roles        map[string]string `env:"PITBOSS_OIDC_ROLES" envKeyValSeparator:"="` // group=role,group=role
	BreakGlass   []string          `env:"PITBOSS_OIDC_BREAK_GLASS"`                  // usernames
}

// Check returns the problems that the types of the fields do not catch.
func (s SignOn) Check() (p Problems) {
	if s.Issuer == "" {
		return nil
	}
	u, err := url.Parse(s.Issuer)
	local := err == nil && u.Scheme == "http" && (u.Hostname() == "localhost" || u.Hostname() == "127.0.0.1")
	p.must(err == nil && u.Host != "" && u.Fragment == "" && len(s.Issuer) <= 255 && (u.Scheme == "https" || local),
		"PITBOSS_OIDC_ISSUER must be the issuer of the identity provider, such as https://login.casino.example/realms/staff")
	p.must(s.ClientID != "" && s.ClientSecret != "",
		"PITBOSS_OIDC_CLIENT_ID and PITBOSS_OIDC_CLIENT_SECRET must be the ID and the secret of Pitboss's client at the identity provider")
	p.must(len(s.Roles) > 0,
		"PITBOSS_OIDC_ROLES must say which group gives which role, such as pitboss-finance=finance,pitboss-admins=admin")
	for group, role := range s.Roles {
		_, err := models.ParseRole(role)
		p.must(err == nil, "PITBOSS_OIDC_ROLES, group %q: %w", group, err)
	}
	p.must(len(s.BreakGlass) > 0, "PITBOSS_OIDC_BREAK_GLASS must name at least one administrator who can sign in with a password while "+
		"the identity provider is down")
	return p
}

// provider returns the identity provider, or nil if single sign-on is off. site is the address of the back office.
func (s SignOn) provider(site url.URL) *signon.Provider {
	if s.Issuer == "" {
		return nil
	}
	roles := map[string]models.Role{}
	for group, role := range s.Roles {
		roles[group] = models.Role(role)
	}
	return signon.New(signon.Config{Issuer: s.Issuer, ClientID: s.ClientID, ClientSecret: s.ClientSecret, GroupsClaim: s.Groups,
		Roles: roles, BreakGlass: s.BreakGlass, Callback: site.JoinPath("/signin/sso/answer").String(), Now: time.Now})
}

// Clients has the settings of the API listener, which the operator's systems call. The listener is only opened if it has an
// address.
type Clients struct {
	Addr     string            `env:"PITBOSS_API_ADDR"`
	APIProxy listener.Networks `env:"PITBOSS_API_PROXY"`
}

// Metrics has the settings of the metrics listener, which is only opened if it has an address.
type Metrics struct {
	Addr         string            `env:"PITBOSS_METRICS_ADDR"`
	MetricsAllow listener.Networks `env:"PITBOSS_METRICS_ALLOW" envDefault:"127.0.0.0/8,::1"` // who may connect
}

// Server has everything that `pitboss serve` reads.
type Server struct {
	Database  Database
	Platform  Platform
	API       API
	Callbacks Callbacks
	Site      Site
	SignOn    SignOn
	Clients   Clients
	Metrics   Metrics
	Evidence  Evidence
	Cases     Cases
	Notices   Notices
	LogFormat string `env:"PITBOSS_LOG_FORMAT" envDefault:"text"`
	PlainHTTP onOff  `env:"PITBOSS_PLAIN_HTTP" envDefault:"off"` // allow plain HTTP from and to other machines
	// how long the server keeps serving requests after /readyz has announced that it is stopping
	DrainDelay time.Duration `env:"PITBOSS_DRAIN_DELAY" envDefault:"5s"`
}

func (s Database) Check() (p Problems) {
	for variable, address := range map[string]string{"PITBOSS_DATABASE_URL": s.URL, "PITBOSS_MIGRATE_DATABASE_URL": s.Migrate} {
		err := store.CheckURL(address)
		p.must(address == "" || err == nil, "%s: %w", variable, err)
	}
	p.must(s.FreeSpins == "all" || s.FreeSpins == "granted", "PITBOSS_FREE_SPINS must be all or granted, not %q", s.FreeSpins)
	p.must(s.LedgerKey == "" || len(s.LedgerKey) >= 16,
		"PITBOSS_LEDGER_KEY is shorter than 16 bytes; make one with: openssl rand -hex 32")
	return p
}

func (s Callbacks) Check() (p Problems) {
	p.must(s.DuplicateResult == 11 || s.DuplicateResult == 0, "PITBOSS_DUPLICATE_RESULT must be 11 or 0, not %d", s.DuplicateResult)
	p.must(s.LogDays > 0, "PITBOSS_CALLBACK_LOG_DAYS must be 1 or more, not %d", s.LogDays)
	p.must(s.Deadline >= 200*time.Millisecond, "PITBOSS_CALLBACK_DEADLINE must be at least 200ms, not %v", s.Deadline)
	return p
}

func (s Site) Check() (p Problems) {
	p.must(s.MaxConns > 0, "PITBOSS_ADMIN_MAX_CONNECTIONS must be positive")
	p.must(s.SessionKey == "" || len(s.SessionKey) >= 32,
		"PITBOSS_SESSION_KEY is shorter than 32 bytes; make one with: openssl rand -hex 32")
	p.must(s.PublicURL.String() == "" || isWeb(s.PublicURL.String()),
		"PITBOSS_PUBLIC_URL must be the address of the back office in browsers, such as https://backoffice.casino.example")
	return p
}

// Check returns the problems of each group, and those between groups.
func (s Server) Check() (p Problems) {
	for variable, addr := range s.Addresses() {
		_, _, err := net.SplitHostPort(addr)
		p.must(addr == "" || err == nil, "%s must be an address to listen on, such as 127.0.0.1:8081: %w", variable, err)
	}
	p.must(s.Notices.Server == "" || s.Site.PublicURL.Host != "",
		"PITBOSS_PUBLIC_URL is not set, but e-mails need it for their links. Set it, or unset PITBOSS_NOTICE_SMTP")
	p.must(s.SignOn.Issuer == "" || s.Site.PublicURL.Host != "",
		"PITBOSS_PUBLIC_URL is not set, but the identity provider sends people back to it")
	p.must(s.LogFormat == "text" || s.LogFormat == "json", "PITBOSS_LOG_FORMAT must be text or json, not %q", s.LogFormat)
	p.must(s.DrainDelay >= 0, "PITBOSS_DRAIN_DELAY must not be negative")
	return slices.Concat(p, s.checkExposure(), s.Database.Check(), s.Callbacks.Check(), s.Site.Check(), s.SignOn.Check(),
		s.Evidence.Check(), s.Notices.Check(), s.API.Check())
}

// Addresses returns the address of each listener by its variable. It is empty for a listener that is not opened.
func (s Server) Addresses() map[string]string {
	return map[string]string{"PITBOSS_CALLBACK_ADDR": s.Callbacks.Addr, "PITBOSS_ADMIN_ADDR": s.Site.Addr,
		"PITBOSS_API_ADDR": s.Clients.Addr, "PITBOSS_METRICS_ADDR": s.Metrics.Addr}
}

// SiteConfig returns the back office's configuration. If no game hosts are set, games may be on the platform's host.
func (s Server) SiteConfig(version string) app.Config {
	site := s.Site
	hosts := site.GameHosts
	if base, err := url.Parse(s.API.URL); len(hosts) == 0 && err == nil {
		hosts = []string{base.Host}
	}
	cfg := app.Config{Config: web.Config{
		DecimalComma: bool(site.DecimalComma),
		SessionKey:   []byte(site.SessionKey), GameHosts: hosts, Thumbnails: site.ThumbnailHosts,
		TrustedProxies: site.AdminProxy, Operator: site.Operator, PostalAddress: site.Address, Support: site.Support, Environment: site.Environment, AgentID: s.Platform.AgentID,
		Contact: site.Contact, Version: version, Allow: site.AdminAllow, MaxConnections: site.MaxConns,
		SignOn: s.SignOn.provider(site.PublicURL),
	}}
	cfg.Platform.Warnings, cfg.Platform.Settings, cfg.Platform.CallbackPath = s.Warnings(), s.inForce(), s.Callbacks.Path
	if site.PublicURL.Host != "" {
		cfg.PublicURL = &site.PublicURL
	}
	return cfg
}

// CallbackConfig returns the configuration of the callback service.
func (s Server) CallbackConfig(log *slog.Logger) callbacks.Config {
	d := s.Callbacks
	return callbacks.Config{
		AgentID: s.Platform.AgentID, SecretKey: s.Platform.SecretKey, PreviousSecretKey: d.PreviousSecretKey,
		Dialect: d.Wire, DuplicateIsSuccess: d.DuplicateResult == 0, Deadline: d.Deadline,
		OutageStatus: d.OutageStatus,
		Path:         d.Path, Proxies: d.Proxy, Allow: d.Allow.Networks,
		MaxConnections: d.MaxConnections,
		Logger:         log,
	}
}

// Store returns the store's configuration. lockWait must be shorter than a callback's deadline.
func (s Database) Store(log *slog.Logger, lockWait time.Duration) store.Config {
	return store.Config{URL: s.URL, Migrate: s.Migrate, LedgerKey: []byte(s.LedgerKey), LockWait: lockWait,
		Log: log, GrantedOnly: s.FreeSpins == "granted"}
}

// onOff is a setting that is on or off.
type onOff bool

// String returns on or off.
func (o onOff) String() string {
	if o {
		return "on"
	}
	return "off"
}

// UnmarshalText reads on or off.
func (o *onOff) UnmarshalText(text []byte) error {
	switch string(text) {
	case "on":
		*o = true
	case "off":
		*o = false
	default:
		return fmt.Errorf("it must be on or off, not %q", text)
	}
	return nil
}
