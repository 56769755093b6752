package models

import (
	"errors"
	"fmt"
	"net/mail"
	"slices"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"
)

// Staff is a staff member's account.
type Staff struct {
	ID                 int64
	Username           string // see ParseUsername
	Name               string // shown to colleagues
	Role               Role
	Email              string   // where one-time links are sent; may be empty
	PasswordHash       string   // argon2id, with its parameters; empty before the first one is set, and after a reset
	MustChangePassword bool     // the password was set at the command line
	TOTPSecret         string   // sealed by the site (app/credentials/seal.go); empty without a second factor
	TOTPStep           int64    `covered:"-"` // the last 30-second step whose code was used
	Identity           Identity // with which the owner signs in by single sign-on; empty if the account is not linked
	Disabled           bool
	Profile            Profile   `gorm:"embedded" covered:"-"`
	CreatedAt          time.Time `gorm:"column:created_at_us;serializer:micros"`
	PasswordSetAt      time.Time `gorm:"column:password_set_at_us;serializer:micros"`
	SignedInAt         time.Time `gorm:"column:signed_in_at_us;serializer:micros" covered:"-"` // zero before the first sign-in
	// when an administrator last enabled it; zero if it was never disabled
	EnabledAt time.Time `gorm:"column:enabled_at_us;serializer:micros"`
	// changes that another administrator still has to confirm; until then, the owner can only view pages
	Unconfirmed Unconfirmed `gorm:"serializer:jsonText"`

	Kept StaffKept `gorm:"-" covered:"rows"`
}

// StaffKept are the rows that belong to an account. The audit log covers them with the account, and they are read only when the
// account is compared with the audit log.
type StaffKept struct {
	Codes     []RecoveryCode `gorm:"-" covered:"rows"`
	Links     []StaffLink    `gorm:"-" covered:"rows"` // at most one
	Passwords []OldPassword  `gorm:"-" covered:"rows"`
	Passkeys  []Passkey      `gorm:"-" covered:"rows"`
}

// Passkey is a second factor: a key in an authenticator of the account's owner.
type Passkey struct {
	ID         int64
	StaffID    int64
	Name       string    // that the owner has given it
	Credential string    // its ID and public key, as app/passkeys writes them
	SignCount  uint32    `covered:"-"` // that the authenticator last sent; 0 if it does not count
	AddedAt    time.Time `gorm:"column:added_at_us;serializer:micros"`
	UsedAt     time.Time `gorm:"column:used_at_us;serializer:micros" covered:"-"` // zero before its first use
}

// TableName returns the table's name for GORM.
func (Passkey) TableName() string { return "staff_passkeys" }

// MaxPasskeys is how many passkeys an account can have.
const MaxPasskeys = 10

// RecoveryCode is the hash of a code that replaces the second factor once.
type RecoveryCode struct {
	ID       int64
	StaffID  int64
	CodeHash string
}

// TableName returns the table's name for GORM.
func (RecoveryCode) TableName() string { return "staff_recovery_codes" }

// OldPassword is the hash of an earlier password of the account.
type OldPassword struct {
	ID           int64
	StaffID      int64
	PasswordHash string
}

// TableName returns the table's name for GORM.
func (OldPassword) TableName() string { return "staff_passwords" }

// TableName returns the table's name for GORM.
func (Staff) TableName() string { return "staff" }

// UsedAt returns when the account was last used, for the rule that disables unused accounts.
func (s *Staff) UsedAt() time.Time {
	latest := s.CreatedAt
	for _, at := range []time.Time{s.PasswordSetAt, s.SignedInAt, s.EnabledAt} {
		if at.After(latest) {
			latest = at
		}
	}
	return latest
}

// Unused reports whether the account has not been used for as long as the rules allow.
func (s *Staff) Unused(rules SignInRules, now time.Time) bool {
	return rules.UnusedDays > 0 && now.Sub(s.UsedAt()) > time.Duration(rules.UnusedDays)*24*time.Hour
}

// HasTOTP reports whether the account has an authenticator app with codes.
func (s *Staff) HasTOTP() bool { return s.TOTPSecret != "" }

