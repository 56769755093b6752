package models

// BridgeStep is a row of a bridge: a total, or what leads from one total to the next.
type BridgeStep uint8

// The steps, in their order.
const (
	BridgeTheirs      BridgeStep = 1
	BridgeAmount      BridgeStep = 2
	BridgeState       BridgeStep = 3
	BridgeOnlyOurs    BridgeStep = 4
	BridgeOnlyTheirs  BridgeStep = 5
	BridgeCompared    BridgeStep = 6
	BridgeAside       BridgeStep = 7
	BridgeRolledBack  BridgeStep = 8
	BridgeCorrected   BridgeStep = 9
	BridgeCallbacks   BridgeStep = 10
	BridgeAdjustments BridgeStep = 11
	BridgeOpenings    BridgeStep = 12
	BridgeOtherDays   BridgeStep = 13
	BridgeReport      BridgeStep = 14
	BridgeLater       BridgeStep = 15
	BridgeAfter       BridgeStep = 16
)

var bridgeWords = words[BridgeStep]{
	{BridgeTheirs, "the platform’s file"},
	{BridgeAmount, "amounts that differ"},
	{BridgeState, "states that differ"},
	{BridgeOnlyOurs, "missing at platform"},
	{BridgeOnlyTheirs, "missing here"},
	{BridgeCompared, "ours, as compared"},
	{BridgeAside, "set aside near the start or end"},
	{BridgeRolledBack, "rollbacks on another day than their transactions"},
	{BridgeCorrected, "corrections since the comparison, on these days"},
	{BridgeCallbacks, "callbacks since the comparison, on these days"},
	{BridgeAdjustments, "credits and debits, which the platform does not know"},
	{BridgeOpenings, "opening balances, which the platform does not know"},
	{BridgeOtherDays, "counted on other days, or not counted yet"},
	{BridgeReport, "our report now"},
	{BridgeLater, "corrections of these transactions, on later days"},
	{BridgeAfter, "our books after these corrections"},
}

// String returns the step in words.
func (s BridgeStep) String() string { return bridgeWords.of(s, "unknown") }

// Total reports whether the row is a total, and not a step between two of them.
func (s BridgeStep) Total() bool {
	return s == BridgeTheirs || s == BridgeCompared || s == BridgeReport || s == BridgeAfter
}

// BucketSteps are the steps of the differences between the platform's figures and ours.
var BucketSteps = map[Bucket]BridgeStep{AmountDiffers: BridgeAmount, StateDiffers: BridgeState, OnlyOurs: BridgeOnlyOurs,
	OnlyTheirs: BridgeOnlyTheirs}

// BridgeRow is a row of a bridge.
type BridgeRow struct {
	Step     BridgeStep
	Turnover Amount
	Wins     Amount // including those of free spins
	Moved    Amount // how balances changed
}

// Add adds a turnover, wins, and another change of balances.
func (r *BridgeRow) Add(turnover, wins, other Amount) {
	r.Turnover, r.Wins = r.Turnover.Add(turnover), r.Wins.Add(wins)
	r.Moved = r.Moved.Add(wins).Sub(turnover).Add(other)
}

// Bridge leads from the platform's figures in a compared statement, over the differences, to our report of the same days as it
// is now, and on to the corrections that were booked on later days, in one currency. Test players are included.
type Bridge struct {
	Currency Currency
	rows     [BridgeAfter + 1]BridgeRow
}

// Row returns the row of a step, to add to it.
func (b *Bridge) Row(s BridgeStep) *BridgeRow { return &b.rows[s] }

// Complete fills in the totals that follow from other rows, and what the report counts on another day than the comparison: all
// that no other row explains.
func (b *Bridge) Complete() {
	other := b.rows[BridgeReport]
	for s := BridgeCompared; s < BridgeOtherDays; s++ {
		r := b.rows[s]
		other.Turnover, other.Wins, other.Moved = other.Turnover.Sub(r.Turnover), other.Wins.Sub(r.Wins),
			other.Moved.Sub(r.Moved)
	}
	b.rows[BridgeOtherDays] = other
	if later := b.rows[BridgeLater]; later != (BridgeRow{}) {
		r := b.rows[BridgeReport]
		b.rows[BridgeAfter] = BridgeRow{Turnover: r.Turnover.Add(later.Turnover), Wins: r.Wins.Add(later.Wins),
			Moved: r.Moved.Add(later.Moved)}
	}
}

// Rows returns the totals, and the steps that are not zero.
func (b *Bridge) Rows() (list []BridgeRow) {
	later := b.rows[BridgeLater] != (BridgeRow{})
	for s := BridgeTheirs; s <= BridgeAfter; s++ {
		if r := b.rows[s]; r != (BridgeRow{}) || s.Total() && (s != BridgeAfter || later) {
			r.Step = s
			list = append(list, r)
		}
	}
	return list
}
