package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"strconv"
	"strings"
	"time"

	"pitboss/app/pack"
)

type packCommand struct {
	Check packCheckCommand `cmd:"" help:"Check a pack about a player without a database: its signature, and each file against the manifest."`
}

type packCheckCommand struct {
	File string `arg:"" type:"existingfile" help:"The ZIP file."`
	Key  string `placeholder:"HEX" help:"The operator's public key, as its Integrity page shows it. The pack must be signed with it."`
}

// Run checks a pack and prints who signed it and which files were changed.
func (c packCheckCommand) Run(_ context.Context, con *console) error {
	file, err := os.Open(c.File)
	if err != nil {
		return err
	}
	defer file.Close()
	size, err := file.Seek(0, io.SeekEnd)
	if err != nil {
		return err
	}
	r := pack.Check(file, size, c.Key)
	tellPack(con, r, c.Key != "")
	if !r.OK() {
		return errFailed
	}
	return nil
}

// visible replaces the characters of a text that a terminal must not show: a hostile pack could overwrite the check's output.
func visible(text string) string {
	return strings.Map(func(r rune) rune {
		if !strconv.IsPrint(r) {
			return '\ufffd'
		}
		return r
	}, text)
}

// tellPack prints a report. known says whether the reader has named the operator's key.
func tellPack(con *console, r *pack.Report, known bool) {
	if m := r.Manifest; m.Format != "" {
		fmt.Fprintf(con.out, "%s pack about player %q, from %s to %s, made %s\n", visible(string(m.Purpose)), m.Player,
			m.Since.Format(time.RFC3339), m.Until.Format(time.RFC3339), m.Made.Format(time.RFC3339))
	}
	for _, p := range r.Problems {
		fmt.Fprintf(con.out, "  %s\n", visible(p))
	}
	switch {
	case !r.OK():
		fmt.Fprintln(con.out, "THE PACK IS NOT VALID")
	case !r.Signed:
		fmt.Fprintln(con.out, "No file was changed. The pack is not signed, so anyone could have made it.")
	case known:
		fmt.Fprintln(con.out, "No file was changed. The pack is signed with the operator's key.")
	default:
		fmt.Fprintf(con.out, "No file was changed. The pack is signed with the key %s.\nCompare it with the key that the operator "+
			"publishes, or name that with --key.\n", r.Manifest.PublicKey)
	}
}