// HasSecondFactor reports whether the account has an authenticator app or a passkey. StaffKept must have been read.
func (s *Staff) HasSecondFactor() bool { return s.HasTOTP() || len(s.Kept.Passkeys) > 0 }

// Passkey returns the account's passkey with this number, or false if it has none.
func (s *Staff) Passkey(id int64) (Passkey, bool) {
	i := slices.IndexFunc(s.Kept.Passkeys, func(p Passkey) bool { return p.ID == id })
	if i < 0 {
		return Passkey{}, false
	}
	return s.Kept.Passkeys[i], true
}

// SignsInWith returns what the owner needs to sign in, in words.
func (s *Staff) SignsInWith() string {
	switch {
	case s.Identity != "":
		return "single sign-on"
	case s.HasTOTP() && len(s.Kept.Passkeys) > 0:
		return "password and code or passkey"
	case len(s.Kept.Passkeys) > 0:
		return "password and passkey"
	case s.HasTOTP():
		return "password and code"
	}
	return "password only"
}

// CanSign reports whether the owner can approve something: the account is enabled and confirmed, and is linked to an identity
// or has a password that its owner chose.
func (s *Staff) CanSign() bool {
	return !s.Disabled && len(s.Unconfirmed) == 0 && (s.Identity != "" || s.PasswordHash != "" && !s.MustChangePassword)
}

// Signer returns the staff member as a person who requests or approves.
func (s *Staff) Signer() Signer {
	return Signer{Actor: Actor{Name: s.Username}, StaffID: s.ID, Role: s.Role, Unconfirmed: len(s.Unconfirmed) > 0}
}

// Profile is a staff member's preferences for pages.
type Profile struct {
	Zone    string // a name of the time zone database
	Theme   string // one of Themes
	Density string // one of Densities
	Quiet   bool   // no e-mails about their assignments, their requests and overdue work
}

// The choices of a profile.
var (
	Themes    = []string{"system", "light", "dark"}
	Densities = []string{"roomy", "compact"}
)

// DefaultProfile is the profile of a new account.
var DefaultProfile = Profile{Zone: "UTC", Theme: "system", Density: "roomy"}

// Check returns a ProfileError if a choice is not valid. It loads the time zone.
func (p Profile) Check() error {
	if CheckZone(p.Zone) != nil {
		return ProfileError{"zone", fmt.Sprintf("%q is not a time zone: choose one such as Europe/Vienna", p.Zone)}
	}
	if !slices.Contains(Themes, p.Theme) {
		return ProfileError{"theme", "colors are " + strings.Join(Themes, ", ")}
	}
	if !slices.Contains(Densities, p.Density) {
		return ProfileError{"density", "rows are " + strings.Join(Densities, " or ")}
	}
	return nil
}

// ProfileError says which part of a profile is wrong, and why.
type ProfileError struct{ Field, Problem string }

// Error returns the problem.
func (e ProfileError) Error() string { return e.Problem }

// Errors of staff accounts. Staff see these texts.
var (
	ErrUsernameShape = errors.New("a username is 2 to 32 of the letters a to z, digits, dots, hyphens and underscores, and " +
		"begins with a letter")
	ErrNameShape   = errors.New("a name is 1 to 100 characters")
	ErrStaffExists = errors.New("this username is taken")
	ErrLastAdmin   = errors.New("this is the last administrator who can sign in: make a colleague an administrator first")
	ErrSoleAdmin   = errors.New("another administrator's account is changed only while a third one can act: create one first, " +
		"here or with pitboss staff create")
	ErrOwnRole      = errors.New("you cannot change your own role: ask another administrator")
	ErrStaffUnknown = errors.New("there is no such member of staff")
	ErrEmailShape   = errors.New("enter an e-mail address such as ann@casino.example")
	ErrOwnReset     = errors.New("you cannot reset your own account: change your password on your account page, or ask " +
		"another administrator")
	ErrPasskeyName = errors.New("enter a name of 1 to 60 characters, such as YubiKey or work laptop")
	ErrPasskeys    = errors.New("an account can have 10 passkeys: remove one that is no longer used")
	ErrPasskeyLost = errors.New("this passkey has been removed")
	ErrOnlyFactor  = errors.New("your role needs a second factor: set up another one first")
	ErrLinkUsed    = errors.New("this link was used, has expired, or was replaced by a newer one: ask an administrator " +
		"for another")
	ErrStaffDisabled = errors.New("this account is disabled: ask an administrator")
	ErrSameEmail     = errors.New("the account already has this address")
	ErrStaffMoved    = errors.New("the account was changed in the meantime: look at its history, then decide again")
	ErrSessionEnded  = errors.New("your session has ended: sign in again")
)

