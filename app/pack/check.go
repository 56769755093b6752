package pack

import (
	"archive/zip"
	"bytes"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"os"
	"slices"
	"strings"
	"time"

	"pitboss/models"
)

// What is checked of a pack, without Pitboss's database, and what each check proves.
//
//   - The manifest's seal, then each file against the manifest, then each byte of the ZIP that belongs to no file. A changed
//     byte is named wherever it is. Who lacks the ledger's key can make a new seal, which only somebody with the key would
//     notice.
//   - What the files say: CSV and JSON the same; the balance from line to line; each line's hash the next one's predecessor.
//     With the key, or in a ledger without one, each hash is recalculated from its line.
//   - The checkpoint: its signature, with the key; that it has the player's line, if the pack contains it or it is given; and
//     that the chain leads to it.
//
// A pack comes from somebody else, so nothing in it is trusted: only the files that a pack has are read, none for longer than
// the manifest says, each as a stream.

// Options are what a check may use in addition to the pack.
type Options struct {
	Key        []byte        // the ledger's key; empty: unknown, or the ledger has none
	Checkpoint io.ReadSeeker // a checkpoint that was kept elsewhere; nil for none
}

// Report is what a check has found.
type Report struct {
	Manifest  Manifest
	Problems  []string
	More      int // problems that are not listed
	Proved    []string
	NotProved []string
}

// OK reports that nothing was found.
func (r *Report) OK() bool { return len(r.Problems) == 0 }

// What a pack may be, so that a hostile one ends soon.
const (
	mostProblems    = 20
	largestManifest = 1 << 20
	highestRatio    = 200 // of a file's size to its compressed size
	smallFile       = 1 << 20
)

// checker is one check.
type checker struct {
	Report
	file  io.ReaderAt
	size  int64
	chain *models.Chain
	keyed bool // the chain has the ledger's key, or the ledger has none
	files map[string]*zip.File
	Options
}

func (c *checker) problem(format string, args ...any) {
	if len(c.Problems) == mostProblems {
		c.More++
		return
	}
	c.Problems = append(c.Problems, fmt.Sprintf(format, args...))
}

func (c *checker) proved(format string, args ...any) {
	c.Proved = append(c.Proved, fmt.Sprintf(format, args...))
}

func (c *checker) open(format string, args ...any) {
	c.NotProved = append(c.NotProved, fmt.Sprintf(format, args...))
}

// Check checks a pack. The error is one of reading the file or the checkpoint; what is wrong with the pack is in the report.
func Check(file io.ReaderAt, size int64, o Options) (*Report, error) {
	c := &checker{file: file, size: size, Options: o, chain: models.NewChain(o.Key), files: map[string]*zip.File{}}
	z, err := zip.NewReader(file, size)
	if err != nil {
		c.problem("This is not a whole ZIP file: its directory, at the end, cannot be read (%s).",
			strings.TrimPrefix(err.Error(), "zip: "))
		return &c.Report, nil
	}
	if !c.listed(z) || !c.readManifest() {
		return &c.Report, nil
	}
	c.seals()
	for _, f := range c.Manifest.Files {
		c.checkFile(f)
	}
	c.checkFrame()
	c.checkTables()
	if err := c.checkCheckpoint(); err != nil {
		return nil, err
	}
	return &c.Report, nil
}

// expected are the files that a pack may have.
func expected() []string {
	names := []string{pdfFile, checkpointFile, manifestFile}
	for name := range readers {
		names = append(names, name+".json", name+".csv")
	}
	return names
}

// listed checks that the ZIP has files of a pack and no others, each once.
func (c *checker) listed(z *zip.Reader) bool {
	names := expected()
	for _, f := range z.File {
		_, twice := c.files[f.Name]
		switch {
		case !slices.Contains(names, f.Name):
			c.problem("%q does not belong to a pack.", f.Name)
		case twice:
			c.problem("%s is there twice.", f.Name)
		case f.Method != zip.Deflate && f.Method != zip.Store || f.Flags&1 != 0:
			c.problem("%s is compressed or encrypted in a way that packs are not.", f.Name)
		case f.UncompressedSize64 > smallFile && f.UncompressedSize64/highestRatio > f.CompressedSize64:
			c.problem("%s would unpack to %d bytes from %d: no pack is compressed like this.", f.Name, f.UncompressedSize64,
				f.CompressedSize64)
		}
		c.files[f.Name] = f
	}
	return c.OK()
}

