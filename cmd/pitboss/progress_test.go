package main

import (
	"bytes"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
)

// A long command says now and then how far it has come.
func TestProgress(t *testing.T) {
	var out bytes.Buffer
	p := newProgress(&console{err: &out}, "importing players")
	p.show(1, 5000)
	assert.Empty(t, out.String(), "a short run says nothing")
	p.next = time.Now()
	p.show(1200, 5000)
	p.show(1201, 5000)
	p.next = time.Now()
	p.show(4000, unknownTotal)
	assert.Equal(t, "importing players: 1200 of 5000\nimporting players: 4000\n", out.String())
}
