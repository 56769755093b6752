package db

import (
	"bytes"
	"compress/flate"
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"time"

	"gorm.io/gorm"

	"pitboss/models"
)

// Files that staff request or upload are in the database, so that each instance has all of them. They are stored in compressed
// chunks. Each chunk is written in a transaction of its own, so a file may be as large as its quota, and has only a chunk in
// memory. The row that a file belongs to gets its ID when the file is complete.

// chunkBytes is the size of a chunk before it is compressed. Even if that does not help, and escaped, a chunk fits into the
// smallest usual max_allowed_packet.
const chunkBytes = 256 << 10

type fileChunk struct {
	FileID  string
	Number  int64
	Content []byte
}

// fileTime is the beginning of a file's ID: when its first chunk was written.
const fileTime = "20060102T150405"

// FileWriter writes a file into the database, a chunk at a time. Close writes the last chunk.
type FileWriter struct {
	ID     string
	Change func(func(tx *gorm.DB) error) error // runs a transaction; each chunk has one
	buffer []byte
	number int64
}

// NewFile returns a writer for a new file, which writes each chunk in a transaction of its own.
func (s *DB) NewFile(ctx context.Context) *FileWriter {
	return &FileWriter{ID: s.Now().UTC().Format(fileTime) + "-" + rand.Text(),
		Change: func(fn func(tx *gorm.DB) error) error { return s.Change(ctx, fn) }}
}

// FileBefore returns a text that sorts after the IDs of all files begun before a time.
func FileBefore(at time.Time) string { return at.UTC().Format(fileTime) }

// Write implements io.Writer.
func (w *FileWriter) Write(p []byte) (int, error) {
	written := len(p)
	for len(w.buffer)+len(p) >= chunkBytes {
		n := chunkBytes - len(w.buffer)
		w.buffer, p = append(w.buffer, p[:n]...), p[n:]
		if err := w.Close(); err != nil {
			return written - len(p), err
		}
	}
	w.buffer = append(w.buffer, p...)
	return written, nil
}

// Close writes the last chunk. It returns models.ErrNoRoom if the database is full.
func (w *FileWriter) Close() error {
	if len(w.buffer) == 0 {
		return nil
	}
	var content bytes.Buffer
	z, err := flate.NewWriter(&content, flate.BestSpeed)
	if err != nil {
		return err
	}
	if _, err = z.Write(w.buffer); err == nil {
		err = z.Close()
	}
	if err == nil {
		err = w.Change(func(tx *gorm.DB) error { return tx.Create(&fileChunk{w.ID, w.number, content.Bytes()}).Error })
	}
	w.buffer, w.number = w.buffer[:0], w.number+1
	if IsFull(err) {
		err = errors.Join(models.ErrNoRoom, err)
	}
	return err
}

// FileReader reads a file from the database. It keeps one chunk in memory.
type FileReader struct {
	Tx     *gorm.DB
	ID     string
	number int64 // of chunk
	chunk  []byte
}

// OpenFile returns a file in the database, from which any part of its size bytes can be read.
func (s *DB) OpenFile(ctx context.Context, id string, size int64) *io.SectionReader {
	return io.NewSectionReader(&FileReader{Tx: s.Write.WithContext(ctx), ID: id}, 0, size)
}

// ReadAt implements io.ReaderAt, for one caller at a time.
func (r *FileReader) ReadAt(p []byte, at int64) (n int, err error) {
	for n < len(p) {
		number, from := (at+int64(n))/chunkBytes, (at+int64(n))%chunkBytes
		if r.chunk == nil || r.number != number {
			if err := r.load(number); err != nil {
				return n, err
			}
		}
		if from >= int64(len(r.chunk)) {
			return n, io.EOF
		}
		n += copy(p[n:], r.chunk[from:])
	}
	return n, nil
}

// load reads a chunk.
func (r *FileReader) load(number int64) error {
	var chunks []fileChunk
	if err := r.Tx.Where("file_id = ? AND number = ?", Ascii(r.ID), number).Find(&chunks).Error; err != nil {
		return err
	}
	if len(chunks) == 0 {
		return io.EOF
	}
	chunk, err := io.ReadAll(io.LimitReader(flate.NewReader(bytes.NewReader(chunks[0].Content)), chunkBytes))
	if err != nil {
		return fmt.Errorf("read a file: %w", errors.Join(err, io.ErrUnexpectedEOF))
	}
	r.number, r.chunk = number, chunk
	return nil
}

// DeleteFile deletes a file.
func (s *DB) DeleteFile(ctx context.Context, id string) error {
	return s.Change(ctx, func(tx *gorm.DB) error { return DeleteFiles(tx, Ascii(id)) })
}

// DeleteFiles deletes files in the transaction of their rows.
func DeleteFiles(tx *gorm.DB, ids ...string) error {
	if len(ids) == 0 {
		return nil
	}
	return tx.Where("file_id IN ?", ids).Delete(&fileChunk{}).Error
}