// readManifest reads the manifest, and reports whether anything else can be checked against it.
func (c *checker) readManifest() bool {
	f := c.files[manifestFile]
	if f == nil {
		c.problem("%s is missing: nothing says what this pack must contain.", manifestFile)
		return false
	}
	r, err := f.Open()
	if err != nil {
		c.problem("%s cannot be read: %s.", manifestFile, err)
		return false
	}
	defer r.Close()
	content, err := io.ReadAll(io.LimitReader(r, largestManifest+1))
	if len(content) > largestManifest {
		c.problem("%s is larger than any manifest is.", manifestFile)
		return false
	}
	var doc sealed[json.RawMessage]
	wrong := err
	if errors.Is(err, zip.ErrChecksum) {
		wrong = nil // what was changed is found below
	}
	if wrong == nil {
		wrong = strict(content, &doc)
	}
	if wrong == nil {
		wrong = strict(doc.Manifest, &c.Manifest)
	}
	if wrong != nil {
		c.problem("%s was changed: it cannot be read as the manifest of a pack.", manifestFile)
		return false
	}
	if c.Manifest.Format != format {
		c.problem("%s says that this is %q. This program checks %q.", manifestFile, c.Manifest.Format, format)
		return false
	}
	sum := sha256.Sum256(doc.Manifest)
	if digest(sum) != doc.Seal.Digest {
		where := "it is not what its seal says"
		for _, s := range suspects(doc.Seal.CRC32, crc32.ChecksumIEEE(doc.Manifest), int64(len(doc.Manifest))) {
			changed := bytes.Clone(doc.Manifest)
			changed[s.offset] ^= s.xor
			if digest(sha256.Sum256(changed)) == doc.Seal.Digest {
				where = fmt.Sprintf("byte %d is not what it was", int64(len(`{"manifest":`))+s.offset)
			}
		}
		c.problem("%s was changed: %s.", manifestFile, where)
	}
	rebuilt, err := encode(sealed[Manifest]{c.Manifest, doc.Seal})
	if err != nil || !bytes.Equal(append(rebuilt, '\n'), content) {
		c.problem("%s was changed: from byte %d on it is not as Pitboss writes it.", manifestFile,
			differsAt(append(rebuilt, '\n'), content))
	}
	if errors.Is(err, zip.ErrChecksum) {
		c.problem("%s was changed: its checksum in the ZIP is another.", manifestFile)
	}
	c.keyed = c.Manifest.Key == c.chain.Fingerprint()
	if c.keyed && doc.Seal.Signature != digest(c.chain.Pack(models.Hash(sum))) {
		c.problem("%s was not sealed with the ledger's key, or its seal was changed.", manifestFile)
	}
	return true
}

// strict decodes JSON that has no fields but those of v, and nothing behind it.
func strict(content []byte, v any) error {
	d := json.NewDecoder(bytes.NewReader(content))
	d.DisallowUnknownFields()
	if err := d.Decode(v); err != nil {
		return err
	}
	if rest := bytes.TrimSpace(content[d.InputOffset():]); len(rest) > 0 {
		return errors.New("something follows its end")
	}
	return nil
}

func differsAt(a, b []byte) int {
	for i := range min(len(a), len(b)) {
		if a[i] != b[i] {
			return i
		}
	}
	return min(len(a), len(b))
}

// seals says what the seal is worth.
func (c *checker) seals() {
	switch {
	case c.keyed && c.chain.Keyed():
		c.proved("The manifest is sealed with the ledger's key (fingerprint %s).", c.Manifest.Key)
	case c.keyed:
		c.open("The ledger has no key, so anybody can make hashes and seals that hold: they show accidents, not forgery. " +
			"Compare the checkpoint's digest with one that was kept elsewhere.")
	case c.chain.Keyed():
		c.problem("The ledger's key that was given is not the one of this pack: its fingerprint is %s, the pack's is %s.",
			c.chain.Fingerprint(), c.Manifest.Key)
	default:
		c.open("Without the ledger's key (PITBOSS_LEDGER_KEY) the seal, the hashes and the checkpoint's signature cannot be "+
			"recalculated: somebody could have made a pack that holds by itself. Its key has the fingerprint %s.",
			c.Manifest.Key)
	}
}

