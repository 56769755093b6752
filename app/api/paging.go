package api

import (
	"context"
	"crypto/aes"
	"crypto/cipher"
	"encoding/base64"
	"encoding/binary"
	"time"

	"pitboss/models"
)

// body is an answer.
type body[T any] struct{ Body T }

// page is a part of a list. Read the next one with after=next, until next is empty.
type page[T any] struct {
	Data []T    `json:"data"`
	Next string `json:"next" doc:"Where the next page begins; empty after the last one."`
}

// Paged are the parameters of a list.
type Paged struct {
	After string `query:"after" maxLength:"64" doc:"The next of the page before."`
	Limit int    `query:"limit" minimum:"1" maximum:"200" default:"50" doc:"The most entries."`
}

// places returns the cipher for places in the caller's list. Its key depends on client, call and filter, so a place of another
// list is invalid here, and the difference between two places does not reveal how much happened between them. A guessed place
// does no harm, because the client may read the whole list.
func (s *Server) places(ctx context.Context) (cipher.Block, error) {
	who := callerIn(ctx)
	key := s.Store.ListKey(who.ID, who.list)
	return aes.NewCipher(key[:])
}

// span returns the part of a list. It returns models.ErrCursorShape.
func (s *Server) span(ctx context.Context, p Paged) (models.Span, error) {
	span := models.Span{Limit: p.Limit}
	if p.After == "" {
		return span, nil
	}
	places, err := s.places(ctx)
	if err != nil {
		return span, err
	}
	text, err := base64.RawURLEncoding.Strict().DecodeString(p.After)
	if err != nil || len(text) != aes.BlockSize {
		return span, models.ErrCursorShape
	}
	places.Decrypt(text, text)
	us, id := binary.BigEndian.Uint64(text), binary.BigEndian.Uint64(text[8:])
	if us >= 1<<52 || id >= 1<<48 || id == 0 {
		return span, models.ErrCursorShape
	}
	if span.Page.ID = int64(id); us > 0 {
		span.Page.At = time.UnixMicro(int64(us)).UTC()
	}
	return span, nil
}

// pageOf returns a page of a list.
func pageOf[T, V any](ctx context.Context, s *Server, found models.Page[T], place func(T) models.Cursor, view func(T) V) (*body[page[V]], error) {
	p := page[V]{Data: []V{}}
	for _, row := range found.Rows {
		p.Data = append(p.Data, view(row))
	}
	if next := found.Next(place); !next.IsZero() {
		places, err := s.places(ctx)
		if err != nil {
			return nil, err
		}
		var text [aes.BlockSize]byte
		if !next.At.IsZero() {
			binary.BigEndian.PutUint64(text[:], uint64(next.At.UnixMicro()))
		}
		binary.BigEndian.PutUint64(text[8:], uint64(next.ID))
		places.Encrypt(text[:], text[:])
		p.Next = base64.RawURLEncoding.EncodeToString(text[:])
	}
	return &body[page[V]]{p}, nil
}
