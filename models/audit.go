package models

import "time"

// Actor is who does something to the back office's data: a member of staff in a browser, a person at the command line, or the
// system by itself.
type Actor struct {
	Name    string // the staff member's username, the command line's --as, or System.Name
	Address string // where the request came from; empty at the command line
	Session string // a short name of the staff session; empty at the command line
}

// System is the actor of what Pitboss does by itself.
var System = Actor{Name: "system"}

// AuditEvent is what compliance reads: who did what to what, and why. It is written in the transaction of the change itself.
type AuditEvent struct {
	ID       int64     // its place in the audit chain, from 1 without gap
	At       time.Time // UTC, microseconds
	Actor    Actor
	Action   string // noun and verb in the past, such as "player blocked"
	Object   string // the kind of thing: "player", "grant", "staff"
	ObjectID string // our own number of the thing, in decimal
	Before   string // what changed, as JSON or plain words; empty where nothing was there
	After    string
	Reason   string
}

// AuditText is one of an event's texts that may hold personal data. The chain holds a salted digest of each in its place, so that a
// text can be erased later: with its salt gone nobody can try names against the digest, and the chain still holds.
type AuditText int

// The texts, in the order of their salts and digests.
const (
	AuditAddress AuditText = iota
	AuditBefore
	AuditAfter
	AuditReason
	auditTexts
)

// String is the text's name.
func (t AuditText) String() string {
	return [...]string{"address", "text before", "text after", "reason"}[t]
}

// AuditSalt is drawn at random for each text, or is the mark of one that was erased.
type AuditSalt [16]byte

// AuditSalts are the salts of an event's texts.
type AuditSalts [auditTexts]AuditSalt

// AuditLine is an audit event as the audit chain holds it.
type AuditLine struct {
	AuditEvent
	Salts   AuditSalts
	Digests [auditTexts]Hash
	Hash    Hash
}

// Texts are the event's texts that may be erased.
func (e *AuditEvent) Texts() [auditTexts]string {
	return [...]string{AuditAddress: e.Actor.Address, AuditBefore: e.Before, AuditAfter: e.After, AuditReason: e.Reason}
}

// AuditLine makes the line of e, which has its number and its time, after its predecessor's hash. The salts are random.
func (c *Chain) AuditLine(prev Hash, e AuditEvent, salts AuditSalts) AuditLine {
	l := AuditLine{AuditEvent: e, Salts: salts}
	for i, text := range e.Texts() {
		l.Digests[i] = c.auditText(AuditText(i), salts[i], text)
	}
	l.Hash = c.AuditEvent(prev, &l)
	return l
}

// AuditEvent returns the hash of l after its predecessor's, which is zero for the first: of its number, time, actor, session, action
// and object, and of its texts' digests.
func (c *Chain) AuditEvent(prev Hash, l *AuditLine) Hash {
	return c.sum('A', prev, func(b []byte) []byte {
		b = put(b, l.ID, l.At.UnixMicro())
		b = putText(b, l.Actor.Name, l.Actor.Session, l.Action, l.Object, l.ObjectID)
		for i := range l.Digests {
			b = append(b, l.Digests[i][:]...)
		}
		return b
	})
}

// auditText is the salted digest of a text.
func (c *Chain) auditText(t AuditText, salt AuditSalt, text string) Hash {
	return c.sum('T', Hash{}, func(b []byte) []byte {
		b = append(put(b, int64(t)), salt[:]...)
		return putText(b, text)
	})
}

// Erased is what stands in the place of the salt of a text that was erased from l. Who has the key makes it, so that nobody else can
// pass emptying a text for an erasure.
func (c *Chain) Erased(l *AuditLine, t AuditText) (mark AuditSalt) {
	h := c.sum('E', l.Digests[t], func(b []byte) []byte { return put(b, l.ID, int64(t)) })
	copy(mark[:], h[:])
	return mark
}

// AuditTexts compares the texts of l with their digests: which were changed since, and which were erased.
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

// AuditHead is the state of the audit chain: where it begins and where it ends. A chain begins with nothing before its first event, or
// after the last event that a purge took out.
type AuditHead struct {
	BeginSeq  int64
	BeginHash Hash
	Proof     Hash // of the beginning: AuditBeginning
	Seq       int64
	Hash      Hash
}

// AuditBeginning proves that the audit chain may begin after the event seq with this hash: whoever lacks the key cannot cut its front.
func (c *Chain) AuditBeginning(seq int64, hash Hash) Hash {
	return c.sum('B', hash, func(b []byte) []byte { return put(b, seq) })
}
