package app

import (
	"fmt"

	"pitboss/models"
)

// Permission is something that a role may do. A page shows what its reader may do, by {{if $.Can "..."}}; the server refuses
// the rest by the route's row in routes.go.
type Permission string

// What may be done.
const (
	readOverview      Permission = "read the overview"
	readPlayers       Permission = "read players"
	managePlayers     Permission = "create and import players"
	blockPlayers      Permission = "block players"
	readGames         Permission = "read games"
	syncGames         Permission = "sync games"
	readGameSessions  Permission = "read sessions"
	launchTest        Permission = "open a game as a test player"
	launchReal        Permission = "open a game as a real player"
	readFreeSpins     Permission = "read free spins"
	grantFreeSpins    Permission = "grant free spins"
	approveExceptions Permission = "approve exceptions from free-spin limits"
	askPlatform       Permission = "ask the platform about free spins"
	readTransactions  Permission = "read transactions"
	copyCallbacks     Permission = "copy callbacks as commands"
	readRounds        Permission = "read rounds"
	readCorrections   Permission = "read corrections"
	askCorrections    Permission = "ask for corrections"
	checkCorrections  Permission = "approve corrections"
	readCases         Permission = "read cases"
	workCases         Permission = "work on cases"
	readStatements    Permission = "read statements"
	runStatements     Permission = "run statements"
	readCallbacks     Permission = "read callbacks"
	readAudit         Permission = "read the audit log"
	readIntegrity     Permission = "read integrity"
	runIntegrity      Permission = "verify the ledger"
	confirmRestores   Permission = "confirm a restored backup"
	readReports       Permission = "read reports"
	signDays          Permission = "sign days"
	exportData        Permission = "export"
	allExports        Permission = "see colleagues' exports"
	readPlatform      Permission = "read the platform's health"
	runGoLive         Permission = "run the go-live checks"
	readStaff         Permission = "read staff"
	manageStaff       Permission = "manage staff"
	readSettings      Permission = "read settings"
	changeSettings    Permission = "change settings"
)

// Doors that need no role.
const (
	machine  Permission = "be a monitor" // asks without a session, and must be answered without the database
	public   Permission = "be anybody"
	halfway  Permission = "have given the right password" // the second factor is still asked for
	arriving Permission = "be signed in, though something has to be set up first"
	signedIn Permission = "be signed in"
)

var doors = map[Permission]bool{machine: true, public: true, halfway: true, arriving: true, signedIn: true}

// grants is the one table of who may do what. An administrator neither requests nor approves money. Compliance reads
// everything, exports, verifies the ledger, writes checkpoints, signs days and confirms restored backups, and changes nothing
// else.
var grants = func() map[Permission][]models.Role {
	const a, b, s, f, c = models.Administrator, models.Bonus, models.Support, models.Finance, models.Compliance
	return map[Permission][]models.Role{
		readOverview:      {a, b, s, f, c},
		readPlayers:       {a, b, s, f, c},
		managePlayers:     {s, f},
		blockPlayers:      {s, f},
		readGames:         {a, b, s, f, c},
		syncGames:         {a, b, s},
		readGameSessions:  {a, b, s, f, c},
		launchTest:        {a, b, s},
		launchReal:        {s},
		readFreeSpins:     {a, b, s, f, c},
		grantFreeSpins:    {b},
		approveExceptions: models.ExceptionRoles,
		askPlatform:       {a, b, s, f},
		readTransactions:  {a, b, s, f, c},
		copyCallbacks:     {a, s, f},
		readRounds:        {a, b, s, f, c},
		readCorrections:   {a, s, f, c},
		askCorrections:    {s, f},
		checkCorrections:  {f},
		readCases:         {a, b, s, f, c},
		workCases:         {b, s, f},
		readStatements:    {a, f, c},
		runStatements:     {f},
		readCallbacks:     {a, b, s, f, c},
		readAudit:         {a, f, c},
		readIntegrity:     {a, f, c},
		runIntegrity:      {a, f, c},
		confirmRestores:   {f, c},
		readReports:       {a, b, f, c},
		signDays:          {f, c},
		exportData:        {b, f, c},
		allExports:        {c},
		readPlatform:      {a, b, s, f, c},
		runGoLive:         {a},
		readStaff:         {a, c},
		manageStaff:       {a},
		readSettings:      {a, c},
		changeSettings:    {a},
	}
}()

// may reports whether the table grants p to a role. An unknown permission is an error, so that a misspelt one fails its page.
func may(role models.Role, p Permission) (bool, error) {
	if doors[p] {
		return true, nil
	}
	roles, known := grants[p]
	if !known {
		return false, fmt.Errorf("app: there is no permission %q", p)
	}
	for _, granted := range roles {
		if granted == role {
			return true, nil
		}
	}
	return false, nil
}
