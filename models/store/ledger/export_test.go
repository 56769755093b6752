package ledger

// For tests.
const (
	WritableFor  = writableFor
	WriteTimeout = writeTimeout
)
