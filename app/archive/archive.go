// Package archive opens ZIP files that others have made.
package archive

import (
	"archive/zip"
	"errors"
	"io"
	"math"
)

// maxList limits what is read to find the list of a ZIP's files, in bytes. Each entry of 46 bytes takes several times as much memory.
const maxList = 1 << 20

// ErrManyFiles refuses a ZIP whose list of files is longer than that of any of ours, or of any workbook.
var ErrManyFiles = errors.New("it has too many files")

// Open reads the list of a ZIP's files. It returns ErrManyFiles, or an error of archive/zip.
func Open(from io.ReaderAt, size int64) (*zip.Reader, error) {
	list := &budget{from, maxList}
	z, err := zip.NewReader(list, size)
	list.left = math.MaxInt64 // whoever reads a file limits that
	return z, err
}

// budget is a file of which so many bytes can be read.
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
