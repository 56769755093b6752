package demo

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/shopspring/decimal"

	"pitboss/app/bonus"
	"pitboss/models"
)

// actions returns what the demo's staff did, by day. The last day is today.
func (p *past) actions() map[int]func(context.Context) error {
	return map[int]func(context.Context) error{
		1: func(ctx context.Context) error {
			rules := models.DefaultGrantRules
			rules.Limits.Cost = map[models.Currency]models.GrantCost{"EUR": {Grant: 2000, PlayerPerDay: 4000, HousePerDay: 600000}}
			rules.SpinCost = map[models.Currency]models.Amount{"EUR": 20}
			return errors.Join(
				p.change(ctx, "ada", "adam", models.ChangeGrantLimits, rules, "Free spins have a budget in euros."),
				p.change(ctx, "farid", "chloe", models.ChangeBaseCurrency, models.Currency("EUR"), "Our books are in euros."))
		},
		2: func(ctx context.Context) error { return p.grant(ctx, "anna", 3, 10) },
		3: func(ctx context.Context) error {
			return p.correct(ctx, "sofia", "mira", true, "anna", models.CorrectionRequest{Kind: models.CorrectCredit, Amount: 1000,
				Reason: "goodwill", Text: "The game froze for an evening.", Reference: "Ticket 4417"})
		},
		4: func(ctx context.Context) error {
			return errors.Join(
				p.incidents(ctx, "rollback of nothing", "free spin of no grant", "other content", "stranded bet", "win without a bet"),
				p.night(ctx))
		},
		5: func(ctx context.Context) error {
			return errors.Join(p.statement(ctx),
				p.close(ctx, "farid", models.CaseExplained, "The platform confirmed that its retry lost the first attempt.",
					models.CaseUnknownRollback, models.CaseOtherContents, models.CaseUnexplainedSpin),
				p.close(ctx, "mira", models.CaseWrittenOff,
					"The provider sees the win on its side. 0.50 to 5.00 is not worth a dispute.", models.CaseWinWithoutBet))
		},
		6: func(ctx context.Context) error {
			return errors.Join(p.prove(ctx),
				p.campaign(ctx, "loyalty.csv", "Loyalty, level 4", 0, "anna", "bertold", "chiara", "elif", "hugo", "jan"))
		},
		12: func(ctx context.Context) error {
			return p.correct(ctx, "sofia", "farid", false, "hugo", models.CorrectionRequest{Kind: models.CorrectCredit, Amount: 20000,
				Reason: "goodwill", Text: "Says that a win is missing.", Reference: "Ticket 4502"})
		},
		15: func(ctx context.Context) error {
			return p.complain(ctx, "sofia", "hugo", models.NewComplaint{Reference: "ADR 2026/114", Due: p.now().AddDate(0, 0, 8),
				Text: "I won 200.00 on Thursday, and your support refuses to look at it."})
		},
		18: func(ctx context.Context) error { // the platform counts a spin of this grant but never sends it
			return errors.Join(p.grant(ctx, "chiara", 7, 12), p.incidents(ctx, "spin", "spin", "spin that never came"))
		},
		20: func(ctx context.Context) error {
			return errors.Join(
				p.incidents(ctx, "rollback of nothing", "other content", "stranded bet", "win without a bet", "sign used twice", "overdrawn",
					"spin", "spin", "free spin of no grant"),
				p.prove(ctx))
		},
		Days: func(ctx context.Context) error { // work that waits for people
			crowd := userIDs(crowdOf(min(p.Size.Crowd, 120)))
			_, _, err := p.bonus.Request(ctx, p.staff["bruno"], p.upload("One player", "VIP of the month", 120, "anna"))
			return errors.Join(err, p.rates(ctx), p.statement(ctx), p.sim.SetMood("assignFreeSpin=dropped-after:1"), p.grant(ctx, "bertold", 1, 20),
				p.campaign(ctx, "new-game-week.csv", "New game of the week", len(crowd)/3, crowd...),
				p.correct(ctx, "farid", "", false, "hugo", models.CorrectionRequest{Kind: models.CorrectCredit, Amount: 2500,
					Reason: "goodwill", Text: "The welcome bonus was promised twice.", Reference: "Ticket 4533"}),
				p.correct(ctx, "sofia", "", false, "chiara", models.CorrectionRequest{Kind: models.CorrectCredit, Amount: 1500,
					Reason: "goodwill", Text: "Waited two days for an answer.", Reference: "Ticket 4540"}))
		},
	}
}

