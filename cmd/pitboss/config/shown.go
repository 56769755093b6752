package config

import (
	"fmt"
	"net/netip"
	"strconv"
	"strings"

	"pitboss/app"
	"pitboss/app/web"
	"pitboss/callbacks/listener"
	"pitboss/callbacks/wire"
)

// show passes to the site the settings that people may see: never a secret, and never the database's address, which may contain
// one.
func (s Server) show(cfg *app.Config) {
	d := s.Callbacks
	cfg.Platform.CallbackPath = d.Path
	format := "specification"
	if d.Wire == wire.GitSlotPark {
		format = "gitslotpark, as in the platform's public documentation"
	}
	cfg.Platform.ListenerSettings = []web.SettingInForce{
		{What: "Callbacks are served at", Value: d.Addr, Variable: "PITBOSS_CALLBACK_ADDR"},
		{What: "Path in front of the endpoints", Value: orNone(d.Path), Variable: "PITBOSS_CALLBACK_PATH"},
		{What: "Trusted proxies", Value: orNone(networks(d.Proxy)), Variable: "PITBOSS_CALLBACK_PROXY"},
		{What: "Who may call", Value: whoMayCall(d.Allow), Variable: "PITBOSS_CALLBACK_ALLOW"},
		{What: "Response format", Value: format, Variable: "PITBOSS_WIRE"},
		{What: "Result of a duplicate", Value: strconv.Itoa(d.DuplicateResult), Variable: "PITBOSS_DUPLICATE_RESULT"},
		{What: "A callback is answered within", Value: strconv.FormatFloat(d.Deadline.Seconds(), 'f', -1, 64) + " s",
			Variable: "PITBOSS_CALLBACK_DEADLINE"},
		{What: "Status without a definite answer", Value: strconv.Itoa(d.OutageStatus), Variable: "PITBOSS_OUTAGE_STATUS"},
		{What: "Another secret key is accepted", Value: yesOrNo(d.PreviousSecretKey != ""),
			Variable: "PITBOSS_SECRET_KEY_PREVIOUS"},
	}
	engine, _, _ := strings.Cut(s.Database.URL, "://")
	cfg.Platform.StorageSettings = []web.SettingInForce{
		{What: "Database", Value: map[string]string{"mysql": "MySQL or MariaDB", "sqlite": "SQLite"}[engine],
			Variable: "PITBOSS_DATABASE_URL"},
		{What: "The ledger's chains are keyed", Value: yesOrNo(s.Database.LedgerKey != ""), Variable: "PITBOSS_LEDGER_KEY"},
		{What: "The ledger is kept for", Value: years(s.Keep.LedgerYears), Variable: "PITBOSS_KEEP_LEDGER_YEARS"},
		{What: "The audit log is kept for", Value: years(s.Keep.AuditYears), Variable: "PITBOSS_KEEP_AUDIT_YEARS"},
		{What: "The callback log is kept for", Value: fmt.Sprintf("%d days", s.Callbacks.LogDays),
			Variable: "PITBOSS_CALLBACK_LOG_DAYS"},
	}
}

func networks(list listener.Networks) string {
	texts := make([]string, len(list))
	for i, n := range list {
		texts[i] = netip.Prefix(n).String()
	}
	return strings.Join(texts, ", ")
}

func years(n int) string {
	if n == 1 {
		return "1 year"
	}
	return fmt.Sprintf("%d years", n)
}

func orNone(s string) string {
	if s == "" {
		return "none"
	}
	return s
}

func whoMayCall(list allowList) string {
	switch {
	case list.Any:
		return "any address"
	case len(list.Networks) == 0:
		return "this machine"
	}
	return networks(list.Networks)
}

func yesOrNo(b bool) string {
	if b {
		return "yes"
	}
	return "no"
}
