package models

import (
	"database/sql/driver"
	"strings"
	"time"
)

// Channel is how an actor reached Pitboss. The numbers are stored and covered by the audit chain, so they are never reused.
type Channel uint8

// The channels. A new one gets the next number.
const (
	ChannelSystem      Channel = 1 // Pitboss itself: jobs, rules, and work finished for the person who requested it earlier
	ChannelBrowser     Channel = 2 // a staff member in a browser
	ChannelCommandLine Channel = 3 // a person at the command line, who is signed in to the machine, not to Pitboss
	ChannelAPI         Channel = 4 // an API client
)

var channelWords = words[Channel]{
	{ChannelSystem, "system"},
	{ChannelBrowser, "browser"},
	{ChannelCommandLine, "command line"},
	{ChannelAPI, "API"},
}

// String returns the channel as shown on pages and in exports.
func (c Channel) String() string { return channelWords.of(c, "not recorded") }

// Actor is who changes data: a staff member in a browser, a person at the command line, an API client, or the system.
type Actor struct {
	// the staff member's username, the command line's --as, the API client (APIClient.Actor), or System.Name
	Name    string `gorm:"column:actor"`
	Channel Channel
	// the operating system's user at the command line, regardless of --as; otherwise empty
	OSUser  string `gorm:"column:os_user"`
	Address string // the client's address; empty at the command line
	Session string // a short ID of the staff session, or the number of the API request; empty at the command line
	// what the actor left out of the file they act on; their events say it
	Skipped SkippedLines `gorm:"-" json:"-"`
}

// SkippedLines are lines of a file with which its reader went on without them.
type SkippedLines struct {
	Lines        int
	File, Digest string // its name, and the SHA-256 of its contents
}

// Skipping returns the actor as one who goes on without lines of a file.
func (a Actor) Skipping(s SkippedLines) Actor {
	a.Skipped = s
	return a
}

// Via returns how the actor reached Pitboss: "browser", or "command line as root"; empty for Pitboss itself. The name alone
// does not show this, because any user of the command line can use --as farid.
func (a Actor) Via() string {
	if a.Name == System.Name && a.Channel == System.Channel {
		return ""
	}
	if a.OSUser != "" {
		return a.Channel.String() + " as " + a.OSUser
	}
	return a.Channel.String()
}

// System is the actor for what Pitboss does by itself.
var System = Actor{Name: "system", Channel: ChannelSystem}

// AuditEvent records who did what, to what, and why. It is written in the transaction of the change.
type AuditEvent struct {
	ID       int64     // its number in the audit chain, from 1 without gaps
	At       time.Time `gorm:"column:at_us;serializer:micros"` // UTC, microseconds
	Actor    Actor     `gorm:"embedded"`
	Action   string    // noun and verb in the past, such as "player created"
	Object   string    // the kind of thing: "player", "grant", "staff"
	ObjectID string    // internal ID of the object, in decimal
	PlayerID int64     // whom it concerns; 0 if nobody, and if the lines of its campaign or statement say whom
	Before   string    `gorm:"column:before_text"` // what changed, as JSON or plain words; empty if nothing existed
	After    string    `gorm:"column:after_text"`
	Reason   string
	Replaces int64 // if the event has a state: the event with the row's previous state, or 0
}

// TableName returns the table's name for GORM.
func (AuditEvent) TableName() string { return "audit_events" }

// ActionWord returns an action as the first words of a line.
func ActionWord(action string) string {
	return strings.ToUpper(action[:min(1, len(action))]) + action[min(1, len(action)):]
}

// Word returns ActionWord of the event's action.
func (e AuditEvent) Word() string { return ActionWord(e.Action) }

// Viewed ends the action of an event that only records a view of its object.
const Viewed = " viewed"

// Commented ends the action of an event that is only a comment of staff on its object.
const Commented = " commented"

// Remark is what a member of staff writes about a transaction, round, callback or grant.
type Remark struct {
	Object, ObjectID string  // as audit events have them
	About            Finding // the player, transaction or grant of the thing
	Text             string
}

// IsView reports whether the event only records a view of its object.
func (e AuditEvent) IsView() bool { return strings.HasSuffix(e.Action, Viewed) }

// AuditText is one of an event's texts that may contain personal data. The chain contains a salted digest of each instead, so
// that a text can be erased later without breaking the chain. Once the salt is gone, names cannot be tested against the digest.
type AuditText int

// The texts, in the order of their salts and digests.
const (
	AuditAddress AuditText = iota
	AuditBefore
	AuditAfter
	AuditReason
	auditTexts
)

// auditState is the index of an event's state, after its texts. The state is the digest of the row after the event
// (Chain.State), or zero if the event has no state.
const auditState = auditTexts

// auditDigests is how many salts and digests an event has.
const auditDigests = auditTexts + 1

// String returns the text's name.
func (t AuditText) String() string {
	return [...]string{"address", "text before", "text after", "reason"}[t]
}

// AuditSalt is random for each text, or marks a text that was erased.
type AuditSalt [16]byte

// AuditSalts are the salts of an event's texts, and of its state.
type AuditSalts [auditDigests]AuditSalt

// Value returns the concatenated salts, as stored.
func (s AuditSalts) Value() (driver.Value, error) {
	var all []byte
	for i := range s {
		all = append(all, s[i][:]...)
	}
	return all, nil
}