// change has two people change a setting: maker requests the change, checker approves it.
func (p *past) change(ctx context.Context, maker, checker string, subject models.ChangeSubject, value any, reason string) error {
	r, err := p.store.RequestChange(ctx, p.staff[maker], subject, value, reason)
	if err != nil {
		return err
	}
	_, err = decide(ctx, p.store, p.staff[checker], &r, models.Decision{Kind: "change", ID: r.ID, Do: models.ApprovalApproved})
	return err
}

// rates has finance enter the exchange rates up to yesterday, and compliance confirm them.
func (p *past) rates(ctx context.Context) error {
	sheet := models.RateSheet{Base: "EUR"}
	for i, c := range []models.Currency{"BRL", "TRY", "UAH"} {
		r := models.Rate{Currency: c}
		for day := range Days {
			r.Before, r.BeforeDay = r.Rate, r.Day
			r.Day, r.Rate = models.DayOf(p.first.AddDate(0, 0, day), time.UTC), decimal.New([]int64{1610, 203, 206}[i]+int64(day%7), -4)
			sheet.Rates = append(sheet.Rates, r)
		}
	}
	return p.change(ctx, "farid", "chloe", models.ChangeRates, sheet, "Reference rates of the last weeks.")
}

// sign has finance and compliance sign yesterday.
func (p *past) sign(ctx context.Context, day int) error {
	if day == 0 || day > Days-UnsignedDays {
		return nil
	}
	yesterday := models.DayOf(p.first.AddDate(0, 0, day-1), time.UTC)
	for _, name := range []string{[]string{"farid", "mira"}[day%2], "chloe"} {
		interval, err := p.store.DayInterval(ctx, yesterday)
		if err != nil {
			return err
		}
		groups, err := p.store.DayGroups(ctx, yesterday)
		if err != nil {
			return err
		}
		standing, _, err := p.store.DayStanding(ctx, interval)
		if err != nil {
			return err
		}
		p.forward(7 * time.Minute)
		seen := models.DaySeen{Figures: models.ReportDigest(interval, groups), Standing: standing.Standing()}
		if _, err := p.store.SignDay(ctx, p.staff[name], yesterday, seen,
			"Compared with the platform’s figures."); err != nil {
			return fmt.Errorf("sign %s: %w", yesterday, err)
		}
	}
	return nil
}

// grant grants spins on one of the games. The outcome may stay unknown.
func (p *past) grant(ctx context.Context, user models.UserID, game int, spins int64) error {
	p.forward(9 * time.Minute)
	_, err := p.bonus.Grant(ctx, p.by("bruno"), models.GrantRequest{UserID: user, GameID: models.GameID(p.sim.Games()[game].GameID),
		Spins: spins, Reason: "Goodwill", Role: models.Bonus})
	return err
}

// correct requests a correction and has checker approve or refuse it. Without a checker it stays waiting.
func (p *past) correct(ctx context.Context, maker, checker string, approve bool, user models.UserID, r models.CorrectionRequest) error {
	player, _, err := p.store.Player(ctx, user)
	if err != nil {
		return err
	}
	r.PlayerID = player.ID
	asked, err := p.store.RequestCorrection(ctx, p.staff[maker], r)
	if err != nil || checker == "" {
		return err
	}
	p.forward(25 * time.Minute)
	d := models.Decision{Kind: "correction", ID: asked.ID, Do: models.ApprovalApproved}
	if outlook, err := p.store.Outlook(ctx, asked); err != nil {
		return err
	} else if d.Basis = outlook.CorrectionBasis; !approve {
		d.Do, d.Why = models.ApprovalRefused, "The player’s own history explains it."
	}
	_, err = decide(ctx, p.store, p.staff[checker], &asked, d)
	return err
}

