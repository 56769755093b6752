package models

// LinkedEntry is a ledger line together with whether its hash follows from its content and its predecessor's hash: where it
// does not, one of the two lines was altered.
type LinkedEntry struct {
	Entry
	Holds bool
}
