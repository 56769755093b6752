package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"strconv"
	"strings"

	"pitboss/app/pack"
)

type packCommand struct {
	Check packCheckCommand `cmd:"" help:"Check a dispute pack without a database: name what was changed, and say what is proved and what is not. If PITBOSS_LEDGER_KEY is set, hashes are recalculated with it."`
}

type packCheckCommand struct {
	File       string `arg:"" type:"existingfile" help:"The ZIP file."`
	Checkpoint string `type:"existingfile" placeholder:"FILE" help:"Also compare the pack with this checkpoint."`
}

// Run checks a pack and prints what is proved, what is not, and what was changed.
func (c packCheckCommand) Run(_ context.Context, con *console) error {
	settings, err := load[archiveKey](con.environ)
	if err != nil {
		return err
	}
	file, err := os.Open(c.File)
	if err != nil {
		return err
	}
	defer file.Close()
	size, err := file.Seek(0, io.SeekEnd)
	if err != nil {
		return err
	}
	options := pack.Options{Key: []byte(settings.LedgerKey)}
	if c.Checkpoint != "" {
		kept, err := os.Open(c.Checkpoint)
		if err != nil {
			return err
		}
		defer kept.Close()
		options.Checkpoint = kept
	}
	r, err := pack.Check(file, size, options)
	if err != nil {
		return fmt.Errorf("%s: %w", c.File, err)
	}
	tellPack(con, r)
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

func tellPack(con *console, r *pack.Report) {
	if m := r.Manifest; m.Format != "" {
		fmt.Fprintf(con.out, "%s pack about player %q, from %s to %s, made %s\n", visible(string(m.Purpose)), m.Player.UserID,
			m.Since, m.Until, m.Made)
	}
	for _, list := range []struct {
		title string
		lines []string
	}{{"changed or wrong:", r.Problems}, {"proved:", r.Proved}, {"not proved:", r.NotProved}} {
		if len(list.lines) == 0 {
			continue
		}
		fmt.Fprintln(con.out, list.title)
		for _, line := range list.lines {
			fmt.Fprintf(con.out, "  %s\n", visible(line))
		}
	}
	if r.More > 0 {
		fmt.Fprintf(con.out, "and %d more problems\n", r.More)
	}
	if r.OK() {
		fmt.Fprintln(con.out, "no change was found")
	} else {
		fmt.Fprintln(con.out, "THE PACK IS NOT VALID")
	}
}
