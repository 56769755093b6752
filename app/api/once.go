package api

import (
	"context"
	"crypto/sha256"
	"encoding/json"
	"strconv"

	"pitboss/models"
)

// A call that changes something takes effect at most once for each client and Idempotency-Key.
//
// The transaction of the change also stores the key, a digest of the contents and the ID of the result. However late a repeat
// comes, it is answered from that result. If the first request was refused, nothing is stored, and a repeat is a new attempt.
// If the outcome of the first request is unknown, because the database or this program failed, the repeat finds out.

// Keyed is the key of a request. It is exported, like Paged and InPath, because huma reads exported fields only.
type Keyed struct {
	Key string `header:"Idempotency-Key" required:"true" maxLength:"64" pattern:"^([!-~]{3,}|[!-~][!-,/-~-]|[!-,/-~-][!-~]?)$" patternDescription:"printable ASCII without blanks, and not . or .. (a URL drops those)" doc:"New for each request, and the same when a request is sent again."`
}

var otherContents = newProblem(409, "key-reused", "This Idempotency-Key was used for a request with other contents. Use a new key "+
	"for each request, and the same one only to send the same request again.")

// once carries out a request unless that was done before, and returns the number of the result, and whether it was done before.
func (s *Server) once(ctx context.Context, route, key string, contents any,
	do func(ctx context.Context, by models.Actor) error) (made int64, repeated bool, err error) {
	want, err := request(ctx, route, key, contents)
	if err != nil {
		return 0, false, err
	}
	had, err := s.answered(ctx, want, func() error { return do(s.Store.ForRequest(ctx, want), callerIn(ctx).Actor) })
	if err != nil {
		return 0, false, err
	}
	made, err = strconv.ParseInt(had.ObjectID, 10, 64)
	return made, had.Number != want.Number, err
}

// request returns a stored request.
func request(ctx context.Context, route, key string, contents any) (models.APIRequest, error) {
	who := callerIn(ctx)
	text, err := json.Marshal(contents)
	return models.APIRequest{ClientID: who.ID, Key: key, Route: route, Number: who.Session,
		Digest: sha256.Sum256(append([]byte(route+"\n"), text...))}, err
}

// answered returns the stored request. If there is none yet, it calls do, which stores the request together with its change.
func (s *Server) answered(ctx context.Context, want models.APIRequest, do func() error) (models.APIRequest, error) {
	find := func() (had models.APIRequest, found bool, err error) {
		had, found, err = s.Store.APIRequest(ctx, want.ClientID, want.Key)
		if found && had.Digest != want.Digest {
			err = otherContents
		}
		return had, found, err
	}
	if had, found, err := find(); found || err != nil {
		return had, err
	}
	failure := do()
	// After a failure too: another request with this key may have been quicker, or COMMIT may have got no answer.
	had, found, err := find()
	if !found && failure != nil {
		err = failure
	}
	return had, err
}
