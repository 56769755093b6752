package app_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"pitboss/app/apptest"
	"pitboss/app/browsertest"
	"pitboss/models"
)

// A part of a page that refreshes itself leaves the keyboard where it is, and a page does not load again under what its reader
// types.
func TestLivePartsInTheBrowser(t *testing.T) {
	s := apptest.SqliteSite(t)
	s.StopExports()
	chloe := s.Hire("chloe", models.Compliance)
	made, err := s.Store.CreateExport(t.Context(), models.Actor{Name: "chloe"},
		models.Export{StaffID: chloe.ID, List: "/rounds", Title: "Rounds", Zone: "UTC", Format: models.CSV})
	require.NoError(t, err)
	tab := browsertest.Start(t).Open(t, browsertest.View{})
	s.SignInTab(tab, "chloe")
	tab.Go(s.Base.String() + "/exports")
	tab.WaitText("#exports", "Waiting its turn")
	at := func() string { return tab.Attribute("#exports a:focus", "href") }
	for range 100 {
		if at() != "" {
			break
		}
		tab.Press("\t")
	}
	href := at()
	require.NotEmpty(t, href)
	begun, err := s.Store.BeginJob(t.Context(), models.ExportJobs, made.ID)
	require.NoError(t, err)
	require.True(t, begun)
	tab.WaitText("#exports", "Being written")
	require.Equal(t, href, at())

	tab.Go(s.Base.String() + fmt.Sprint("/exports/", made.ID))
	tab.Wait("#progress .pb-live")
	tab.Fill("[data-jump]", "ann")
	_, err = s.Store.FinishExport(t.Context(), made.ID, models.ExportOutcome{Failure: "The disk is full."})
	require.NoError(t, err)
	tab.RequireFine("export-while-typing") // this takes longer than several polls
	require.Equal(t, "ann", tab.Value("[data-jump]"))
	tab.Fill("[data-jump]", "")
	tab.WaitText("h1", "Failed")
}

// Somebody types on while a list of matches is shown. What the list offered for the text before cannot be chosen.
func TestMatchesOfTheTextBeforeInTheBrowser(t *testing.T) {
	s := apptest.SqliteSite(t)
	for _, user := range []models.UserID{"anna", "andy"} {
		s.NewPlayer(user, false)
	}
	s.Hire("bruno", models.Bonus)
	tab := browsertest.Start(t).Open(t, browsertest.View{})
	s.SignInTab(tab, "bruno")
	tab.Go(s.Base.String() + "/campaigns/new")
	tab.Fill("#f-player", "an")
	tab.Wait(`#f-player-list [data-value="andy"]`)
	tab.Press("na")
	tab.Click("#f-player-list [role=option]")
	require.Equal(t, "anna", tab.Value("#f-player"))
}
