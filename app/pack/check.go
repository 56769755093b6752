package pack

import (
	"archive/zip"
	"bytes"
	"crypto/ed25519"
	"crypto/sha256"
	"encoding/csv"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"hash"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/shopspring/decimal"

	"pitboss/app/archive"
)

// A pack comes from somebody else, so its check trusts nothing in it: it reads every file as a stream, and no further than the
// manifest says.

// maxManifest limits the size of the manifest and of its signature, in bytes.
const maxManifest = 1 << 20

// Report is the result of a check.
type Report struct {
	Manifest Manifest
	Signed   bool // with Manifest.PublicKey. The pack cannot prove whose key that is.
	Problems []string
}

// OK reports whether the check found no problem.
func (r *Report) OK() bool { return len(r.Problems) == 0 }

// Check checks a pack: the manifest's signature, and each file against the manifest. If public is not empty, the pack must be
// signed with that key: the one that the operator publishes, in hexadecimal. Check returns all problems in the report.
func Check(file io.ReaderAt, size int64, public string) *Report {
	r := &Report{}
	z, err := archive.Open(file, size)
	if err != nil {
		r.problem("This is not a complete ZIP file: %v.", err)
		return r
	}
	files, packed := map[string]*zip.File{}, uint64(0)
	for _, f := range z.File {
		// Entries that share their bytes could expand without limit.
		if packed += f.CompressedSize64; f.CompressedSize64 > uint64(size) || packed > uint64(size) {
			r.problem("The files in the ZIP overlap.")
			return r
		}
		if files[f.Name] != nil {
			r.problem("%q is in the ZIP twice.", f.Name)
		}
		files[f.Name] = f
	}
	content, err := read(files[manifestFile])
	if err != nil {
		r.problem("%s cannot be read: %v.", manifestFile, err)
		return r
	}
	decoder := json.NewDecoder(bytes.NewReader(content))
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(&r.Manifest); err != nil || r.Manifest.Format != format {
		r.problem("%s is not the manifest of a pack that this version can check.", manifestFile)
		return r
	}
	r.checkSignature(content, files[signatureFile], public)
	listed := []string{manifestFile, signatureFile}
	for _, f := range r.Manifest.Files {
		if slices.Contains(listed, f.Name) {
			r.problem("%s is in the manifest twice.", f.Name)
			continue
		}
		listed = append(listed, f.Name)
		r.checkFile(f, files[f.Name])
		if f.Name == ledgerFile && files[f.Name] != nil {
			r.checkLedger(files[f.Name], f.Bytes)
		}
	}
	for name := range files {
		if !slices.Contains(listed, name) {
			r.problem("%q is in the ZIP, but not in the manifest.", name)
		}
	}
	return r
}

func (r *Report) problem(text string, args ...any) {
	r.Problems = append(r.Problems, fmt.Sprintf(text, args...))
}

// checkSignature checks the manifest's signature.
func (r *Report) checkSignature(content []byte, file *zip.File, public string) {
	public = strings.ToLower(strings.TrimSpace(public))
	switch key, err := hex.DecodeString(r.Manifest.PublicKey); {
	case r.Manifest.PublicKey == "" && public != "":
		r.problem("The pack is not signed.")
	case r.Manifest.PublicKey == "": // the report says that the pack is not signed
	case public != "" && public != r.Manifest.PublicKey:
		r.problem("The pack is signed with the key %s, not with %s.", r.Manifest.PublicKey, public)
	case err != nil || len(key) != ed25519.PublicKeySize:
		r.problem("The manifest does not name a valid key.")
	default:
		text, err := read(file)
		if err == nil {
			text, err = hex.DecodeString(strings.TrimSpace(string(text)))
		}
		if r.Signed = err == nil && ed25519.Verify(key, content, text); !r.Signed {
			r.problem("%s was changed: its signature does not match.", manifestFile)
		}
	}
}