// ParseUsername parses a username: ASCII, folded to lower case so that no two look alike. It returns ErrUsernameShape if the
// text is not a username.
func ParseUsername(s string) (string, error) {
	s = strings.ToLower(strings.TrimSpace(s))
	if len(s) < 2 || len(s) > 32 || s[0] < 'a' || s[0] > 'z' {
		return "", ErrUsernameShape
	}
	for _, c := range []byte(s) {
		if !(c >= 'a' && c <= 'z' || c >= '0' && c <= '9' || c == '.' || c == '-' || c == '_') {
			return "", ErrUsernameShape
		}
	}
	return s, nil
}

// ParseName parses the name shown to colleagues. It returns ErrNameShape if the text is not a name.
func ParseName(s string) (string, error) {
	s = strings.TrimSpace(s)
	n := utf8.RuneCountInString(s)
	if n < 1 || n > 100 || !utf8.ValidString(s) || strings.ContainsFunc(s, unicode.IsControl) {
		return "", ErrNameShape
	}
	return s, nil
}

// ParseEmail parses a plain e-mail address, or an empty one. It returns ErrEmailShape if the text is not an address.
func ParseEmail(s string) (string, error) {
	s = strings.TrimSpace(s)
	if s == "" {
		return "", nil
	}
	a, err := mail.ParseAddress(s)
	if err != nil || a.Address != s || len(s) > 254 ||
		strings.ContainsFunc(s, func(r rune) bool { return r <= ' ' || r > '~' }) {
		return "", ErrEmailShape
	}
	return s, nil
}

// SignsInAs reports whether the account has not changed since its owner was verified: the same password, second factor,
// identity and role, and not disabled.
func (s Staff) SignsInAs(shown Staff) bool {
	return !s.Disabled && s.ID == shown.ID && s.Role == shown.Role && s.PasswordHash == shown.PasswordHash &&
		s.TOTPSecret == shown.TOTPSecret && s.Identity == shown.Identity &&
		slices.EqualFunc(s.Kept.Passkeys, shown.Kept.Passkeys, func(a, b Passkey) bool { return a.ID == b.ID })
}

// SecondFactor is a new second factor: the sealed secret, the time step of the code that proved it, and the hashes of its
// recovery codes.
type SecondFactor struct {
	Sealed string
	Step   int64
	Codes  []string
}

// LinkDelivery is how a one-time link reaches its owner.
type LinkDelivery string

// How links are delivered.
const (
	LinkMailed LinkDelivery = "e-mail" // only its owner sees it
	LinkShown  LinkDelivery = "shown"  // once, to the administrator, who passes it on: there is no mail server
)

// StaffLink lets a member of staff set their own password, once.
type StaffLink struct {
	StaffID   int64  `gorm:"primaryKey;autoIncrement:false"`
	Hash      string `gorm:"column:code_hash"` // keyed, of the code in the link
	Delivery  LinkDelivery
	MadeAt    time.Time `gorm:"column:made_at_us;serializer:micros"`
	ExpiresAt time.Time `gorm:"column:expires_at_us;serializer:micros"`
}

// StaffFilter selects members of staff, in the order of their usernames.
type StaffFilter struct {
	Span
	Text  string // part of a username or name
	Role  Role   // empty for all
	State string // "", "enabled" or "disabled"
}
