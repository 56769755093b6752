package reconcile

import (
	"bufio"
	"cmp"
	"container/heap"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"

	"pitboss/models"
)

// A file's lines are sorted by TransactionID on disk. So all lines about one transaction come together, wherever they are in
// the file, and our transactions are looked up in the order of their index. Memory holds one piece of the file, and a buffer
// for each piece.

// Limits of memory: lines of a piece, bytes of a piece if its lines are long, and bytes of a buffer.
const (
	pieceLines = 40_000
	pieceBytes = 8 << 20
	buffered   = 64 << 10
)

// sorter collects lines and returns them in the order of their TransactionIDs and, for one ID, of their line numbers.
type sorter struct {
	dir    string
	key    func(models.TransactionID) string // the same for all lines about one transaction
	lines  []models.StatementLine
	bytes  int
	pieces []string
}

func (s *sorter) add(l models.StatementLine) error {
	s.lines = append(s.lines, l)
	if s.bytes += 160 + len(l.TransactionID) + len(l.UserID); len(s.lines) < pieceLines && s.bytes < pieceBytes {
		return nil
	}
	return s.flush()
}

func (s *sorter) inOrder(a, b *models.StatementLine) int {
	return cmp.Or(cmp.Compare(s.key(a.TransactionID), s.key(b.TransactionID)), cmp.Compare(a.Line, b.Line))
}

// flush writes the lines in memory as a piece.
func (s *sorter) flush() (err error) {
	slices.SortFunc(s.lines, func(a, b models.StatementLine) int { return s.inOrder(&a, &b) })
	path := filepath.Join(s.dir, fmt.Sprintf("piece-%d", len(s.pieces)))
	f, err := os.OpenFile(path, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	w := bufio.NewWriterSize(f, buffered)
	var b []byte
	for i := range s.lines {
		b = s.lines[i].AppendBinary(b[:0])
		if _, err := w.Write(b); err != nil {
			return err
		}
	}
	s.pieces, s.lines, s.bytes = append(s.pieces, path), s.lines[:0], 0
	return w.Flush()
}

// piece is a sorted file that is being merged.
type piece struct {
	in   *bufio.Reader
	line models.StatementLine
}

type merge struct {
	inOrder func(a, b *models.StatementLine) int
	pieces  []*piece
}

// Len, Less, Swap, Push and Pop make merge a heap of pieces, by their next lines.
func (m *merge) Len() int           { return len(m.pieces) }
func (m *merge) Less(i, j int) bool { return m.inOrder(&m.pieces[i].line, &m.pieces[j].line) < 0 }
func (m *merge) Swap(i, j int)      { m.pieces[i], m.pieces[j] = m.pieces[j], m.pieces[i] }

// Push implements heap.Interface.
func (m *merge) Push(p any) { m.pieces = append(m.pieces, p.(*piece)) }

// Pop implements heap.Interface.
func (m *merge) Pop() any {
	last := len(m.pieces) - 1
	p := m.pieces[last]
	m.pieces = m.pieces[:last]
	return p
}

// each calls fn with every line, in order.
func (s *sorter) each(ctx context.Context, fn func(models.StatementLine) error) (err error) {
	if err := s.flush(); err != nil {
		return err
	}
	var files []*os.File
	defer func() {
		for _, f := range files {
			err = errors.Join(err, f.Close())
		}
	}()
	m := merge{inOrder: s.inOrder}
	for _, path := range s.pieces {
		f, err := os.Open(path)
		if err != nil {
			return err
		}
		files = append(files, f)
		p := &piece{in: bufio.NewReaderSize(f, buffered)}
		if p.line, err = models.ReadStatementLine(p.in); err == io.EOF {
			continue
		} else if err != nil {
			return err
		}
		m.pieces = append(m.pieces, p)
	}
	heap.Init(&m)
	for m.Len() > 0 {
		p := m.pieces[0]
		if err := fn(p.line); err != nil {
			return err
		}
		line, err := models.ReadStatementLine(p.in)
		switch {
		case err == io.EOF:
			heap.Pop(&m)
			continue
		case err != nil:
			return err
		}
		p.line = line
		heap.Fix(&m, 0)
	}
	return ctx.Err()
}
