package db

import (
	"io"

	"gorm.io/gorm"
)

// chunkBytes is the size of a chunk: even escaped, it fits into the smallest usual max_allowed_packet.
const chunkBytes = 256 << 10

type fileChunk struct {
	FileID  string
	Number  int
	Content []byte
}

// FileWriter writes a file into the database, a chunk at a time. Close writes what is left.
type FileWriter struct {
	Tx     *gorm.DB
	ID     string
	buffer []byte
	number int
}

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

// Close writes the last chunk.
func (w *FileWriter) Close() error {
	if len(w.buffer) == 0 {
		return nil
	}
	err := w.Tx.Create(&fileChunk{w.ID, w.number, w.buffer}).Error
	w.buffer, w.number = w.buffer[:0], w.number+1
	return err
}

// FileReader reads a file from the database, a chunk at a time.
type FileReader struct {
	Tx     *gorm.DB
	ID     string
	rest   []byte
	number int
}

// Read implements io.Reader.
func (r *FileReader) Read(p []byte) (int, error) {
	if len(r.rest) == 0 {
		var chunks []fileChunk
		err := r.Tx.Where("file_id = ? AND number = ?", r.ID, r.number).Find(&chunks).Error
		if err != nil {
			return 0, err
		}
		if len(chunks) == 0 {
			return 0, io.EOF
		}
		r.rest, r.number = chunks[0].Content, r.number+1
	}
	n := copy(p, r.rest)
	r.rest = r.rest[n:]
	return n, nil
}

// DeleteFiles deletes the contents of files.
func DeleteFiles(tx *gorm.DB, ids ...string) error {
	if len(ids) == 0 {
		return nil
	}
	return tx.Where("file_id IN ?", ids).Delete(&fileChunk{}).Error
}
