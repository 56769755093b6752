package pages

import (
	"strconv"

	"pitboss/app/web"
	"pitboss/models"
)

// The addresses of objects. They never contain text from outside.

// PlayerPath returns the address of a player's page.
func PlayerPath(id int64) string { return web.PathOf("/players", id) }

// LedgerPath returns the address of a player's money ledger, on the page that begins with an entry.
func LedgerPath(e models.Entry) string {
	return PlayerPath(e.PlayerID) + "/ledger?after=" + strconv.FormatInt(e.Seq+1, 10)
}

// TransactionPath returns the address of a transaction's page.
func TransactionPath(id int64) string { return web.PathOf("/transactions", id) }

// RoundPath returns the address of a round's page. A round has the internal ID of its first transaction; the ID of any other
// transaction of the round leads to the same page.
func RoundPath(transaction int64) string { return web.PathOf("/rounds", transaction) }

// CorrectionPath returns the address of a correction's page.
func CorrectionPath(id int64) string { return web.PathOf("/corrections", id) }

// CashOutPath returns the address of a cash-out that needs approval.
func CashOutPath(id int64) string { return web.PathOf("/cash-outs", id) }

// CasePath returns the address of a case's page.
func CasePath(id int64) string { return web.PathOf("/cases", id) }

// StatementPath returns the address of a statement's page.
func StatementPath(id int64) string { return web.PathOf("/statements", id) }

// CallbackPath returns the address of a callback's page, which contains the callback's place in the log.
func CallbackPath(c models.Callback) string { return "/callbacks/" + c.Cursor().String() }

// AuditPath returns the address of an audit event's page.
func AuditPath(id int64) string { return web.PathOf("/audit", id) }

// VerificationPath returns the address of a verification's page.
func VerificationPath(id int64) string { return web.PathOf("/integrity/verifications", id) }

// ChangesPath is the address under which the pages of changes that take two people are.
const ChangesPath = "/settings/changes"

// ChangePath returns the address of the page of a change that takes two people.
func ChangePath(id int64) string { return web.PathOf(ChangesPath, id) }

// APIClientPath returns the address of the page of an API client.
func APIClientPath(id int64) string { return web.PathOf("/clients", id) }

// RestrictionPath returns the address of a restriction's page.
func RestrictionPath(id int64) string { return web.PathOf("/restrictions", id) }

// Free spins: campaigns, with the form for one player or many, and the limits. Everybody who may view free spins may view the
// limits, because refusals link to them.
const (
	CampaignsPath   = "/campaigns"
	NewGrantPath    = CampaignsPath + "/new"
	GrantLimitsPath = "/settings/free-spins"

	WaitingCampaignsPath = CampaignsPath + "?state=waiting"
)

// CampaignPath returns the address of a campaign's page.
func CampaignPath(id int64) string { return web.PathOf(CampaignsPath, id) }