// checkFile checks a file's bytes against the manifest.
func (c *checker) checkFile(info fileInfo) {
	f := c.files[info.Name]
	if f == nil {
		c.problem("%s is missing.", info.Name)
		return
	}
	raw, err := f.OpenRaw()
	if err != nil {
		c.problem("%s cannot be found in the ZIP: %s.", info.Name, err)
		return
	}
	packed := newSums()
	if _, err := io.Copy(packed, raw); err != nil {
		c.problem("%s is cut off in the ZIP: %s.", info.Name, err)
		return
	}
	s := newSums()
	r, err := f.Open()
	if err == nil {
		_, err = io.Copy(s, io.LimitReader(r, info.Size+1))
		r.Close()
	}
	switch damaged := err != nil && !errors.Is(err, zip.ErrChecksum); {
	case s.sha() == info.SHA256 && !damaged && packed.sha() == info.Packed:
	case s.sha() == info.SHA256 && !damaged:
		c.problem("%s: its contents are right, but compressed into other bytes than when the pack was made.", info.Name)
	case damaged:
		c.problem("%s is damaged in the ZIP: from about byte %d of it on, nothing can be unpacked.", info.Name, s.n)
	case s.n > info.Size:
		c.problem("%s is longer than the %d bytes that it must have.", info.Name, info.Size)
	case s.n < info.Size:
		c.problem("%s was changed: it has %d bytes and must have %d.", info.Name, s.n, info.Size)
	default:
		c.changed(f, info, s)
	}
}

// changed names what was changed in a file of the right length: the byte, if it is one.
func (c *checker) changed(f *zip.File, info fileInfo, got *sums) {
	for _, s := range suspects(info.CRC32, got.crc.Sum32(), info.Size) {
		r, err := f.Open()
		if err != nil {
			break
		}
		before, line := &restoring{r: r, suspect: s}, int64(1)
		sum := sha256.New()
		_, err = io.Copy(sum, before)
		r.Close()
		line += before.lines
		if (err == nil || errors.Is(err, zip.ErrChecksum)) && bytes.Equal(sum.Sum(nil), info.SHA256[:]) {
			c.problem("%s was changed: byte %d, in line %d, was %q and is %q.", info.Name, s.offset, line,
				[]byte{before.was}, []byte{before.was ^ s.xor})
			return
		}
	}
	c.problem("%s was changed: it has the right length and other contents. More than one byte differs.", info.Name)
}

// restoring reads a file with a suspect byte as it may have been.
type restoring struct {
	r io.Reader
	suspect
	at    int64
	lines int64 // that ended before the byte
	was   byte
}

// Read reads on.
func (r *restoring) Read(p []byte) (int, error) {
	n, err := r.r.Read(p)
	if i := r.offset - r.at; i >= 0 && i < int64(n) {
		p[i] ^= r.xor
		r.was = p[i]
		r.lines += int64(bytes.Count(p[:i], []byte("\n")))
	} else if i >= int64(n) {
		r.lines += int64(bytes.Count(p[:n], []byte("\n")))
	}
	r.at += int64(n)
	return n, err
}

// checkFrame checks the bytes of the ZIP that belong to no file, by making them again.
func (c *checker) checkFrame() {
	to := &comparer{with: io.NewSectionReader(c.file, 0, c.size)}
	z := zip.NewWriter(to)
	listed := append(slices.Clone(c.Manifest.Files), fileInfo{Name: manifestFile})
	if len(listed) != len(c.files) {
		for name := range c.files {
			if !slices.ContainsFunc(listed, func(f fileInfo) bool { return f.Name == name }) {
				c.problem("%s is not in the manifest.", name)
			}
		}
		if c.OK() {
			c.problem("%s lists a file twice.", manifestFile)
		}
		return
	}
	for _, info := range listed {
		f := c.files[info.Name]
		if f == nil {
			return // it has been named
		}
		method := uint16(zip.Deflate)
		if info.Name == manifestFile {
			method = zip.Store
		}
		h := header(info.Name, method, time.Time(c.Manifest.Made))
		if _, err := zip.NewWriter(io.Discard).CreateHeader(h); err != nil { // fills in what a new file has
			return
		}
		h.CRC32, h.CompressedSize64, h.UncompressedSize64 = f.CRC32, f.CompressedSize64, f.UncompressedSize64
		w, err := z.CreateRaw(h)
		if err != nil {
			return
		}
		raw, err := f.OpenRaw()
		if err != nil {
			return
		}
		if _, err := io.Copy(w, raw); err != nil {
			break
		}
	}
	err := z.Close()
	if err != nil || to.differs || to.at != c.size {
		c.problem("The ZIP was changed outside of its files, or by another program: at byte %d it is not as Pitboss writes it.",
			to.at)
	}
}

var errDiffers = errors.New("the contents differ")

// comparer compares what is written to it with a reader, up to the first difference.
type comparer struct {
	with    io.Reader
	at      int64 // so many bytes are the same
	differs bool
	buf     []byte
}

