package things

import (
	"strconv"

	"pitboss/app/web"
	"pitboss/models"
)

// The addresses of things. What came from outside is never part of one.

// PlayerPath is a player's page.
func PlayerPath(id int64) string { return web.PathOf("/players", id) }

// LedgerPath is the page of a player's money ledger that begins with an entry.
func LedgerPath(e models.Entry) string {
	return PlayerPath(e.PlayerID) + "/ledger?after=" + strconv.FormatInt(e.Seq+1, 10)
}

// TransactionPath is a transaction's page.
func TransactionPath(id int64) string { return web.PathOf("/transactions", id) }

// RoundPath is a round's address: the number of its first transaction. That of another of its transactions leads there too.
func RoundPath(transaction int64) string { return web.PathOf("/rounds", transaction) }

// CorrectionPath is a correction's page.
func CorrectionPath(id int64) string { return web.PathOf("/corrections", id) }

// CasePath is a case's page.
func CasePath(id int64) string { return web.PathOf("/cases", id) }

// StatementPath is a statement's page.
func StatementPath(id int64) string { return web.PathOf("/statements", id) }

// CallbackPath is a callback's page. Its name is its place in the log.
func CallbackPath(c models.Callback) string { return "/callbacks/" + c.Cursor().String() }

// AuditPath is an audit event's page.
func AuditPath(id int64) string { return web.PathOf("/audit", id) }

// VerificationPath is a verification's page.
func VerificationPath(id int64) string { return web.PathOf("/integrity/verifications", id) }

// RestorePath is the page of a restored backup.
func RestorePath(id int64) string { return web.PathOf("/integrity/restores", id) }

// ExportPath is an export's page.
func ExportPath(id int64) string { return web.PathOf("/exports", id) }

// ChangePath is the page of a change that needs a second administrator.
func ChangePath(id int64) string { return web.PathOf("/settings/changes", id) }

// Free spins: the form of a grant, exceptions from the limits with the form that requests one, and the limits themselves.
// Everybody who reads free spins reads the limits, since a refusal leads there.
const (
	NewGrantPath     = "/free-spins/new"
	ExceptionsPath   = "/free-spins/exceptions"
	NewExceptionPath = "/free-spins/exceptions/new"
	GrantLimitsPath  = "/settings/free-spins"
)

// ExceptionPath is the page of an exception from the limits.
func ExceptionPath(id int64) string { return web.PathOf(ExceptionsPath, id) }
