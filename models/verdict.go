package models

import "cmp"

// Verdict is what became of a callback. It is more precise than the result code of the answer.
type Verdict uint8

// Verdicts are stored; their numbers never change. Those of declines follow from the numbers of Decline.
const (
	// Applied: the operation took effect.
	Applied = Verdict(None) + 1

	// Declined by the wallet's rules.

	VerdictUnknownPlayer     = Verdict(UnknownPlayer) + 1
	VerdictRolledBack        = Verdict(RolledBack) + 1
	VerdictNotFound          = Verdict(NotFound) + 1
	VerdictDuplicate         = Verdict(Duplicate) + 1
	VerdictPlayerRestricted  = Verdict(PlayerRestricted) + 1
	VerdictInsufficientFunds = Verdict(InsufficientFunds) + 1
	VerdictBalanceOverflow   = Verdict(BalanceOverflow) + 1
	VerdictSignReused        = Verdict(SignReused) + 1
	VerdictGrantMissing      = Verdict(GrantMissing) + 1
	VerdictHouseFrozen       = Verdict(HouseFrozen) + 1
	// VerdictLimitReached is a bet that was refused because of one of the player's limits. The cause says which.
	VerdictLimitReached = Verdict(LimitReached) + 1
	// VerdictOtherContents is a duplicate whose contents differ from the first.
	VerdictOtherContents Verdict = 19

	// Refused before the store was called.

	VerdictWrongInput   Verdict = 20
	VerdictInvalidSign  Verdict = 21
	VerdictOtherAgent   Verdict = 22
	VerdictFault        Verdict = 23 // an internal error
	VerdictForbidden    Verdict = 24 // from an address that is not allowed
	VerdictNotACallback Verdict = 25

	// VerdictNoAnswer: the store did not give a definite answer in time.
	VerdictNoAnswer Verdict = 30

	// VerdictLeftOut is a record of how many callbacks are missing from the log. What they booked is in the ledger.
	VerdictLeftOut Verdict = 40
)

// verdicts has everything that is said about a verdict, and about the decline that has it: in logs and on pages, in the answer
// to the platform, and to the player about a refused bet.
var verdicts = [256]struct {
	word   string
	result int // the result code (specification, Errors 2), or NoAnswer if this is not a definite answer to a callback
	public int // the same in the platform's public dialect
	bet    BetRefusal
}{
	Applied:                  {"applied", 0, 0, BetRefusal{}},
	VerdictUnknownPlayer:     {"unknown player", 2, 5, BetRefusal{}},
	VerdictRolledBack:        {"already rolled back", 9, 9, BetRefusal{"", "the platform had canceled it already", "canceled"}},
	VerdictNotFound:          {"transaction not found", 8, 8, BetRefusal{}},
	VerdictDuplicate:         {"duplicate transaction", 11, 11, BetRefusal{}},
	VerdictOtherContents:     {"resent with different data", 11, 11, BetRefusal{"", "transaction ID reused with different details", "technical"}},
	VerdictPlayerRestricted:  {"player restricted", 1, 1, BetRefusal{"restriction", "the player was restricted", "restricted"}},
	VerdictHouseFrozen:       {"all play is frozen", 1, 1, BetRefusal{"restriction", "all play was frozen", "frozen"}},
	VerdictLimitReached:      {"player's limit reached", 1, 1, BetRefusal{"limit", "the player’s limit was reached", "some limit"}},
	VerdictInsufficientFunds: {"insufficient funds", 6, 6, BetRefusal{"balance", "the balance was too low", "low balance"}},
	VerdictBalanceOverflow:   {"balance overflow", 1, 1, BetRefusal{"", "", "technical"}},
	VerdictSignReused:        {"signature reused for different values", 3, 3, BetRefusal{"", "", "technical"}},
	VerdictGrantMissing:      {"free spin without a grant", 1, 1, BetRefusal{"", "", "technical"}},

	VerdictWrongInput:   {"wrong input", 2, 2, BetRefusal{}},
	VerdictInvalidSign:  {"invalid sign", 3, 3, BetRefusal{}},
	VerdictOtherAgent:   {"another agent", 2, 4, BetRefusal{}},
	VerdictFault:        {"internal error", 1, 1, BetRefusal{}},
	VerdictForbidden:    {"address not allowed", NoAnswer, NoAnswer, BetRefusal{}},
	VerdictNotACallback: {"not a callback", NoAnswer, NoAnswer, BetRefusal{}},
	VerdictNoAnswer:     {"no definite answer", NoAnswer, NoAnswer, BetRefusal{}},
	VerdictLeftOut:      {"callbacks left out", NoAnswer, NoAnswer, BetRefusal{}},

	// Cash, which no callback moves.
	Verdict(CashOutEnded) + 1:  {"cash-out already paid or returned", NoAnswer, NoAnswer, BetRefusal{}},
	Verdict(OtherCurrency) + 1: {"another currency than the player's", NoAnswer, NoAnswer, BetRefusal{}},
	Verdict(ClientLimit) + 1:   {"API client's limit for the day reached", NoAnswer, NoAnswer, BetRefusal{}},
}

// BetRefusal is why a bet was not placed. It is zero for other verdicts; a repeated callback is not a refused bet.
type BetRefusal struct {
	Badge  string // in a word, after "Refused"; may be empty
	Note   string // in a few words
	Answer string // for the player: the text "why ..." of app/answers
}

// VerdictOf returns the verdict of a decision.
func VerdictOf(d Decline, otherContents bool) Verdict {
	if otherContents {
		return VerdictOtherContents
	}
	return Verdict(d) + 1
}

// String returns the verdict in words.
func (v Verdict) String() string { return cmp.Or(verdicts[v].word, "unknown") }

// Result returns the result code of a callback that ends with this verdict, in the platform's public dialect or that of the
// specification. It is 1, general error, if the verdict has no other.
func (v Verdict) Result(public bool) int {
	said := &verdicts[v]
	switch {
	case said.word == "" || said.result == NoAnswer:
		return 1
	case public:
		return said.public
	}
	return said.result
}

// Bet returns why a bet with this verdict was not placed, from its player's point of view.
func (v Verdict) Bet() BetRefusal { return verdicts[v].bet }

// BetRefusals returns the verdicts after which a bet was not placed.
func BetRefusals() (list []Verdict) {
	for v := range verdicts {
		if verdicts[v].bet != (BetRefusal{}) {
			list = append(list, Verdict(v))
		}
	}
	return list
}

// Results returns the verdicts that are answered with each result code of the specification.
func Results() map[int][]Verdict {
	of := map[int][]Verdict{}
	for v, r := range verdicts {
		if r.word != "" && r.result != NoAnswer {
			of[r.result] = append(of[r.result], Verdict(v))
		}
	}
	return of
}

// Proven reports whether the verdict was given after the signature had been verified, so that the sender is known.
func (v Verdict) Proven() bool {
	return v <= VerdictOtherContents || v == VerdictOtherAgent || v == VerdictNoAnswer
}
