package demo

import (
	"context"
	"errors"
	"fmt"
	"time"

	"pitboss/models"
)

// actions returns what the demo's staff did in its past, by day. The last day is today.
func (p *past) actions() map[int]action {
	return map[int]action{
		1: func(ctx context.Context) error {
			rules := models.DefaultGrantRules
			rules.Limits.Cost = map[models.Currency]models.GrantCost{"EUR": {Grant: 2000, PlayerPerDay: 4000, HousePerDay: 600000}}
			rules.SpinCost = map[models.Currency]models.Amount{"EUR": 20}
			r, err := p.store.RequestChange(ctx, p.staff["ada"], models.ChangeGrantLimits, rules,
				"Free spins have a budget in euros.")
			if err != nil {
				return err
			}
			p.forward(40 * time.Minute)
			_, err = p.store.ApproveChange(ctx, p.staff["adam"], r.ID)
			return err
		},
		2: func(ctx context.Context) error {
			_, err1 := p.grant(ctx, "anna", 3, 10, "Welcome")
			_, err2 := p.grant(ctx, "deniz", 5, 20, "Welcome")
			return errors.Join(err1, err2, p.review(ctx))
		},
		3: func(ctx context.Context) error {
			return p.correct(ctx, "sofia", "mira", "approve", "anna", models.CorrectionRequest{
				Kind: models.CorrectCredit, Amount: 1000, Reason: "goodwill", Text: "The game froze for an evening.",
				Reference: "Ticket 4417",
			})
		},
		4: func(ctx context.Context) error {
			return errors.Join(
				p.incidents(ctx, "rollback of nothing", "free spin of no grant", "other content", "stranded bet", "win without a bet"),
				p.night(ctx))
		},
		5: func(ctx context.Context) error {
			return errors.Join(
				p.statement(ctx, "farid", 1),
				p.close(ctx, "farid", models.CaseExplained, "The platform confirmed that its retry lost the first attempt.",
					models.CaseUnknownRollback, models.CaseOtherContents),
				p.close(ctx, "bruno", models.CaseExplained, "A promotion of the provider, which they granted themselves.",
					models.CaseUnexplainedSpin),
				p.close(ctx, "mira", models.CaseWrittenOff,
					"The provider sees the win on its side. 0.50 to 5.00 is not worth a dispute.", models.CaseWinWithoutBet))
		},
		6: func(ctx context.Context) error {
			if err := p.prove(ctx); err != nil {
				return err
			}
			return p.campaign(ctx, "loyalty.csv", "Loyalty, level 4", 8, 0, "anna", "bertold", "chiara", "elif", "hugo", "jan")
		},
		8: func(ctx context.Context) error {
			campaign, err := p.beyond(ctx, "jan", 80)
			if err != nil {
				return err
			}
			p.forward(30 * time.Minute)
			if err := p.store.ApproveCampaign(ctx, p.staff["farid"], campaign.ID); err != nil {
				return err
			}
			_, err = p.bonus.Run(ctx, campaign.ID, nil)
			return err
		},
		9: func(ctx context.Context) error {
			return p.correct(ctx, "farid", "mira", "approve", "bertold", models.CorrectionRequest{
				Kind: models.CorrectCredit, Amount: 5000, Reason: "paid-in",
				Text: "Bank transfer that arrived twice in our list, once at the bank.", Reference: "SEPA 88214",
			})
		},
		10: func(ctx context.Context) error {
			if err := p.sim.SetMood("assignFreeSpin=dropped-after:1"); err != nil {
				return err
			}
			g, err := p.grant(ctx, "chiara", 4, 15, "Birthday")
			if err != nil || !g.Unresolved() {
				return errors.Join(err, fmt.Errorf("grant %d is %s", g.ID, g.State))
			}
			return nil
		},
		11: func(ctx context.Context) error {
			granted := p.sim.Grants()
			_, err := p.bonus.Resolve(ctx, p.by("bruno"), p.unresolved(ctx), models.GrantResolution{
				Kind: models.ResolvedFound, FreeSpinID: models.FreeSpinID(granted[len(granted)-1].FreeSpinID),
				Note: "Found in the platform’s back office.",
			})
			return errors.Join(err,
				p.close(ctx, "bruno", models.CaseExplained, "Found on the platform, and watched since.",
					models.CaseUnknownGrant))
		},
		12: func(ctx context.Context) error {
			return p.correct(ctx, "sofia", "farid", "refuse", "hugo", models.CorrectionRequest{
				Kind: models.CorrectCredit, Amount: 20000, Reason: "goodwill", Text: "Says that a win is missing.",
				Reference: "Ticket 4502",
			})
		},
		13: p.prove,
		14: func(ctx context.Context) error {
			return errors.Join(p.incidents(ctx, "stranded bet", "overdrawn"), p.night(ctx))
		},
		15: func(ctx context.Context) error {
			err := p.statement(ctx, "mira", 1)
			return errors.Join(err,
				p.complain(ctx, "sofia", "hugo", models.NewComplaint{Reference: "ADR 2026/114", Due: p.today().AddDate(0, 0, 8),
					Text: "I won 200.00 on Thursday, and your support refuses to look at it."}),
				p.close(ctx, "mira", models.CaseExplained,
					"A win was rolled back after it had been bet. The balance is above zero again.",
					models.CaseNegativeBalance))
		},
		16: func(ctx context.Context) error {
			_, err1 := p.grant(ctx, "gabriela", 9, 25, "Reactivation")
			_, err2 := p.grant(ctx, "elif", 6, 10, "Reactivation")
			return errors.Join(err1, err2,
				p.campaign(ctx, "weekend-reload.csv", "Weekend reload", 12, 0, userIDs(crowdOf(min(p.Size.Crowd, 60)))...))
		},
		18: func(ctx context.Context) error {
			// The platform counts a spin of this grant that never comes to us.
			if _, err := p.grant(ctx, "chiara", 7, 12, "Reactivation"); err != nil {
				return err
			}
			return p.incidents(ctx, "spin", "spin", "spin that never came")
		},
		19: p.dayBeforeYesterday,
		20: p.yesterday,
		21: p.leaveWaiting,
	}
}

