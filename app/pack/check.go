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

// What is checked in a pack, without Pitboss's database, and what each check proves.
//
//   - The manifest's seal, then each file against the manifest, then every byte of the ZIP outside its files. A changed byte is
//     found wherever it is. Somebody without the ledger's key can make a new seal; only a check with the key finds that.
//   - The contents: CSV and JSON agree, each balance follows from the line before, and each line names the hash of the line
//     before. With the key, or if the ledger has no key, each hash is recalculated from its line.
//   - The checkpoint: its signature, with the key; that it has the player's line, if the checkpoint is in the pack or is given
//     separately; and that the chain leads to it.
//
// A pack comes from somebody else, so nothing in it is trusted: only files that belong in a pack are read, none beyond the
// length in the manifest, and each as a stream.

// Options are what a check may use in addition to the pack.
type Options struct {
	Key        []byte        // the ledger's key; empty if it is unknown or the ledger has none
	Checkpoint io.ReadSeeker // a checkpoint that was kept elsewhere; nil for none
}

// Report is the result of a check.
type Report struct {
	Manifest  Manifest
	Problems  []string
	More      int // problems that are not listed
	Proved    []string
	NotProved []string
}

// OK reports whether the check found no problems.
func (r *Report) OK() bool { return len(r.Problems) == 0 }

// Limits that stop the check of a hostile pack early.
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

func (c *checker) unproved(format string, args ...any) {
	c.NotProved = append(c.NotProved, fmt.Sprintf(format, args...))
}

// Check checks a pack. What is wrong with the pack is in the report; an error means that the checkpoint could not be read.
func Check(file io.ReaderAt, size int64, o Options) (*Report, error) {
	c := &checker{file: file, size: size, Options: o, chain: models.NewChain(o.Key), files: map[string]*zip.File{}}
	z, err := zip.NewReader(file, size)
	if err != nil {
		c.problem("This is not a complete ZIP file: its directory, at the end, cannot be read (%s).",
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

// expected returns the names of all files that a pack may have.
func expected() []string {
	names := []string{pdfFile, checkpointFile, manifestFile}
	for name := range readers {
		names = append(names, name+".json", name+".csv")
	}
	return names
}

// listed checks that the ZIP has only files that belong in a pack, each once.
func (c *checker) listed(z *zip.Reader) bool {
	names := expected()
	for _, f := range z.File {
		_, twice := c.files[f.Name]
		switch {
		case !slices.Contains(names, f.Name):
			c.problem("%q does not belong in a pack.", f.Name)
		case twice:
			c.problem("%s is in the ZIP twice.", f.Name)
		case f.Method != zip.Deflate && f.Method != zip.Store || f.Flags&1 != 0:
			c.problem("%s is compressed or encrypted in a way that packs never are.", f.Name)
		case f.UncompressedSize64 > smallFile && f.UncompressedSize64/highestRatio > f.CompressedSize64:
			c.problem("%s would unpack from %d bytes to %d: no genuine pack compresses that well.", f.Name,
				f.CompressedSize64, f.UncompressedSize64)
		}
		c.files[f.Name] = f
	}
	return c.OK()
}

// readManifest reads the manifest and reports whether the rest of the pack can be checked against it.
func (c *checker) readManifest() bool {
	f := c.files[manifestFile]
	if f == nil {
		c.problem("%s is missing, so nothing says what this pack must contain.", manifestFile)
		return false
	}
	r, err := f.Open()
	if err != nil {
		c.problem("%s cannot be read: %s.", manifestFile, err)
		return false
	}
	defer r.Close()
	content, wrong := io.ReadAll(io.LimitReader(r, largestManifest+1))
	if len(content) > largestManifest {
		c.problem("%s is larger than any manifest can be.", manifestFile)
		return false
	}
	var doc sealed[json.RawMessage]
	altered := errors.Is(wrong, zip.ErrChecksum)
	if altered {
		wrong = nil // the changed byte is located below
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
		c.problem("%s has the format %q. This program checks the format %q.", manifestFile, c.Manifest.Format, format)
		return false
	}
	sum := sha256.Sum256(doc.Manifest)
	if digest(sum) != doc.Seal.Digest {
		where := "it does not match its seal"
		for _, s := range suspects(doc.Seal.CRC32, crc32.ChecksumIEEE(doc.Manifest), int64(len(doc.Manifest))) {
			changed := bytes.Clone(doc.Manifest)
			changed[s.offset] ^= s.xor
			if digest(sha256.Sum256(changed)) == doc.Seal.Digest {
				where = fmt.Sprintf("byte %d is not the original one", int64(len(`{"manifest":`))+s.offset)
			}
		}
		c.problem("%s was changed: %s.", manifestFile, where)
	}
	rebuilt, err := encode(sealed[Manifest]{c.Manifest, doc.Seal})
	if err != nil || !bytes.Equal(append(rebuilt, '\n'), content) {
		c.problem("%s was changed: from byte %d on it is not as Pitboss writes it.", manifestFile,
			differsAt(append(rebuilt, '\n'), content))
	}
	if altered {
		c.problem("%s was changed: it does not match its checksum in the ZIP.", manifestFile)
	}
	c.keyed = c.Manifest.Key == c.chain.Fingerprint()
	if c.keyed && doc.Seal.Signature != digest(c.chain.Pack(models.Hash(sum))) {
		c.problem("%s was not sealed with the ledger's key, or its seal was changed.", manifestFile)
	}
	return true
}

// strict decodes JSON into v. It refuses fields that v does not have, and anything after the end of the value.
func strict(content []byte, v any) error {
	d := json.NewDecoder(bytes.NewReader(content))
	d.DisallowUnknownFields()
	if err := d.Decode(v); err != nil {
		return err
	}
	if rest := bytes.TrimSpace(content[d.InputOffset():]); len(rest) > 0 {
		return errors.New("there is more after its end")
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

// seals reports what the seal proves.
func (c *checker) seals() {
	switch {
	case c.keyed && c.chain.Keyed():
		c.proved("The manifest is sealed with the ledger's key (fingerprint %s).", c.Manifest.Key)
	case c.keyed:
		c.unproved("The ledger has no key, so anybody can make valid hashes and seals. They reveal accidents, not forgery. " +
			"Compare the checkpoint's digest with a copy that was kept elsewhere.")
	case c.chain.Keyed():
		c.problem("The ledger key that was given is not the one of this pack: its fingerprint is %s, the pack's is %s.",
			c.chain.Fingerprint(), c.Manifest.Key)
	default:
		c.unproved("Without the ledger's key (PITBOSS_LEDGER_KEY) the seal, the hashes and the checkpoint's signature cannot "+
			"be recalculated, so a forged pack could pass this check. The key has the fingerprint %s.", c.Manifest.Key)
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
		c.problem("%s: its contents are right, but its compressed bytes are not those of the original pack.", info.Name)
	case damaged:
		c.problem("%s is damaged in the ZIP: it cannot be unpacked beyond about byte %d.", info.Name, s.n)
	case s.n > info.Size:
		c.problem("%s is longer than the %d bytes that it must have.", info.Name, info.Size)
	case s.n < info.Size:
		c.problem("%s was changed: it has %d bytes and must have %d.", info.Name, s.n, info.Size)
	default:
		c.changed(f, info, s)
	}
}

// changed reports that a file of the right length was changed, and which byte, if it is only one.
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
	c.problem("%s was changed: it has the right length, but more than one byte differs.", info.Name)
}

// restoring reads a file and undoes the change of a suspect byte.
type restoring struct {
	r io.Reader
	suspect
	at    int64
	lines int64 // how many lines end before the suspect byte
	was   byte
}

// Read implements io.Reader.
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

// checkFrame checks the bytes of the ZIP outside its files by building the ZIP again and comparing the two.
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
			return // already reported
		}
		method := uint16(zip.Deflate)
		if info.Name == manifestFile {
			method = zip.Store
		}
		h := header(info.Name, method, time.Time(c.Manifest.Made))
		if _, err := zip.NewWriter(io.Discard).CreateHeader(h); err != nil { // sets the fields that every new file has
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
		c.problem("The ZIP was changed outside its files, or rewritten by another program: at byte %d it is not as Pitboss "+
			"writes it.", to.at)
	}
}

var errDiffers = errors.New("the contents differ")

// comparer compares what is written to it with a reader, up to the first difference.
type comparer struct {
	with    io.Reader
	at      int64 // how many bytes have matched
	differs bool
	buf     []byte
}

// Write compares p with the next bytes of the reader.
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
		c.unproved("The pack has no checkpoint, so nothing shows that the end of the ledger was not cut off or an older " +
			"state restored.")
		return nil
	}
	name := fmt.Sprintf("checkpoint %d of %s", info.Number, readable(info.At))
	switch {
	case !c.keyed:
	case !info.signed(c.chain):
		c.problem("The signature of %s is not valid.", name)
	case c.chain.Keyed():
		c.proved("The signature of %s is valid.", name)
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
		c.unproved("%s is not in this pack, because it has lines about other players. To check that it has the player's line, "+
			"give the file that was kept elsewhere (--checkpoint FILE).", capitalized(name))
	} else if err := c.inCheckpoint(from, what, info); err != nil {
		return err
	}
	w := info.Wallet
	span := c.Manifest.Ledger
	switch {
	case w == nil:
		c.unproved("The player was created after %s, so it does not cover them.", name)
	case w.Seq < span.ClosingSeq:
		c.unproved("%s covers the ledger up to line %d. Lines %d to %d came later, and no checkpoint covers them yet.",
			capitalized(name), w.Seq, max(w.Seq, span.OpeningSeq)+1, span.ClosingSeq)
	case c.OK():
		c.proved("The lines of the period lead to %s, %s.", name, provedBy(c.keyed))
	}
	return nil
}

