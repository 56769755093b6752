package models

// PlayerFilter selects players in the byte order of their UserIDs. Zero values select all.
type PlayerFilter struct {
	Span
	Beginning string // of the UserID
	Currency  Currency
	// Restricted is whether a restriction stops the player from playing now.
	Restricted *bool
	Test       *bool
	Language   *string // empty for players whose language is not known

	// From and To are the days, of the zone of reports, on which the amounts are added up; Since and Until are their times,
	// between which spins were granted. Empty ones are no limit. An amount is the least, in minor units of any currency.
	From, To                Day
	Turnover, Loss, Deposit *Amount
	Spins                   PlayerSpins

	PlayedSince    Day // players with a bet or a free spin on this day or later
	NotPlayedSince Day // players without one
	CampaignID     int64
	InCampaign     PlayerSpins // what became of the campaign's spins; 0 for all of its players
}

// PlayerSpins is a player's use of granted spins.
type PlayerSpins uint8

// What players did with spins.
const (
	SpinsGranted PlayerSpins = 1
	SpinsUsed    PlayerSpins = 2 // at least one of a grant
	SpinsUnused  PlayerSpins = 3 // none of a grant, which is active or has expired
)

// ManyPlayers is up to how many players of a list are counted.
const ManyPlayers = 10_000
