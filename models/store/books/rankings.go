package books

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"pitboss/models"
	"pitboss/models/store/db"
)

// Rankings show what stands out in a period. They are read from the sums of days and from short tables, never along the ledger.

// rankedFrom is the most rows of a short table that a ranking reads, for one day or for a period.
const rankedFrom = 200_000

// rankingQuery reads the first rows of a ranking. Its sql has @from and @until in microseconds, @first and @last as days,
// @currency, @tests, @most and @limit.
type rankingQuery struct {
	sql   string
	daily bool // it ranks each day by itself, so it is run for each
}

func rankingQueries(d db.Dialect) map[models.Ranking]rankingQuery {
	return map[models.Ranking]rankingQuery{
		models.RankWins: {fmt.Sprintf(`SELECT d.day, d.player_id, p.user_id, d.currency, d.largest_win_minor AS amount_minor,
				COALESCE(t.id, 0) AS transaction_number
			FROM (SELECT day, player_id, currency, largest_win_minor, largest_win_seq FROM daily_sums s%s
				WHERE day = @first AND currency = @currency AND largest_win_minor > 0 AND test IN @tests
				ORDER BY largest_win_minor DESC LIMIT @limit) d
			JOIN players p ON p.id = d.player_id
			LEFT JOIN postings t ON t.player_id = d.player_id AND t.seq = d.largest_win_seq AND t.claim = 1 AND t.kind IN (%d, %d)`,
			db.Path{Index: "daily_sums_win"}.Hint(d), models.Win, models.BetWin), true},
		models.RankRollbacks: {`SELECT d.*, p.user_id FROM (SELECT player_id, MAX(currency) AS currency, SUM(reversals) AS n,
				SUM(bets + spins) AS among FROM daily_sums WHERE day >= @first AND day <= @last AND test IN @tests
				GROUP BY player_id HAVING SUM(reversals) > 0 ORDER BY n DESC, player_id LIMIT @limit) d
			JOIN players p ON p.id = d.player_id ORDER BY d.n DESC, d.player_id`, false},
		// Anybody can send a callback without a valid signature, so a day may have very many.
		models.RankSignatures: {fmt.Sprintf(`SELECT r.address, COUNT(*) AS n FROM (SELECT address FROM callback_records
				WHERE verdict IN (%d, %d) AND at_us >= @from AND at_us < @until LIMIT @most) r
			GROUP BY r.address ORDER BY n DESC, r.address LIMIT @limit`, models.VerdictInvalidSign, models.VerdictSignReused), true},
		models.RankGrants: {fmt.Sprintf(`SELECT g.*, p.user_id FROM (SELECT g.actor, g.player_id, SUM(g.spins) AS n, COUNT(*) AS among
				FROM (SELECT actor, player_id, spins FROM grants WHERE at_us >= @from AND at_us < @until AND state <> %d
					ORDER BY at_us DESC LIMIT @most) g
				JOIN players t ON t.id = g.player_id AND t.test IN @tests
				GROUP BY g.actor, g.player_id ORDER BY n DESC, g.actor, g.player_id LIMIT @limit) g
			JOIN players p ON p.id = g.player_id ORDER BY g.n DESC, g.actor, g.player_id`, models.GrantRefused), false},
		models.RankCorrections: {fmt.Sprintf(`SELECT c.maker AS actor, c.checker AS second, w.currency, COUNT(*) AS n,
				SUM(ABS(c.effect_minor)) AS amount_minor
			FROM (SELECT maker, checker, player_id, effect_minor FROM corrections
				WHERE decided_at_us >= @from AND decided_at_us < @until AND state = %d ORDER BY decided_at_us DESC LIMIT @most) c
			JOIN players p ON p.id = c.player_id AND p.test IN @tests JOIN wallets w ON w.player_id = c.player_id
			GROUP BY c.maker, c.checker, w.currency ORDER BY n DESC, c.maker, c.checker, w.currency LIMIT @limit`,
			models.ApprovalApproved), false},
	}
}

// Ranked returns the first rows of a ranking over the days of a filter. Its Currency only selects among amounts, and its player
// is not used.
func (s *Store) Ranked(ctx context.Context, by models.Ranking, f models.ReportFilter) (list []models.Ranked, err error) {
	rules, err := s.dayRules(s.db.Read.WithContext(ctx))
	if err != nil {
		return nil, err
	}
	if by == models.RankReturns || by == models.RankGameRollbacks {
		games, _, err := s.GamesReport(ctx, f, f.From.Begin(rules.zone), f.To.End(rules.zone))
		for _, g := range games {
			if by == models.RankReturns || g.Reversals > 0 {
				list = append(list, models.Ranked{Game: g, Currency: g.Currency, N: g.Reversals, Among: g.Bets + g.Spins})
			}
		}
		return ranked(list, by), err
	}
	query, known := rankingQueries(s.db.Dialect)[by]
	if !known {
		return nil, fmt.Errorf("there is no ranking %q", by)
	}
	currencies := []models.Currency{f.Currency}
	if by.InMoney() && f.Currency == "" {
		if currencies, err = s.rounds.WalletCurrencies(ctx); err != nil {
			return nil, err
		}
	}
	step := f.Days()
	if query.daily {
		step = 1
	}
	for first := f.From; first <= f.To; first = first.Add(step) {
		last := min(first.Add(step-1), f.To)
		for _, currency := range currencies {
			rows, err := db.All[models.Ranked](s.db.Read.WithContext(ctx), query.sql, map[string]any{
				"first": string(first), "last": string(last), "from": db.Micros(first.Begin(rules.zone)),
				"until": db.Micros(last.End(rules.zone)), "currency": db.Ascii(string(currency)), "tests": tests(f.Test),
				"most": rankedFrom, "limit": models.RankedRows,
			})
			if err != nil {
				return nil, fmt.Errorf("rank %s: %w", strings.ToLower(by.Title()), err)
			}
			for _, r := range rows {
				if query.daily {
					r.Day = first
				}
				list = append(list, r)
			}
		}
		list = ranked(list, by)
	}
	return list, nil
}

// ranked returns the first rows of a ranking: of each currency, if it compares amounts.
func ranked(list []models.Ranked, by models.Ranking) (first []models.Ranked) {
	slices.SortStableFunc(list, func(a, b models.Ranked) int {
		order := cmp.Compare(b.Measure(by), a.Measure(by))
		if by.InMoney() {
			order = cmp.Or(cmp.Compare(a.Currency, b.Currency), order)
		}
		return order
	})
	of := map[models.Currency]int{}
	for _, r := range list {
		in := models.Currency("")
		if by.InMoney() {
			in = r.Currency
		}
		if of[in]++; of[in] <= models.RankedRows {
			first = append(first, r)
		}
	}
	return first
}