func provedBy(keyed bool) string {
	if keyed {
		return "each hash recalculated"
	}
	return "by hashes that were not recalculated"
}

func capitalized(s string) string { return strings.ToUpper(s[:1]) + s[1:] }

// unpack copies a file of the pack into a temporary file, which the caller removes.
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

// inCheckpoint checks that file is the checkpoint that the manifest names and that it has the player's line.
func (c *checker) inCheckpoint(file io.ReadSeeker, what string, info *checkpointInfo) error {
	read, err := models.ReadCheckpoint(file)
	if err != nil {
		if errors.Is(err, models.ErrCheckpointBroken) {
			c.problem("%s cannot be used: %s.", capitalized(what), err)
			return nil
		}
		return err
	}
	if digest(read.Digest) != info.Digest || digest(read.Signature) != info.Signature || read.Number != info.Number {
		c.problem("%s is not the checkpoint that %s names: it is number %d with the digest %x.", capitalized(what),
			manifestFile, read.Number, read.Digest)
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
		c.problem("%s: %s.", capitalized(what), err)
		return nil
	}
	if (line == nil) != (info.Wallet == nil) || line != nil && *line != *info.Wallet {
		c.problem("The player's line in %s differs from the one in %s.", what, manifestFile)
		return nil
	}
	if line == nil {
		c.proved("%s is complete and has no line of the player, who did not exist yet.", capitalized(what))
	} else {
		c.proved("%s is complete and has the player's line.", capitalized(what))
	}
	return nil
}
