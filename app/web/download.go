package web

import (
	"bufio"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"net"
	"time"

	"github.com/gofiber/fiber/v2"

	"pitboss/models"
)

// A download is sent while it is written, so no file is stored. The first audit event is written before the first byte; the
// second, with the number of rows and the digest, before the last: the audit log knows every file that a browser has received
// completely. On an error, the connection is aborted without the final chunk, browsers report a failed download, and there is
// no second event. If the client disconnects, the next write fails and ends the reading.

// Download is a file for a reader.
type Download struct {
	Name, Type string            // of the file
	What       string            // such as "export", in its audit events: "export started", "export finished"
	Object, ID string            // of the events
	Reason     string            // of the events
	About      map[string]string // details of the first event, besides the file's name
	// Make writes the file, and returns its number of rows. An error before its first byte becomes the answer.
	Make func(ctx context.Context, to io.Writer) (rows int64, err error)
}

const (
	patience  = time.Minute      // how long a browser may take for each piece; the whole download has no limit
	firstByte = 20 * time.Second // after which the answer begins without it
)

// Send sends a download.
func (s *Site) Send(c *fiber.Ctx, d Download) error {
	by := s.Actor(c)
	note := func(ctx context.Context, done string, says map[string]string) error {
		text, err := json.Marshal(says)
		if err != nil {
			return err
		}
		return s.Store.Note(ctx, models.AuditEvent{Actor: by, Action: d.What + " " + done, Object: d.Object, ObjectID: d.ID,
			After: string(text), Reason: d.Reason})
	}
	says := map[string]string{"file": d.Name}
	maps.Copy(says, d.About)
	if err := note(c.UserContext(), "started", says); err != nil {
		return err
	}
	ctx, cancel := context.WithCancel(context.WithoutCancel(c.UserContext())) // it outlives the handler
	from, to := io.Pipe()
	go func() {
		rows, bytes, sum, err := d.write(ctx, to)
		if err == nil {
			err = note(ctx, "finished", map[string]string{"file": d.Name, "rows": fmt.Sprint(rows), "bytes": fmt.Sprint(bytes), "sha256": sum})
		}
		if err != nil {
			s.Log.Warn("A download was cut off.", "file", d.Name, "rows", rows, "error", err)
		}
		to.CloseWithError(err)
	}()
	answer := &answered{Reader: bufio.NewReaderSize(from, 64<<10), from: from, to: c.Context().Conn(), cancel: cancel,
		begun: make(chan struct{})}
	var failed error
	go func() {
		_, failed = answer.Peek(1)
		close(answer.begun)
	}()
	select {
	case <-answer.begun:
		if failed != nil {
			return errors.Join(failed, answer.Close())
		}
	case <-time.After(firstByte):
	}
	c.Set(fiber.HeaderContentType, d.Type)
	c.Set(fiber.HeaderContentDisposition, `attachment; filename="`+d.Name+`"`)
	c.Context().Response.ImmediateHeaderFlush = true
	c.Context().Response.SetBodyStream(answer, -1)
	return nil
}

// write writes the file, and returns its rows, size and digest.
func (d Download) write(ctx context.Context, to io.Writer) (rows, bytes int64, sum string, err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("download: panic: %v", p)
		}
	}()
	digest, counted := sha256.New(), &counter{to: to}
	buffer := bufio.NewWriterSize(io.MultiWriter(digest, counted), 64<<10)
	if rows, err = d.Make(ctx, buffer); err == nil {
		err = buffer.Flush()
	}
	return rows, counted.n, hex.EncodeToString(digest.Sum(nil)), err
}

type counter struct {
	to io.Writer
	n  int64
}

func (c *counter) Write(p []byte) (int, error) {
	n, err := c.to.Write(p)
	c.n += int64(n)
	return n, err
}

// answered is the body of an answer. Each piece has a time limit of its own.
type answered struct {
	*bufio.Reader
	from   *io.PipeReader
	to     net.Conn
	cancel context.CancelFunc
	begun  chan struct{}
}

// Read reads the next piece. An error other than io.EOF aborts the connection.
func (a *answered) Read(b []byte) (int, error) {
	<-a.begun
	n, err := a.Reader.Read(b)
	if late := a.to.SetWriteDeadline(time.Now().Add(patience)); err == nil {
		err = late
	}
	return n, err
}

// Close ends the making of the file, if it has not ended.
func (a *answered) Close() error {
	a.cancel()
	return a.from.Close()
}
