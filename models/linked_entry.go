package models

// LinkedEntry is a ledger line and whether its hash follows from its contents and its predecessor's hash. If it does not, one
// of the two lines was altered.
type LinkedEntry struct {
	Entry
	Holds bool
}
