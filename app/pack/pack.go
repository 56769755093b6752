// Package pack makes packs about one player and one period, and checks them. A pack is a ZIP of the lists that staff can
// export, as CSV files, with a signed manifest. To check a pack, its recipient needs only this program and the public key.
//
// A pack has one of two purposes. A dispute pack is evidence for an arbiter, a court or a regulator, and says which member of
// staff did what and why. A data-access pack answers a player who asks which data the casino has about them, and leaves out
// data about staff. Neither has the signatures of callbacks, which are never stored, the network addresses of staff, or
// anything about other players.
//
// The signature uses Ed25519 with a key derived from the ledger's key. The Integrity page shows the public half.
package pack

import (
	"archive/zip"
	"context"
	"crypto/ed25519"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"time"

	"pitboss/app/export"
)

// Purpose is what a pack is made for.
type Purpose string

// The purposes.
const (
	Dispute    Purpose = "dispute"
	DataAccess Purpose = "data access"
)

// Title returns what pages call a pack for this purpose.
func (p Purpose) Title() string {
	if p == DataAccess {
		return "Data-access pack"
	}
	return "Dispute pack"
}

// reader returns whom a pack for this purpose is for.
func (p Purpose) reader() export.Audience {
	if p == DataAccess {
		return export.Player
	}
	return export.Arbiter
}

// Purposes lists the purposes.
var Purposes = []Purpose{Dispute, DataAccess}

// Manifest describes a pack and has the digest of each file. Times are in UTC.
type Manifest struct {
	Format    string    `json:"format"`
	Purpose   Purpose   `json:"purpose"`
	Player    string    `json:"player"`
	Number    int64     `json:"player_number"`
	Since     time.Time `json:"since"` // inclusive
	Until     time.Time `json:"until"` // exclusive
	Made      time.Time `json:"made"`
	By        string    `json:"made_by,omitempty"` // who made it; not in a data-access pack
	Why       string    `json:"reason,omitempty"`  // not in a data-access pack
	Reference string    `json:"reference,omitempty"`
	PublicKey string    `json:"public_key,omitempty"` // of the signature, in hexadecimal; empty if the ledger has no key
	Files     []File    `json:"files"`
}

// File describes one file in the manifest.
type File struct {
	Name   string `json:"name"`
	Rows   int64  `json:"rows"`
	Bytes  int64  `json:"bytes"`
	SHA256 string `json:"sha256"`
}

// List is one list of a pack, in the file Name.csv.
type List struct {
	Name, Title string
	export.List
	Filters []export.Remark
}

// Ledger is the name of the list of the player's ledger, whose arithmetic Check repeats.
const Ledger = "ledger"

const (
	format        = "pitboss pack 1"
	manifestFile  = "manifest.json"
	ledgerFile    = Ledger + ".csv"
	signatureFile = "manifest.sig"
)

// Make writes a pack to out and returns its number of rows. The manifest has who asked for which pack; Make adds the format,
// the key and the files. If key is nil because the ledger has none, the pack is not signed.
func Make(ctx context.Context, m Manifest, lists []List, zone *time.Location, key ed25519.PrivateKey,
	out io.Writer) (rows int64, err error) {
	m.Format = format
	head := export.Head{Actor: m.By, At: m.Made, Zone: zone}
	if m.Purpose == DataAccess {
		m.By, m.Why, head.Actor = "", "", ""
	}
	if key != nil {
		m.PublicKey = hex.EncodeToString(key.Public().(ed25519.PublicKey))
	}
	z := zip.NewWriter(out)
	for _, l := range lists {
		f := File{Name: l.Name + ".csv"}
		to, err := create(z, f.Name, m.Made)
		if err != nil {
			return rows, fmt.Errorf("make a pack: %w", err)
		}
		sum := &digest{Hash: sha256.New()}
		head.Title, head.Filters = l.Title, l.Filters
		list := l.List.For(m.Purpose.reader())
		f.Rows, err = export.Write(ctx, io.MultiWriter(to, sum), export.CSV, head, list)
		if err != nil {
			return rows, fmt.Errorf("make a pack: write %s: %w", f.Name, err)
		}
		rows += f.Rows
		f.Bytes, f.SHA256 = sum.bytes, sum.hex()
		m.Files = append(m.Files, f)
	}
	if err := seal(z, m, key); err != nil {
		return rows, fmt.Errorf("make a pack: %w", err)
	}
	return rows, nil
}

// seal writes the manifest and its signature and ends the ZIP.
func seal(z *zip.Writer, m Manifest, key ed25519.PrivateKey) error {
	content, err := json.MarshalIndent(m, "", "  ")
	if err != nil {
		return err
	}
	signed := map[string][]byte{manifestFile: content}
	names := []string{manifestFile}
	if key != nil {
		signed[signatureFile] = []byte(hex.EncodeToString(ed25519.Sign(key, content)) + "\n")
		names = append(names, signatureFile)
	}
	for _, name := range names {
		to, err := create(z, name, m.Made)
		if err != nil {
			return err
		}
		if _, err := to.Write(signed[name]); err != nil {
			return err
		}
	}
	return z.Close()
}

func create(z *zip.Writer, name string, made time.Time) (io.Writer, error) {
	return z.CreateHeader(&zip.FileHeader{Name: name, Method: zip.Deflate, Modified: made.UTC()})
}