// unresolved returns the ID of the grant of unknown outcome, or 0.
func (p *past) unresolved(ctx context.Context) int64 {
	list, err := p.store.Grants(ctx, models.GrantFilter{Unresolved: true, Span: models.Span{Limit: 1}})
	if err != nil || len(list.Rows) == 0 {
		return 0
	}
	return list.Rows[0].ID
}

// dayBeforeYesterday has the platform forget a grant.
func (p *past) dayBeforeYesterday(ctx context.Context) error {
	g, err := p.grant(ctx, "fedir", 11, 10, "Goodwill after a failed deposit")
	if err == nil {
		err = p.sim.SetMood("freeSpinStatus=refused(8 no such bonus):1")
	}
	if err == nil {
		p.forward(5 * time.Minute)
		if _, err = p.bonus.Status(ctx, g.ID); err == nil {
			return errors.New("the platform knows a grant that it should have forgotten")
		}
		_, err = p.store.FindCases(ctx, models.CaseRulesConfig{}) // before the platform is asked again and remembers the grant
	}
	return err
}

// yesterday leaves a case of each kind that play can open.
func (p *past) yesterday(ctx context.Context) error {
	return errors.Join(
		p.incidents(ctx, "rollback of nothing", "other content", "stranded bet", "win without a bet", "sign used twice", "overdrawn",
			"spin", "spin", "free spin of no grant"),
		p.prove(ctx))
}

// leaveWaiting leaves work that waits for people today.
func (p *past) leaveWaiting(ctx context.Context) error {
	if err := p.statement(ctx, "farid", 1); err != nil {
		return err
	}
	if err := p.sim.SetMood("assignFreeSpin=dropped-after:1"); err != nil {
		return err
	}
	if _, err := p.grant(ctx, "bertold", 1, 20, "Goodwill"); err != nil {
		return err
	}
	if _, err := p.beyond(ctx, "anna", 120); err != nil {
		return err
	}
	if err := p.campaign(ctx, "new-game-week.csv", "New game of the week", 14, min(p.Size.Crowd/2, 40),
		userIDs(crowdOf(min(p.Size.Crowd, 120)))...); err != nil {
		return err
	}
	if err := p.correct(ctx, "farid", "", "", "hugo", models.CorrectionRequest{
		Kind: models.CorrectCredit, Amount: 2500, Reason: "goodwill", Text: "The welcome bonus was promised twice.",
		Reference: "Ticket 4533",
	}); err != nil {
		return err
	}
	return p.correct(ctx, "sofia", "", "", "chiara", models.CorrectionRequest{
		Kind: models.CorrectCredit, Amount: 1500, Reason: "goodwill", Text: "Waited two days for an answer.",
		Reference: "Ticket 4540",
	})
}

// review has two administrators review all accounts.
func (p *past) review(ctx context.Context) error {
	accounts, err := p.store.UsableAccounts(ctx)
	if err != nil {
		return err
	}
	reviewed := make([]models.ReviewedAccount, len(accounts))
	for i, a := range accounts {
		reviewed[i] = a.Reviewed()
	}
	r, err := p.store.RequestChange(ctx, p.staff["ada"], models.ChangeAccounts, reviewed, "Compared with the staff list of the quarter.")
	if err != nil {
		return err
	}
	p.forward(25 * time.Minute)
	_, err = p.store.ApproveChange(ctx, p.staff["adam"], r.ID)
	return err
}
