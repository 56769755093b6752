package models

import (
	"bufio"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
)

// mostBadLines is how many lines with errors are collected. Nobody corrects more line by line, and each takes memory.
const mostBadLines = 10_000

var errBadLines = fmt.Errorf("more than %d lines have errors. Is it the right file, with the right separator?", mostBadLines)

// readColumns reads a CSV file with a header and calls each with the named columns of every line, in the order of names. The
// error that each returns is reported for the line. It reads all lines, so that a person can correct all errors at once. An
// error of readColumns means that the file cannot be read at all.
func readColumns(r io.Reader, names []string, each func(line int, fields []string) error) (bad []LineError, err error) {
	in := bufio.NewReader(r)
	if bom, _ := in.Peek(3); string(bom) == "\ufeff" {
		in.Discard(3)
	}
	c := csv.NewReader(in)
	c.FieldsPerRecord = -1
	header, err := c.Read()
	if err != nil {
		return nil, fmt.Errorf("the file needs a header line: %s", strings.Join(names, ","))
	}
	at := make([]int, len(names))
	for i, name := range names {
		if at[i] = slices.Index(header, name); at[i] < 0 {
			return nil, fmt.Errorf("the header line has no column %s; expected: %s", name, strings.Join(names, ","))
		}
		if slices.Contains(header[at[i]+1:], name) {
			return nil, fmt.Errorf("the header line has the column %s twice", name)
		}
	}
	fields := make([]string, len(names))
	for {
		record, err := c.Read()
		if err == io.EOF {
			return bad, nil
		}
		var parse *csv.ParseError
		if errors.As(err, &parse) {
			return append(bad, LineError{parse.StartLine, fmt.Errorf("not CSV from here on: %w", parse.Err)}), nil
		}
		if err != nil {
			return bad, fmt.Errorf("read the file: %w", err)
		}
		line, _ := c.FieldPos(0)
		if len(record) != len(header) {
			bad = append(bad, LineError{line, fmt.Errorf("it has %d fields, but the header has %d", len(record), len(header))})
			if len(bad) > mostBadLines {
				return nil, errBadLines
			}
			continue
		}
		for i := range names {
			fields[i] = record[at[i]]
		}
		if err := each(line, fields); err != nil {
			bad = append(bad, LineError{line, err})
		}
		if len(bad) > mostBadLines {
			return nil, errBadLines
		}
	}
}
