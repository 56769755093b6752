package simulator

import (
	"fmt"
	"math/rand/v2"
	"slices"

	"pitboss/callbacks/wire"
	"pitboss/models"
)

// roundKind is a kind of round with its weights: gentle for what a platform usually sends, rough for play that looks for
// faults.
type roundKind struct {
	Name   string
	gentle int
	rough  int
	play   func(*lane)
}

var roundKinds = []roundKind{
	{"spin", 60, 10, (*lane).spin},
	{"bet and win in one", 15, 8, func(l *lane) { bet := l.stake(); l.betWin(bet, l.winning(bet)) }},
	{"several bets and wins", 5, 5, (*lane).manyBets},
	{"free spin", 8, 6, (*lane).freeSpinRound},
	{"voided round", 3, 5, (*lane).voidedRound},
	{"duplicate", 2, 6, (*lane).duplicate},
	{"insufficient funds", 1, 4, (*lane).insufficientFunds},
	{"overdrawn", 0, 3, (*lane).overdrawn},
	{"other content", 0, 3, (*lane).otherContent},
	{"rollback first", 0, 6, (*lane).rollbackFirst},
	{"another player's ID", 0, 3, (*lane).anothersID},

	// These are rounds that a platform should never send and the back office has to notice, and one whose outcome is known
	// beforehand. They are played only from a game's page or if PlayOptions.First names them.
	{"rollback of nothing", 0, 0, func(l *lane) { l.rollback(l.planBet(l.stake())) }},
	{"free spin of no grant", 0, 0, func(l *lane) { l.freeSpin(freeSpinStake, "") }},
	{"stranded bet", 0, 0, (*lane).strandedBet},
	{"win without a bet", 0, 0, func(l *lane) { l.win(l.stake()) }},
	{"sign used twice", 0, 0, (*lane).signUsedTwice},
	// The platform counts a spin as used but never sends it to the wallet.
	{"spin that never came", 0, 0, func(l *lane) { l.run.simulator.books.takeSpin(l.userID) }},
	{"losing spin", 0, 0, func(l *lane) { l.bet(250) }},
}

// refill is the round of a player who is running out of money: a bet of zero with a large win, so that play can go on.
var refill = roundKind{Name: "lucky round", play: func(l *lane) {
	if l.bet(0).standing == applied {
		l.win(10000)
	}
}}

// lowBalance is the balance below which a player gets a refill.
const lowBalance models.Amount = 2000

// freeSpinStake is the nominal stake of a free spin; it does not change the balance.
const freeSpinStake models.Amount = 20

// namedKind returns the kind of round with this name.
func namedKind(name string) (roundKind, bool) {
	i := slices.IndexFunc(roundKinds, func(kind roundKind) bool { return kind.Name == name })
	if i < 0 {
		return roundKind{}, false
	}
	return roundKinds[i], true
}

// planned draws the kind of the next round.
func planned(random *rand.Rand, gentle bool) roundKind {
	var kinds []roundKind // each as often as its weight
	for _, kind := range roundKinds {
		weight := kind.rough
		if gentle {
			weight = kind.gentle
		}
		kinds = append(kinds, slices.Repeat([]roundKind{kind}, weight)...)
	}
	return kinds[random.IntN(len(kinds))]
}

// nextID returns the next transaction ID in the platform's format: 32 hexadecimal characters. It contains the run's ID, so that
// one plan can be played twice against the same wallet, and begins with a letter, so that its upper case is always different.
func (l *lane) nextID() string {
	l.step++
	return fmt.Sprintf("a%s%04x%08x%03x", l.run.id, l.index, l.round, l.step)
}

// stake returns the bet from the options, or draws one: a usual amount in gentle play, any amount otherwise.
func (l *lane) stake() models.Amount {
	if l.run.options.Bet > 0 {
		return l.run.options.Bet
	}
	if l.run.options.Gentle {
		return []models.Amount{20, 50, 100, 200, 500}[l.random.IntN(5)]
	}
	return models.Amount(1 + l.random.IntN(2000))
}

// winning draws the win on a bet, which is nothing two times out of three.
func (l *lane) winning(bet models.Amount) models.Amount {
	if l.random.IntN(3) > 0 {
		return 0
	}
	return bet * []models.Amount{2, 2, 2, 3, 3, 5}[l.random.IntN(6)]
}

func (l *lane) spin() {
	bet := l.stake()
	win := l.winning(bet)
	if l.bet(bet).standing == applied && win > 0 {
		l.win(win)
	}
}

func (l *lane) manyBets() {
	taken := false
	for range 2 + l.random.IntN(3) {
		taken = l.bet(l.stake()).standing == applied || taken
	}
	for wins := 1 + l.random.IntN(2); taken && wins > 0; wins-- {
		l.win(l.stake())
	}
}