// checkFile compares a file with its entry in the manifest.
func (r *Report) checkFile(want File, file *zip.File) {
	if file == nil {
		r.problem("%s is missing.", want.Name)
		return
	}
	content, err := file.Open()
	if err != nil {
		r.problem("%s cannot be read: %v.", want.Name, err)
		return
	}
	defer content.Close()
	sum := &digest{Hash: sha256.New()}
	if _, err := io.Copy(sum, io.LimitReader(content, max(0, want.Bytes)+1)); err != nil && !errors.Is(err, zip.ErrChecksum) {
		r.problem("%s cannot be read: %v.", want.Name, err)
	} else if sum.bytes != want.Bytes || sum.hex() != want.SHA256 {
		r.problem("%s was changed.", want.Name)
	}
}

// checkLedger repeats the ledger's arithmetic. In each line, the balance before plus the amount must be the balance after, and
// each line must begin with the balance at which the one before it ended. The newest line comes first.
func (r *Report) checkLedger(file *zip.File, size int64) {
	content, err := file.Open()
	if err != nil {
		return // checkFile reports that the file is missing
	}
	defer content.Close()
	limited := &lineLimit{io.LimitReader(content, size), maxLedgerLine}
	lines := csv.NewReader(limited)
	head, err := lines.Read()
	if err != nil {
		r.problem("%s cannot be read: %v.", ledgerFile, err)
		return
	}
	head[0] = strings.TrimPrefix(head[0], "\ufeff")
	var at [4]int
	for i, name := range []string{"Line", "Amount", "Balance before", "Balance after"} {
		if at[i] = slices.Index(head, name); at[i] < 0 {
			r.problem("%s has no column %q.", ledgerFile, name)
			return
		}
	}
	newer, starts := int64(0), decimal.Decimal{}
	for problems := 0; problems < maxLedgerProblems; {
		limited.left = maxLedgerLine
		row, err := lines.Read()
		if errors.Is(err, io.EOF) {
			return
		}
		var number int64
		var sums [3]decimal.Decimal
		if err == nil {
			number, err = strconv.ParseInt(row[at[0]], 10, 64)
		}
		for i := range sums {
			if err == nil {
				sums[i], err = decimal.NewFromString(row[at[i+1]])
			}
		}
		switch {
		case err != nil:
			r.problem("%s cannot be read: %v.", ledgerFile, err)
			return
		case !sums[1].Add(sums[0]).Equal(sums[2]):
			r.problem("Line %d of the ledger does not add up: %s and %s are not %s.", number, sums[1], sums[0], sums[2])
			problems++
		case newer > 0 && (newer != number+1 || !starts.Equal(sums[2])):
			r.problem("Line %d of the ledger does not follow from line %d.", newer, number)
			problems++
		}
		newer, starts = number, sums[1]
	}
}

const (
	maxLedgerProblems = 10       // the report lists no more
	maxLedgerLine     = 64 << 10 // bytes; ours are far shorter
)

// lineLimit limits the bytes that can be read for one line, so that a line as long as the file does not fill the memory.
type lineLimit struct {
	io.Reader
	left int
}

// Read returns an error once the line is too long.
func (l *lineLimit) Read(p []byte) (int, error) {
	if l.left <= 0 {
		return 0, errors.New("a line is too long")
	}
	n, err := l.Reader.Read(p[:min(len(p), l.left)])
	l.left -= n
	return n, err
}

// read returns the content of a small file.
func read(file *zip.File) ([]byte, error) {
	if file == nil {
		return nil, errors.New("it is missing")
	}
	content, err := file.Open()
	if err != nil {
		return nil, err
	}
	defer content.Close()
	text, err := io.ReadAll(io.LimitReader(content, maxManifest+1))
	if err == nil && len(text) > maxManifest {
		err = errors.New("it is longer than 1 MB")
	}
	return text, err
}

// digest computes a SHA-256 and counts the bytes.
type digest struct {
	hash.Hash
	bytes int64
}

// Write adds p to the digest.
func (d *digest) Write(p []byte) (int, error) {
	d.bytes += int64(len(p))
	return d.Hash.Write(p)
}

func (d *digest) hex() string { return hex.EncodeToString(d.Sum(nil)) }
