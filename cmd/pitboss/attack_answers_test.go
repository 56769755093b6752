package main

import (
	"context"
	"encoding/base64"
	"fmt"
	"net"
	"net/http"
	"net/http/httptest"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"pitboss/app/golive"
	"pitboss/app/notices"
	"pitboss/app/platform"
	"pitboss/app/signon"
)

// stranger is a server whose answers do not end, and that counts what is read of them: as fast as they are read, or a byte at a
// time.
type stranger struct {
	*httptest.Server
	mail  net.Listener
	slow  bool
	sent  atomic.Int64
	wants map[string]string // answers that end, by path
}

func newStranger(t *testing.T, slow bool) *stranger {
	s := &stranger{slow: slow, wants: map[string]string{}}
	s.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		if text, ends := s.wants[r.URL.Path]; ends {
			fmt.Fprint(w, text)
			return
		}
		w.WriteHeader(http.StatusOK)
		s.talk(r.Context(), func(b []byte) error {
			_, err := w.Write(b)
			w.(http.Flusher).Flush()
			return err
		})
	}))
	var err error
	s.mail, err = net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	go func() {
		for {
			conn, err := s.mail.Accept()
			if err != nil {
				return
			}
			go func() {
				defer conn.Close()
				s.talk(t.Context(), func(b []byte) error {
					_, err := conn.Write(b)
					return err
				})
			}()
		}
	}()
	t.Cleanup(func() {
		s.mail.Close()
		s.CloseClientConnections()
		s.Close()
	})
	return s
}

func (s *stranger) talk(ctx context.Context, write func([]byte) error) {
	block := make([]byte, 32<<10)
	for i := range block {
		block[i] = ' '
	}
	if s.slow {
		block = block[:1]
	}
	for ctx.Err() == nil {
		if write(block) != nil {
			return
		}
		s.sent.Add(int64(len(block)))
		if s.slow {
			select {
			case <-time.After(20 * time.Millisecond):
			case <-ctx.Done():
			}
		}
	}
}

// TestAttackEndlessAnswers asks everything outside that the program reads answers from: an answer that never ends is given up,
// after so many bytes if it is quick, and after so long if it is slow. The bodies of webhooks' answers are never read, and
// browsers load the pictures of games.
func TestAttackEndlessAnswers(t *testing.T) {
	t.Parallel()
	const limit, most = time.Second, 24 << 20 // what the platform's list of games may have, and what is under way
	discovery := func(s *stranger) string {
		return fmt.Sprintf(`{"issuer":%q,"authorization_endpoint":"%[2]s/a","token_endpoint":"%[2]s/token","jwks_uri":"%[2]s/keys"}`,
			s.URL, s.URL)
	}
	provider := func(s *stranger) *signon.Provider {
		return signon.New(signon.Config{Issuer: s.URL, ClientID: "pitboss", Callback: "https://pitboss.example",
			Timeout: limit, Now: time.Now})
	}
	finish := func(ctx context.Context, s *stranger) error {
		s.wants["/.well-known/openid-configuration"] = discovery(s)
		p := provider(s)
		_, state, kept, err := p.Begin(ctx, "/", false)
		if err != nil {
			return nil // which the test takes for a fault
		}
		_, err = p.Finish(ctx, kept, state, "code", "")
		return err
	}
	for name, ask := range map[string]func(ctx context.Context, s *stranger) error{
		"discovery of single sign-on": func(ctx context.Context, s *stranger) error {
			_, _, _, err := provider(s).Begin(ctx, "/", false)
			return err
		},
		"token of single sign-on": finish,
		"keys of single sign-on": func(ctx context.Context, s *stranger) error {
			part := base64.RawURLEncoding.EncodeToString
			claims := fmt.Appendf(nil, `{"iss":%q,"aud":"pitboss","sub":"mira","exp":%d}`, s.URL, time.Now().Add(time.Hour).Unix())
			s.wants["/token"] = fmt.Sprintf(`{"access_token":"a","token_type":"Bearer","id_token":"%s.%s.%s"}`,
				part([]byte(`{"alg":"RS256"}`)), part(claims), part([]byte("signature")))
			return finish(ctx, s)
		},
		"the platform's API": func(ctx context.Context, s *stranger) error {
			c, err := platform.New(platform.Config{URL: s.URL, AgentID: "a", APIToken: "token-of-the-tests", SecretKey: "secret-of-the-tests",
				Timeout: limit, Attempts: 1})
			require.NoError(t, err)
			_, err = c.FreeSpinStatus(ctx, "bonus-1")
			return err
		},
		"a mail server": func(ctx context.Context, s *stranger) error {
			mail := notices.New(notices.Config{Server: "smtp://" + s.mail.Addr().String(), From: "pitboss@casino.example",
				RequestLimit: limit})
			return mail.Mail(ctx, "mira@casino.example", "A notice", nil)
		},
		"a service that is checked before it goes live": func(ctx context.Context, s *stranger) error {
			_, err := golive.Run(ctx, golive.Config{CallbackURL: s.URL, UserID: "tess", AgentID: "a", SecretKey: "secret-of-the-tests",
				Timeout: limit})
			return err
		},
	} {
		for _, slow := range []bool{false, true} {
			t.Run(fmt.Sprintf("%s, slow %t", name, slow), func(t *testing.T) {
				t.Parallel()
				s := newStranger(t, slow)
				require.Error(t, ask(t.Context(), s))
				assert.Positive(t, s.sent.Load())
				assert.Less(t, s.sent.Load(), int64(most))
			})
		}
	}
}