// insufficientFunds bets more than the balance, twice with the same ID, and then sends a BetWin whose win would have covered
// its bet.
func (l *lane) insufficientFunds() {
	over := max(1, l.balance+1+models.Amount(l.random.IntN(5000)))
	l.perform("the refused bet again", l.bet(over))
	if !l.run.options.Gentle {
		l.betWin(over, 3*over)
	}
}

// overdrawn rolls back a win that has already been spent, so that the balance becomes negative.
func (l *lane) overdrawn() {
	win := l.win(l.stake() + 1)
	spent := l.bet(max(l.balance, 0))
	l.rollback(win)
	l.bet(0)
	l.bet(l.stake())
	if spent.standing == applied {
		l.rollback(spent)
	}
}

// freeSpinRound plays a spin of a grant. In rough play, the spin may belong to no grant.
func (l *lane) freeSpinRound() {
	freeSpinID := l.run.simulator.books.takeSpin(l.userID)
	stake := freeSpinStake // the same for all spins of a grant: different ones would open a case
	if !l.run.options.Gentle {
		stake *= models.Amount(1 + l.random.IntN(5))
	} else if freeSpinID == "" {
		l.spin()
		return
	}
	win := l.winning(stake)
	spin := l.freeSpin(stake, freeSpinID)
	if !l.run.options.Gentle && l.random.IntN(3) == 0 {
		l.perform("the free spin again", spin)
	}
	if spin.standing == applied && win > 0 {
		l.win(win)
	}
}

func (l *lane) voidedRound() {
	var played *transaction
	if l.random.IntN(3) == 0 {
		bet := l.stake()
		played = l.betWin(bet, l.winning(bet))
	} else {
		played = l.bet(l.stake())
	}
	l.rollback(played)
	if !l.run.options.Gentle {
		l.rollback(played)
		l.perform("the voided bet again", played)
	}
}

func (l *lane) duplicate() {
	bet := l.bet(l.stake())
	l.perform("the bet again", bet)
	if win := l.winning(l.stake()); bet.standing == applied && win > 0 {
		l.perform("the win again", l.win(win))
	}
	if !l.run.options.Gentle {
		l.perform("the bet and win again", l.betWin(l.stake(), l.stake()))
		l.perform("the bet once more", bet)
	}
}

// otherContent repeats a processed ID, once with another amount and once as another kind of transaction.
func (l *lane) otherContent() {
	bet := l.bet(l.stake())
	other := *bet
	other.call.Bet += 1
	l.perform("the same ID with another amount", &other)
	if bet.standing == applied {
		win := *bet
		win.call.Endpoint, win.call.Win, win.call.Bet = wire.Deposit, bet.call.Bet+100, 0
		l.perform("the same ID as a win", &win)
	}
}

// strandedBet is a bet that the wallet processed but the platform considers failed: the game ended before the answer arrived,
// and nobody rolled the bet back. Only the platform's statement shows that.
func (l *lane) strandedBet() {
	if bet := l.bet(l.stake()); bet.standing == applied {
		l.run.simulator.books.write(l.run.simulator.config.Now(), bet.call, lineFailed)
	}
}

// signUsedTwice sends a win with the signature of a declined bet. A Withdraw and a Deposit with the same values have the same
// signature.
func (l *lane) signUsedTwice() {
	poor := l.bet(max(l.balance, 0) + 1_000_000)
	copied := poor.call
	copied.Endpoint, copied.Win, copied.Bet = wire.Deposit, poor.call.Bet, 0
	l.send("a bet's sign under a win", copied, false, only(wire.InvalidSign))
}

// rollbackFirst rolls a transaction back twice before sending it for the first time.
func (l *lane) rollbackFirst() {
	late := l.planBet(l.stake())
	switch l.random.IntN(4) {
	case 0:
		late.call.Endpoint, late.call.Win, late.call.Bet = wire.Deposit, late.call.Bet, 0
	case 1:
		late.call.Endpoint, late.call.Win = wire.BetWin, 2*late.call.Bet
	case 2:
		late.call.FreeSpin = true
	}
	l.rollback(late)
	l.rollback(late)
	l.perform("what was rolled back before it came", late)
	l.rollback(late)
	l.perform("the late original once more", late)
}

// anothersID sends this player's transaction ID for another player. The rollback finds nothing, the bet is a duplicate, and
// neither balance changes.
func (l *lane) anothersID() {
	lanes := l.run.lanes
	bet := l.bet(l.stake())
	if len(lanes) < 2 || bet.standing != applied {
		return
	}
	copied, undo := bet.call, l.undo(bet)
	copied.UserID = lanes[(l.index+1+l.random.IntN(len(lanes)-1))%len(lanes)].userID
	undo.UserID = copied.UserID
	l.send("the same ID for another player", copied, false, only(wire.DuplicateTransaction))
	l.send("another player's rollback", undo, false, only(wire.TransactionNotFound))
	l.perform("the bet again", bet)
	l.rollback(bet)
}
