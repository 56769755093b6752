package main

import (
	"context"
	"time"

	"pitboss/app/activity"
	"pitboss/app/catalogue"
	"pitboss/app/jobs"
	"pitboss/models"
)

// background returns all work that the program does at intervals, each time in one of several instances or, if it says
// Everywhere, in each. Only the callback log (callbacks/journal.go) and the comparison of clocks (models/store/db/clock.go) have
// loops of their own.
func (s *Server) background() []jobs.Job {
	bonus, checkpoints := s.services.bonus, s.evidence
	table := []jobs.Job{
		{Name: "figures", Every: 5 * time.Second, Rest: 20, Work: only(s.store.FollowDays)},
		{Name: "cases", Every: 5 * time.Second, Rest: 20, Work: s.findCases},
		{Name: "free spin attribution", Every: 2 * time.Second, Work: only(s.store.FollowSpins)},
		{Name: "grant polling", Every: 15 * time.Second, Work: bonus.Poll},
		{Name: "grant recovery", Every: 30 * time.Second, Work: bonus.Recover},
		{Name: "campaigns to approve", Every: time.Minute, Work: only(s.store.ExpireCampaigns)},
		{Name: "games schedule", Every: catalogue.RetryAfter, Work: s.services.catalogue.Follow},
		{Name: "notices", Every: 10 * time.Second, Work: s.notices.Work},
		{Name: "verification by schedule", Every: time.Minute, Work: checkpoints.VerifyDaily},
		{Name: "unused accounts", Every: time.Hour, Work: s.disableUnused},
		{Name: "callback log", Every: time.Hour, Work: s.purgeCallbacks},
		{Name: "old callback counts", Every: time.Hour, Work: s.activity.Forget},
		{Name: "lost files", Every: time.Hour, Work: s.store.DeleteLostFiles},

		// What people request (app/jobs/requests.go).
		bonus.Campaigns(), s.statements.Comparisons(), checkpoints.Verifications(),

		{Name: "callback counts", Every: activity.Every, Everywhere: true, Waits: true, Work: s.activity.Flush},
		{Name: "older state", Every: time.Minute, Everywhere: true, Waits: true, Work: checkpoints.Look},
		{Name: "program run", Every: time.Minute, Everywhere: true, Waits: true, Work: func(ctx context.Context) error {
			return s.store.SeeProgramRun(ctx, s.run)
		}},
	}
	if checkpoints.Scheduled() {
		table = append(table, jobs.Job{Name: "checkpoint by schedule", Every: min(time.Minute, checkpoints.Every), Work: checkpoints.WriteDue})
	}
	if s.metrics != nil {
		table = append(table, jobs.Job{Name: "metrics", Every: watchEvery, Everywhere: true, Work: s.metrics.watch.read})
	}
	return table
}

// only returns work without its result.
func only[T any](work func(context.Context) (T, error)) func(context.Context) error {
	return func(ctx context.Context) error {
		_, err := work(ctx)
		return err
	}
}

func (s *Server) findCases(ctx context.Context) error {
	_, err := s.store.FindCases(ctx,
		models.CaseRulesConfig{OpenRound: time.Duration(s.settings.Cases.OpenRoundHours) * time.Hour})
	return err
}

func (s *Server) purgeCallbacks(ctx context.Context) error {
	_, err := s.store.PurgeCallbacks(ctx, time.Now().AddDate(0, 0, -s.settings.Callbacks.LogDays))
	return err
}

func (s *Server) disableUnused(ctx context.Context) error {
	n, err := s.store.DisableAllUnused(ctx)
	if n > 0 {
		s.log.Info("Unused accounts were disabled.", "staff", n)
	}
	return err
}
