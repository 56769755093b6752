package models

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"hash"
	"io"
)

// Checkpoints and archives are sealed files: gzip-compressed JSON lines, of which the first is a header, the last but one has totals,
// and the last is the seal, with the digest of all lines before it and its signature.

type fileSeal struct {
	Digest    hexHash `json:"digest"`
	Signature hexHash `json:"signature"`
}

// sealedWriter writes a sealed file.
type sealedWriter struct {
	digest hash.Hash
	zip    *gzip.Writer
}

func newSealedWriter(w io.Writer, header any) (*sealedWriter, error) {
	// Hashes and IDs are most of a file and cannot be compressed, so more effort is wasted.
	zip, err := gzip.NewWriterLevel(w, gzip.BestSpeed)
	if err != nil {
		return nil, err
	}
	sw := &sealedWriter{sha256.New(), zip}
	return sw, sw.line(header)
}

func (w *sealedWriter) line(v any) error {
	b, err := json.Marshal(v)
	if err != nil {
		return err
	}
	b = append(b, '\n')
	w.digest.Write(b)
	_, err = w.zip.Write(b)
	return err
}

// seal writes the totals and the seal, and returns the digest and its signature. It does not close the underlying writer.
func (w *sealedWriter) seal(totals any, sign func(digest Hash) Hash) (digest, signature Hash, err error) {
	if err := w.line(totals); err != nil {
		return digest, signature, err
	}
	w.digest.Sum(digest[:0])
	signature = sign(digest)
	if err := w.line(fileSeal{hexHash(digest), hexHash(signature)}); err != nil {
		return digest, signature, err
	}
	return digest, signature, w.zip.Close()
}

// sealedReader reads the lines of a sealed file. Its errors wrap broken.
type sealedReader struct {
	lines  *bufio.Reader
	broken error
}

// longestLine limits the length of a line in bytes, and so the memory that a file with one endless line can use.
const longestLine = 1 << 20

func newSealedReader(file io.Reader, broken error) (*sealedReader, error) {
	zip, err := gzip.NewReader(file)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", broken, err)
	}
	return &sealedReader{bufio.NewReaderSize(zip, longestLine), broken}, nil
}

// next returns the next line, valid until the next call.
func (r *sealedReader) next() ([]byte, error) {
	line, err := r.lines.ReadSlice('\n')
	if errors.Is(err, io.EOF) {
		err = io.ErrUnexpectedEOF
	}
	if err != nil {
		return nil, fmt.Errorf("%w: %w", r.broken, err)
	}
	return line, nil
}

// readSealed reads a sealed file to its end, sets header and totals, and returns its digest and signature if it is complete. It does
// not check the signature. Its errors wrap broken.
func readSealed(file io.Reader, broken error, header, totals any) (digest, signature Hash, err error) {
	r, err := newSealedReader(file, broken)
	if err != nil {
		return digest, signature, err
	}
	var last []byte
	sum := sha256.New()
	for n := 0; ; n++ {
		line, err := r.next()
		if err != nil {
			return digest, signature, err
		}
		if n > 1 && bytes.HasPrefix(line, []byte(`{"digest":`)) {
			var seal fileSeal
			sum.Sum(digest[:0])
			switch {
			case json.Unmarshal(last, totals) != nil:
				return digest, signature, fmt.Errorf("%w: its totals cannot be read", broken)
			case json.Unmarshal(line, &seal) != nil:
				return digest, signature, fmt.Errorf("%w: its seal cannot be read", broken)
			case Hash(seal.Digest) != digest:
				return digest, signature, fmt.Errorf("%w: its lines were changed since it was sealed", broken)
			}
			if _, err := r.next(); !errors.Is(err, io.ErrUnexpectedEOF) {
				return digest, signature, fmt.Errorf("%w: there is data after its seal", broken)
			}
			return digest, Hash(seal.Signature), nil
		}
		if n == 0 && json.Unmarshal(line, header) != nil {
			return digest, signature, fmt.Errorf("%w: its header cannot be read", broken)
		}
		last = append(last[:0], line...)
		sum.Write(line)
	}
}