// Scan reads stored salts. A value of the wrong length becomes zero salts.
func (s *AuditSalts) Scan(stored any) error {
	*s = AuditSalts{}
	if b, ok := stored.([]byte); ok && len(b) == len(s)*len(s[0]) {
		for i := range s {
			copy(s[i][:], b[i*len(s[i]):])
		}
	}
	return nil
}

// AuditDigests are the digests of an event's texts, and of its state.
type AuditDigests [auditDigests]Hash

// Value returns the concatenated digests, as stored.
func (d AuditDigests) Value() (driver.Value, error) {
	var all []byte
	for i := range d {
		all = append(all, d[i][:]...)
	}
	return all, nil
}

// Scan reads stored digests. A value of the wrong length becomes zero digests.
func (d *AuditDigests) Scan(stored any) error {
	*d = AuditDigests{}
	if b, ok := stored.([]byte); ok && len(b) == len(d)*len(d[0]) {
		for i := range d {
			copy(d[i][:], b[i*len(d[i]):])
		}
	}
	return nil
}

// AuditLine is an audit event with its place in the audit chain.
type AuditLine struct {
	AuditEvent
	Salts    AuditSalts
	Digests  AuditDigests
	Hash     Hash
	HasState bool `gorm:"column:stated"` // the result of Stated, stored for queries
}

// State returns the digest of the row after the event, and its salt. Stated reports whether there is one.
func (l *AuditLine) State() (digest Hash, salt AuditSalt) {
	return l.Digests[auditState], l.Salts[auditState]
}

// Stated reports whether the event has the digest of its object's row. The row must match it from then on.
func (l *AuditLine) Stated() bool { return l.Digests[auditState] != Hash{} }

// Texts returns the event's texts that may be erased.
func (e *AuditEvent) Texts() [auditTexts]string {
	return [...]string{AuditAddress: e.Actor.Address, AuditBefore: e.Before, AuditAfter: e.After, AuditReason: e.Reason}
}

// AuditLine returns the line of e, which must have its number and time. prev is the hash of the line before it, and the salts
// must be random. row is the encoded row after the event, or nil if the event has no state.
func (c *Chain) AuditLine(prev Hash, e AuditEvent, salts AuditSalts, row []byte) AuditLine {
	l := AuditLine{AuditEvent: e, Salts: salts, HasState: row != nil}
	for i, text := range e.Texts() {
		l.Digests[i] = c.auditText(AuditText(i), salts[i], text)
	}
	if row == nil {
		l.Salts[auditState] = AuditSalt{}
	} else {
		l.Digests[auditState] = c.State(&e, salts[auditState], row)
	}
	l.Hash = c.AuditEvent(prev, &l)
	return l
}

// State returns the digest of a row after an audit event. It covers the event and the object, so without the key nobody can
// make one for another row, or use an older one for a newer event.
func (c *Chain) State(e *AuditEvent, salt AuditSalt, row []byte) Hash {
	return c.sum(tagState, Hash{}, func(b []byte) []byte {
		b = append(put(b, e.ID), salt[:]...)
		b = putText(b, e.Object, e.ObjectID)
		return append(b, row...)
	})
}

// EraseState replaces the salt of the event's state with a mark when personal data in that row is erased. Without the salt,
// nobody can test names against the digest. It is only used on events that a later one has replaced.
func (c *Chain) EraseState(l *AuditLine) {
	if l.Stated() {
		l.Salts[auditState] = c.Erased(l, auditState)
	}
}

// AuditEvent returns the hash of l and its predecessor's hash, which is zero for the first. It covers l's number, time, actor,
// channel, session, action, object and player, the digests of its texts and state, and the event whose state it replaces.
func (c *Chain) AuditEvent(prev Hash, l *AuditLine) Hash {
	return c.sum(tagAuditEvent, prev, func(b []byte) []byte {
		b = put(b, l.ID, l.At.UnixMicro(), int64(l.Actor.Channel))
		b = putText(b, l.Actor.Name, l.Actor.OSUser, l.Actor.Session, l.Action, l.Object, l.ObjectID)
		for i := range l.Digests {
			b = append(b, l.Digests[i][:]...)
		}
		return put(b, l.Replaces, l.PlayerID)
	})
}

// auditText returns the salted digest of a text.
func (c *Chain) auditText(t AuditText, salt AuditSalt, text string) Hash {
	return c.sum(tagAuditText, Hash{}, func(b []byte) []byte {
		b = append(put(b, int64(t)), salt[:]...)
		return putText(b, text)
	})
}

// Erased returns the mark that replaces the salt of a text that was erased from l. Making it takes the key, so that nobody else
// can empty a text and make it look erased.
func (c *Chain) Erased(l *AuditLine, t AuditText) (mark AuditSalt) {
	h := c.sum(tagErased, l.Digests[t], func(b []byte) []byte { return put(b, l.ID, int64(t)) })
	copy(mark[:], h[:])
	return mark
}

// AuditTexts compares the texts of l with their digests, and returns which were changed and which were erased.
func (c *Chain) AuditTexts(l *AuditLine) (changed, erased []AuditText) {
	for i, text := range l.Texts() {
		t := AuditText(i)
		switch {
		case c.auditText(t, l.Salts[i], text) == l.Digests[i]:
		case text == "" && c.Erased(l, t) == l.Salts[i]:
			erased = append(erased, t)
		default:
			changed = append(changed, t)
		}
	}
	return changed, erased
}

// AuditHead is the last event of the audit chain, zero if there is none.
type AuditHead struct {
	Seq  int64
	Hash Hash
}
