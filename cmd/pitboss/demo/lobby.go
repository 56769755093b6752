package demo

import (
	"context"
	"errors"
	"fmt"

	"pitboss/models"
	"pitboss/models/store"
)

// lobby has the terms of the lobby's API client, which only reaches test players and only works from this machine.
var lobby = models.APITerms{Name: "lobby", Test: true, PerMinute: 6000, Networks: "127.0.0.1/32, ::1/128",
	Cash: "EUR 1000.00, TRY 50000.00", ApproveAbove: "EUR 100.00, TRY 5000.00",
	Scopes: []models.APIScope{models.ScopePlayers, models.ScopeDeposits, models.ScopeCashouts, models.ScopeLaunches,
		models.ScopeRead}}

// LobbyToken returns a new token for the lobby's API client. The token is valid for this run: it is stored nowhere, and it
// replaces the earlier one. At the first start, the demo's administrators create the client.
func LobbyToken(ctx context.Context, s *store.Store) (token string, err error) {
	var signers []models.Signer
	for _, name := range []string{"ada", "adam"} {
		member, found, err := s.StaffNamed(ctx, name)
		if err != nil || !found {
			return "", errors.Join(err, fmt.Errorf("%s has no account", name))
		}
		signers = append(signers, models.Signer{Actor: models.Actor{Name: name, Channel: models.ChannelCommandLine, Session: "demo"},
			StaffID: member.ID, Role: member.Role})
	}
	id, err := lobbyClient(ctx, s)
	if err == nil && id == 0 {
		var r models.ChangeRequest
		if r, err = s.RequestChange(ctx, signers[0], models.ChangeAPIClient, models.APITermsRequest{APITerms: lobby},
			"The demo's lobby, for test players."); err == nil {
			_, err = decide(ctx, s, signers[1], &r, models.Decision{Kind: "change", ID: r.ID, Do: models.ApprovalApproved})
		}
		if err == nil {
			id, err = lobbyClient(ctx, s)
		}
	}
	if err != nil {
		return "", err
	}
	begin, r, err := s.RequestAPISecret(ctx, signers[0], id, 0, "The demo has started.")
	var pending models.ChangePendingError
	if errors.As(err, &pending) { // an earlier start was interrupted
		if r, _, err = s.ChangeRequest(ctx, pending.ID); err == nil {
			_, err = decide(ctx, s, signers[0], &r, models.Decision{Kind: "change", ID: r.ID, Do: models.ApprovalWithdrawn})
		}
		if err != nil {
			return "", err
		}
		begin, r, err = s.RequestAPISecret(ctx, signers[0], id, 0, "The demo has started.")
	}
	if err != nil {
		return "", err
	}
	done, err := decide(ctx, s, signers[1], &r, models.Decision{Kind: "change", ID: r.ID, Do: models.ApprovalApproved})
	if err != nil {
		return "", err
	}
	return begin + done.(*models.ChangeRequest).Half, nil
}

// decide decides a request as d says, as somebody who has just opened its page.
func decide(ctx context.Context, s *store.Store, by models.Signer, r models.Requested, d models.Decision) (models.Requested, error) {
	var err error
	if d.Seen, err = s.Seen(ctx, r); err != nil {
		return nil, err
	}
	return s.Decide(ctx, by, d)
}

// lobbyClient returns the number of the lobby's client, or 0 if there is none yet.
func lobbyClient(ctx context.Context, s *store.Store) (id int64, err error) {
	list, err := s.APIClients(ctx, models.APIClientFilter{Span: models.Span{Limit: 200}})
	for _, c := range list.Rows {
		if c.Name == lobby.Name {
			id = c.ID
		}
	}
	return id, err
}
