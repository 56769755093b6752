package pack

import (
	"encoding/hex"
	"errors"
	"fmt"
	"time"

	"pitboss/models"
)

const format = "pitboss pack 1"

// longestLine is the maximum length of a row in bytes. It limits the memory that a file of one endless line can take.
const longestLine = 16 << 20

// Manifest describes a pack and has the digest of each of its files. It is the last file and is sealed: the seal is the digest
// of the manifest's bytes, and that digest signed with the ledger's key.
type Manifest struct {
	Format     string          `json:"format"`
	Title      string          `json:"title"`
	Made       stamp           `json:"made"`
	Purpose    Purpose         `json:"purpose"`
	By         string          `json:"by"`
	Role       string          `json:"role"`
	Why        string          `json:"why"`
	Reference  string          `json:"reference"`
	Player     aboutPlayer     `json:"player"`
	Since      stamp           `json:"since"`
	Until      stamp           `json:"until"`
	Ledger     ledgerSpan      `json:"ledger"`
	Spins      spinSpan        `json:"free_spin_ledger"`
	Archived   *archived       `json:"archived"` // where the ledger begins after a purge; null if nothing was purged
	Checkpoint *checkpointInfo `json:"checkpoint"`
	Key        string          `json:"key"` // the fingerprint of the ledger's key
	LeftOut    []string        `json:"left_out"`
	Files      []fileInfo      `json:"files"`
}

type aboutPlayer struct {
	UserID   string `json:"user_id"`
	Number   int64  `json:"number"`
	Currency string `json:"currency"`
	Created  stamp  `json:"created"`
	Test     bool   `json:"test"`
}

// ledgerSpan is the part of the money ledger that is in the pack. Lines after the closing one lead to the checkpoint and are
// not part of the period.
type ledgerSpan struct {
	OpeningSeq  int64  `json:"opening_seq"` // of the last line before the period
	OpeningHash digest `json:"opening_hash"`
	Opening     money  `json:"opening_balance"`
	ClosingSeq  int64  `json:"closing_seq"`
	Closing     money  `json:"closing_balance"`
	LastSeq     int64  `json:"last_seq"`
}

type spinSpan struct {
	OpeningSeq  int64  `json:"opening_seq"`
	OpeningHash digest `json:"opening_hash"`
	ClosingSeq  int64  `json:"closing_seq"`
	LastSeq     int64  `json:"last_seq"`
}

// archived is where the player's books begin after a purge: models.Beginning.
type archived struct {
	At       stamp  `json:"until"` // the time of the youngest archived line
	Seq      int64  `json:"seq"`
	Head     digest `json:"head"`
	Balance  money  `json:"balance"`
	SpinSeq  int64  `json:"spin_seq"`
	SpinHead digest `json:"spin_head"`
	Retired  digest `json:"retired"`
	Proof    digest `json:"proof"`
}

func (a *archived) beginning(player int64, currency string) models.Beginning {
	return models.Beginning{At: time.Time(a.At), Retired: models.Hash(a.Retired), Proof: models.Hash(a.Proof),
		Wallet: models.Wallet{PlayerID: player, Currency: models.Currency(currency), Balance: models.Amount(a.Balance),
			Seq: a.Seq, Head: models.Hash(a.Head), SpinSeq: a.SpinSeq, SpinHead: models.Hash(a.SpinHead)}}
}

// checkpointInfo is a checkpoint's seal, and the player's line in it.
type checkpointInfo struct {
	Number    int64       `json:"number"`
	At        stamp       `json:"at"`
	Previous  digest      `json:"previous"`
	Key       string      `json:"key"`
	Digest    digest      `json:"digest"`
	Signature digest      `json:"signature"`
	Whole     bool        `json:"whole"`  // the checkpoint itself is in the pack
	Wallet    *walletLine `json:"wallet"` // null if the player was created later
}

type walletLine struct {
	Seq      int64  `json:"seq"`
	Head     digest `json:"head"`
	SpinSeq  int64  `json:"spin_seq"`
	SpinHead digest `json:"spin_head"`
	Balance  money  `json:"balance"`
}

func (c *checkpointInfo) signed(chain *models.Chain) bool {
	cp := models.Checkpoint{Number: c.Number, At: time.Time(c.At), Previous: models.Hash(c.Previous),
		Digest: models.Hash(c.Digest), Signature: models.Hash(c.Signature)}
	return cp.Signed(chain)
}

// fileInfo is the manifest's entry for a file: the checksums of its contents, and the digest of its compressed bytes.
type fileInfo struct {
	Name   string `json:"name"`
	Rows   int64  `json:"rows"`
	Size   int64  `json:"size"`
	SHA256 digest `json:"sha256"`
	CRC32  uint32 `json:"crc32"` // locates a single changed byte
	Packed digest `json:"packed_sha256"`
}

type sealed[M any] struct {
	Manifest M    `json:"manifest"`
	Seal     seal `json:"seal"`
}

type seal struct {
	Digest    digest `json:"digest"`
	CRC32     uint32 `json:"crc32"`
	Signature digest `json:"signature"`
}

// leftOut describes what a pack does not contain.
var leftOut = map[Purpose][]string{
	Dispute: {"Signatures of callbacks, which Pitboss does not keep.", "Network addresses of staff."},
	DataAccess: {"Signatures of callbacks, which Pitboss does not keep.", "Names and network addresses of staff.",
		"What staff wrote for each other: reasons, findings, and comments on cases.",
		"Hashes of the audit log, which cannot be checked without those texts.",
		"The lines of the checkpoint that are about other players."},
}

// money is an amount with two decimals.
type money models.Amount

// MarshalText writes the amount.
func (m money) MarshalText() ([]byte, error) { return []byte(models.Amount(m).String()), nil }

// UnmarshalText reads what MarshalText wrote.
func (m *money) UnmarshalText(text []byte) error {
	digits, negative := string(text), len(text) > 0 && text[0] == '-'
	if negative {
		digits = digits[1:]
	}
	a, err := models.ParseAmount(digits)
	if negative {
		a = -a
	}
	*m = money(a)
	return err
}

// digest is a hash in hexadecimal digits.
type digest models.Hash

// MarshalText writes the digits.
func (d digest) MarshalText() ([]byte, error) { return hex.AppendEncode(nil, d[:]), nil }

// UnmarshalText reads what MarshalText wrote.
func (d *digest) UnmarshalText(text []byte) error {
	if len(text) != 2*len(d) {
		return errors.New("a hash has 64 hexadecimal digits")
	}
	_, err := hex.Decode(d[:], text)
	return err
}

// stamp is a time in UTC with microseconds, or nothing.
type stamp time.Time

const stampLayout = "2006-01-02T15:04:05.000000Z"

// String writes the time.
func (s stamp) String() string {
	if time.Time(s).IsZero() {
		return ""
	}
	return time.Time(s).UTC().Format(stampLayout)
}

// MarshalText writes the time.
func (s stamp) MarshalText() ([]byte, error) { return []byte(s.String()), nil }

// UnmarshalText reads what MarshalText wrote.
func (s *stamp) UnmarshalText(text []byte) error {
	if len(text) == 0 {
		*s = stamp{}
		return nil
	}
	at, err := time.Parse(stampLayout, string(text))
	*s = stamp(at)
	return err
}

func hexOf(b []byte) string { return hex.EncodeToString(b) }

func readHex(to, text []byte) error {
	if len(text) != 2*len(to) {
		return fmt.Errorf("a salt has %d hexadecimal digits", 2*len(to))
	}
	_, err := hex.Decode(to, text)
	return err
}
