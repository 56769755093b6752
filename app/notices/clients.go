package notices

import (
	"bytes"
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"syscall"

	"pitboss/app/feed"
	"pitboss/models"
)

// Webhooks of API clients. Two administrators agree on the address and its subjects. The address must be on the internet, or in
// a network from which the client may call: otherwise a client's terms could make Pitboss send requests to any machine in its
// network.

// Why an event is not sent. Staff see these texts in the log of deliveries.
var (
	errNotTold  = errors.New("the client was revoked, has no secret, or its terms no longer have this webhook or these events")
	errNoKey    = errors.New("without PITBOSS_LEDGER_KEY there is no secret to sign with")
	errGone     = errors.New("the event is not in the audit log")
	errInternal = errors.New("this address is not public, and is not in the client's networks")
)

// tell sends an event to a client.
func (s *Service) tell(ctx context.Context, n models.Notice) error {
	client, found, err := s.Store.APIClient(ctx, n.ClientID)
	if err != nil {
		return err
	}
	e, there, err := s.Store.AuditedEvent(ctx, n.EventID)
	if err != nil {
		return err
	}
	if !there {
		return errGone
	}
	event, shown := feed.View(e, client)
	secrets := s.Store.WebhookSecrets(client)
	switch {
	case !shown || !found || !client.Active() || client.Webhook == "" || !slices.Contains(client.Events, event.Object):
		return errNotTold
	case len(secrets) == 0:
		return errNoKey
	}
	body, err := json.Marshal(feed.Message{Type: event.Object, Timestamp: event.At, Data: event})
	if err != nil {
		return err
	}
	keys := make([][]byte, len(secrets))
	for i, secret := range secrets {
		if keys[i], err = base64.StdEncoding.DecodeString(strings.TrimPrefix(secret, "whsec_")); err != nil {
			return err
		}
	}
	return s.deliver(ctx, s.within(prefixes(strings.Split(client.Networks, ", "))), client.Webhook, keys, "event-"+strconv.FormatInt(n.EventID, 10), body)
}

// Sign returns the signature of Standard Webhooks (version 1 of its scheme): the HMAC-SHA-256 of the ID, the timestamp as in
// the header, and the body, with periods between them. Receivers should compare it in constant time and refuse timestamps older
// than a few minutes, so that an intercepted message cannot be replayed.
func Sign(secret []byte, id, timestamp string, body []byte) string {
	h := hmac.New(sha256.New, secret)
	h.Write([]byte(id + "." + timestamp + "."))
	h.Write(body)
	return "v1," + base64.StdEncoding.EncodeToString(h.Sum(nil))
}

// deliver posts a message to a webhook, signed with each of the secrets. Errors do not contain the address, which may have a
// secret.
func (s *Service) deliver(ctx context.Context, client *http.Client, address string, secrets [][]byte, id string, body []byte) error {
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, address, bytes.NewReader(body))
	if err != nil {
		return errors.New("the webhook is not an address")
	}
	timestamp := strconv.FormatInt(s.Now().Unix(), 10)
	signatures := make([]string, len(secrets))
	for i, secret := range secrets {
		signatures[i] = Sign(secret, id, timestamp, body)
	}
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("User-Agent", "Pitboss")
	r.Header.Set("Webhook-Id", id)
	r.Header.Set("Webhook-Timestamp", timestamp)
	r.Header.Set("Webhook-Signature", strings.Join(signatures, " "))
	answer, err := client.Do(r)
	if err != nil {
		var quoting *url.Error
		if errors.As(err, &quoting) {
			err = quoting.Err
		}
		return fmt.Errorf("the webhook could not be reached: %w", err)
	}
	defer answer.Body.Close()
	if answer.StatusCode/100 != 2 {
		return fmt.Errorf("the webhook answered %d", answer.StatusCode)
	}
	return nil
}

// within returns a client that reaches public addresses and addresses in networks. The address is checked on connecting, so a
// name that resolves to another address later does not bypass the check.
func (s *Service) within(networks []netip.Prefix) *http.Client {
	dialer := &net.Dialer{Control: func(_, address string, _ syscall.RawConn) error {
		at, err := netip.ParseAddrPort(address)
		if err == nil && !public(at.Addr().Unmap()) && !contains(networks, at.Addr().Unmap()) {
			err = fmt.Errorf("%s: %w", at.Addr(), errInternal)
		}
		return err
	}}
	return &http.Client{Timeout: s.RequestLimit, CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }, Transport: &http.Transport{
		DialContext: dialer.DialContext, TLSClientConfig: s.TLS, DisableKeepAlives: true, MaxResponseHeaderBytes: 16 << 10}}
}

// reserved are networks that are not on the internet, besides those that netip.Addr knows, and networks whose addresses embed
// another address.
var reserved = prefixes([]string{"0.0.0.0/8", "100.64.0.0/10", "192.0.0.0/24", "198.18.0.0/15", "240.0.0.0/4", "64:ff9b::/96",
	"64:ff9b:1::/48", "2001::/32", "2002::/16", "fec0::/10"})

// prefixes reads networks in CIDR notation, and skips invalid ones.
func prefixes(texts []string) (list []netip.Prefix) {
	for _, text := range texts {
		if n, err := netip.ParsePrefix(text); err == nil {
			list = append(list, n)
		}
	}
	return list
}

func contains(networks []netip.Prefix, a netip.Addr) bool {
	return slices.ContainsFunc(networks, func(n netip.Prefix) bool { return n.Contains(a) })
}

// public reports whether an address is on the internet.
func public(a netip.Addr) bool {
	return a.IsGlobalUnicast() && !a.IsPrivate() && !contains(reserved, a)
}