// complain records a complaint from a player who reads Spanish, and assigns it to the person who recorded it.
func (p *past) complain(ctx context.Context, by string, user models.UserID, c models.NewComplaint) error {
	player, _, err := p.store.Player(ctx, user)
	if err != nil {
		return err
	}
	c.PlayerID = player.ID
	id, err := p.store.OpenComplaint(ctx, p.by(by), c)
	if err != nil {
		return err
	}
	return errors.Join(p.store.OwnCase(ctx, p.by(by), id, "", by, ""),
		p.store.SetLanguage(ctx, p.by(by), player.ID, "es", "Europe/Madrid"))
}

// statement has finance compare the platform's statement of yesterday with the ledger.
func (p *past) statement(ctx context.Context) error {
	until := models.DayOf(p.now(), time.UTC).Begin(time.UTC)
	from := until.AddDate(0, 0, -1)
	var file bytes.Buffer
	if err := p.sim.WriteStatement(&file, from, until); err != nil {
		return err
	}
	st, err := p.statements.Keep(ctx, p.by("farid"), 0, "statement-"+from.Format(time.DateOnly)+".csv", bytes.NewReader(file.Bytes()))
	if err != nil {
		return err
	}
	st.Since, st.Until = from, until
	run, err := p.store.BeginStatementRun(ctx, p.by("farid"), st)
	if err == nil {
		_, err = p.statements.Compare(ctx, run.ID, nil)
	}
	return err
}

// close closes the open cases that these rules opened.
func (p *past) close(ctx context.Context, by string, to models.CaseState, reason string, rules ...models.CaseRule) error {
	for _, rule := range rules {
		p.forward(11 * time.Minute)
		if _, err := p.store.DecideCases(ctx, p.by(by), models.CaseFilter{Rule: rule, State: models.CaseOpen}, to, reason,
			100); err != nil {
			return err
		}
	}
	return nil
}

// prove verifies everything and writes a checkpoint.
func (p *past) prove(ctx context.Context) error {
	began := p.now()
	_, err := p.store.FindCases(ctx, models.CaseRulesConfig{}) // as the job does every few seconds
	if err != nil {
		return err
	}
	v, err := p.store.Verify(ctx, nil)
	if err == nil && v.Faults() > 0 {
		err = fmt.Errorf("verification found %d faults", v.Faults())
	}
	p.forward(3 * time.Second)
	if err == nil {
		err = p.store.RecordVerification(ctx, p.by("chloe"), began, v)
	}
	if err == nil {
		_, err = p.evidence.Write(ctx, p.by("chloe"))
	}
	return err
}

// upload returns a campaign that grants each of the users spins on one of the games.
func (p *past) upload(file, name string, spins int64, users ...string) bonus.Upload {
	u := bonus.Upload{CampaignTerms: models.CampaignTerms{Name: name, BudgetSpins: int64(len(users)) * spins}, FileName: file}
	for i, user := range users {
		u.Lines = append(u.Lines, models.GrantLine{Line: i + 1, UserID: models.UserID(user),
			GameID: models.GameID(p.sim.Games()[2].GameID), Spins: spins})
	}
	return u
}

// campaign grants ten spins to each of the users. If paused is not 0, the campaign is paused after that many lines.
func (p *past) campaign(ctx context.Context, file, name string, paused int, users ...string) error {
	u := p.upload(file, name, 10, users...)
	u.Role = models.Bonus
	campaign, bad, err := p.bonus.Create(ctx, p.by("bruno"), u)
	if err != nil || len(bad) > 0 {
		return errors.Join(err, fmt.Errorf("%d lines of the campaign are wrong", len(bad)))
	}
	var failed error
	_, err = p.bonus.Run(ctx, campaign.ID, func(now models.Campaign) {
		if paused > 0 && now.Granted.Lines == int64(paused) {
			failed = p.store.SetCampaignState(ctx, p.by("bruno"), campaign.ID, models.JobPaused, "The provider is repairing the game.")
		}
	})
	return errors.Join(err, failed)
}