// Write compares.
func (c *comparer) Write(p []byte) (int, error) {
	if c.differs {
		return 0, errDiffers
	}
	if len(c.buf) < len(p) {
		c.buf = make([]byte, len(p))
	}
	n, _ := io.ReadFull(c.with, c.buf[:len(p)])
	same := differsAt(p, c.buf[:n])
	c.at += int64(same)
	if same < len(p) {
		c.differs = true
		return same, errDiffers
	}
	return len(p), nil
}

// checkCheckpoint checks the checkpoint, and that the ledger leads to it.
func (c *checker) checkCheckpoint() error {
	info := c.Manifest.Checkpoint
	if info == nil {
		c.open("The pack has no checkpoint: that the ledger's tail was not cut off, or an older state put back, is not shown.")
		return nil
	}
	name := fmt.Sprintf("checkpoint %d of %s", info.Number, readable(info.At))
	switch {
	case !c.keyed:
	case !info.signed(c.chain):
		c.problem("The signature of %s does not hold.", name)
	case c.chain.Keyed():
		c.proved("The signature of %s holds.", name)
	}
	from, what := c.Checkpoint, "the checkpoint that was given"
	if f := c.files[checkpointFile]; f != nil && from == nil {
		unpacked, err := unpack(f)
		if err != nil {
			c.problem("%s cannot be unpacked: %s.", checkpointFile, err)
			return nil
		}
		defer os.Remove(unpacked.Name())
		defer unpacked.Close()
		from, what = unpacked, "the checkpoint in the pack"
	}
	if from == nil {
		c.open("%s is not in this pack, since it has lines about other players. Give the file that was kept elsewhere "+
			"(--checkpoint FILE) to show that it has the player's line.", strings.ToUpper(name[:1])+name[1:])
	} else if err := c.inCheckpoint(from, what, info); err != nil {
		return err
	}
	w := info.Wallet
	span := c.Manifest.Ledger
	switch {
	case w == nil:
		c.open("The player came after %s, which does not cover them.", name)
	case w.Seq < span.ClosingSeq:
		c.open("%s covers the ledger up to line %d. Lines %d to %d came later, and no checkpoint covers them yet.",
			strings.ToUpper(name[:1])+name[1:], w.Seq, max(w.Seq, span.OpeningSeq)+1, span.ClosingSeq)
	case c.OK():
		c.proved("The lines of the period lead to %s, %s.", name, provedBy(c.keyed))
	}
	return nil
}

func provedBy(keyed bool) string {
	if keyed {
		return "each hash recalculated"
	}
	return "by the hashes as they are written"
}

// unpack copies a file of the pack to a temporary one.
func unpack(f *zip.File) (*os.File, error) {
	to, err := os.CreateTemp("", "pitboss-pack-*")
	if err != nil {
		return nil, err
	}
	r, err := f.Open()
	if err == nil {
		_, err = io.Copy(to, io.LimitReader(r, int64(f.UncompressedSize64)))
		r.Close()
	}
	if err != nil {
		to.Close()
		os.Remove(to.Name())
		return nil, err
	}
	_, err = to.Seek(0, io.SeekStart)
	return to, err
}

// inCheckpoint checks that a checkpoint's file is the one that the manifest names, and has the player's line.
func (c *checker) inCheckpoint(file io.ReadSeeker, what string, info *checkpointInfo) error {
	read, err := models.ReadCheckpoint(file)
	if err != nil {
		if errors.Is(err, models.ErrCheckpointBroken) {
			c.problem("%s is not a checkpoint as it was written: %s.", what, err)
			return nil
		}
		return err
	}
	if digest(read.Digest) != info.Digest || digest(read.Signature) != info.Signature || read.Number != info.Number {
		c.problem("%s is not the checkpoint that %s names: it is number %d with the digest %x.", what, manifestFile,
			read.Number,
			read.Digest)
		return nil
	}
	var line *walletLine
	err = read.Each(file, func(w models.Wallet) bool {
		if w.PlayerID == c.Manifest.Player.Number {
			line = &walletLine{Seq: w.Seq, Head: digest(w.Head), SpinSeq: w.SpinSeq, SpinHead: digest(w.SpinHead),
				Balance: money(w.Balance)}
		}
		return line == nil
	})
	if err != nil {
		c.problem("%s: %s.", what, err)
		return nil
	}
	if (line == nil) != (info.Wallet == nil) || line != nil && *line != *info.Wallet {
		c.problem("%s has another line about the player than %s.", what, manifestFile)
		return nil
	}
	c.proved("%s is whole, and has the player's line.", strings.ToUpper(what[:1])+what[1:])
	return nil
}
