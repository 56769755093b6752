// Package archive opens ZIP files that others have made.
package archive

import (
	"archive/zip"
	"errors"
	"io"
	"math"
)

// maxList limits the bytes read to find a ZIP's list of files. Each entry of 46 bytes takes several times as much memory.
const maxList = 1 << 20

// ErrManyFiles refuses a ZIP with more files than any of ours, or any workbook, has.
var ErrManyFiles = errors.New("it has too many files")

// Open reads the list of a ZIP's files. It returns ErrManyFiles, or an error of archive/zip.
func Open(from io.ReaderAt, size int64) (*zip.Reader, error) {
	list := &budget{from, maxList}
	z, err := zip.NewReader(list, size)
	list.left = math.MaxInt64 // the reader of a file limits that
	return z, err
}

// budget is a file that returns at most left bytes.
type budget struct {
	io.ReaderAt
	left int64
}

// ReadAt returns ErrManyFiles when nothing is left.
func (b *budget) ReadAt(p []byte, off int64) (int, error) {
	if b.left -= int64(len(p)); b.left < 0 {
		return 0, ErrManyFiles
	}
	return b.ReaderAt.ReadAt(p, off)
}
