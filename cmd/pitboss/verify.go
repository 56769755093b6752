package main

import (
	"context"
	"fmt"
)

type verifyCommand struct{}

// Run verifies the ledger and prints what it counted, and every wallet that does not hold.
func (verifyCommand) Run(ctx context.Context, con *console) error {
	s, err := openLedger(ctx, con)
	if err != nil {
		return err
	}
	defer s.Close()
	bar := progress(con, -1, "reading entries")
	v, err := s.Verify(ctx, func(entries int64) { bar.Set64(entries) })
	bar.Finish()
	if err != nil {
		return err
	}
	fmt.Fprintf(con.out, "read %d wallets, %d entries, %d free-spin entries, %d transactions, %d tombstones\n",
		v.Wallets, v.Entries, v.SpinEntries, v.Transactions, v.Tombstones)
	if v.Keyed {
		fmt.Fprintln(con.out, "the chains are keyed")
	} else {
		fmt.Fprintln(con.out, "the chains are unkeyed (PITBOSS_LEDGER_KEY is not set): they show accidents, not forgery by who can write to the database")
	}
	if v.OK() {
		fmt.Fprintln(con.out, "everything holds")
		return nil
	}
	for _, w := range v.Faulty {
		fmt.Fprintf(con.out, "wallet %d of %q does not hold:\n", w.PlayerID, w.UserID)
		for _, f := range w.Faults {
			fmt.Fprintf(con.out, "  %s\n", f)
		}
		if more := w.Total - len(w.Faults); more > 0 {
			fmt.Fprintf(con.out, "  and %d more\n", more)
		}
	}
	fmt.Fprintf(con.out, "%d of %d wallets do not hold\n", len(v.Faulty), v.Wallets)
	return errFailed
}
