package pack

import (
	"archive/zip"
	"bytes"
	"compress/flate"
	"crypto/sha256"
	"encoding/json"
	"hash"
	"hash/crc32"
	"io"
	"time"

	"pitboss/models"
)

// archive writes the ZIP of a pack and collects the manifest's entry for each file.
type archive struct {
	zip    *zip.Writer
	made   time.Time
	files  []fileInfo
	packed hash.Hash // of the compressed bytes of the file that is being written
}

func newArchive(out io.Writer, made time.Time) *archive {
	a := &archive{zip: zip.NewWriter(out), made: made}
	a.zip.RegisterCompressor(zip.Deflate, func(w io.Writer) (io.WriteCloser, error) {
		a.packed = sha256.New()
		return flate.NewWriter(io.MultiWriter(w, a.packed), flate.DefaultCompression)
	})
	return a
}

// header returns the ZIP header of a file. It depends on its arguments alone, so that a check can rebuild the same bytes.
func header(name string, method uint16, made time.Time) *zip.FileHeader {
	return &zip.FileHeader{Name: name, Method: method, Modified: made.UTC().Truncate(time.Second)}
}

// begin starts a file. That completes the file before it, whose compressed bytes can now be hashed.
func (a *archive) begin(name string, method uint16) (io.Writer, error) {
	before := a.packed
	to, err := a.zip.CreateHeader(header(name, method, a.made))
	if before != nil && len(a.files) > 0 {
		before.Sum(a.files[len(a.files)-1].Packed[:0])
	}
	return to, err
}

// add writes a file and adds its entry, with its number of rows, to the manifest.
func (a *archive) add(name string, rows int64, content io.Reader) error {
	to, err := a.begin(name, zip.Deflate)
	if err != nil {
		return err
	}
	sums := newSums()
	if _, err := io.Copy(io.MultiWriter(to, sums), content); err != nil {
		return err
	}
	a.files = append(a.files, fileInfo{Name: name, Rows: rows, Size: sums.n, SHA256: sums.sha(), CRC32: sums.crc.Sum32()})
	return nil
}

// close writes the manifest and the ZIP's directory. The manifest is not compressed, because no digest covers compressed bytes
// of the manifest.
func (a *archive) close(chain *models.Chain, m Manifest) error {
	to, err := a.begin(manifestFile, zip.Store)
	if err != nil {
		return err
	}
	m.Files = a.files
	content, err := sealedManifest(chain, m)
	if err != nil {
		return err
	}
	if _, err := to.Write(content); err != nil {
		return err
	}
	return a.zip.Close()
}

// encode returns v as JSON, in the only form that a pack may have.
func encode(v any) ([]byte, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		return nil, err
	}
	return bytes.TrimSuffix(b.Bytes(), []byte("\n")), nil
}

func sealedManifest(chain *models.Chain, m Manifest) ([]byte, error) {
	body, err := encode(m)
	if err != nil {
		return nil, err
	}
	sum := models.Hash(sha256.Sum256(body))
	s, err := encode(seal{Digest: digest(sum), CRC32: crc32.ChecksumIEEE(body), Signature: digest(chain.Pack(sum))})
	if err != nil {
		return nil, err
	}
	return bytes.Join([][]byte{[]byte(`{"manifest":`), body, []byte(`,"seal":`), s, []byte("}\n")}, nil), nil
}

// sums are the length and the checksums of a file.
type sums struct {
	n   int64
	s   hash.Hash
	crc hash.Hash32
}

func newSums() *sums { return &sums{s: sha256.New(), crc: crc32.NewIEEE()} }

// Write adds p to the sums.
func (s *sums) Write(p []byte) (int, error) {
	s.n += int64(len(p))
	s.s.Write(p)
	s.crc.Write(p)
	return len(p), nil
}

func (s *sums) sha() (d digest) {
	s.s.Sum(d[:0])
	return d
}
