package admin

import (
	"cmp"
	"context"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/gofiber/fiber/v2"

	"pitboss/app/platform"
	"pitboss/app/things"
	"pitboss/app/web"
	"pitboss/models"
	"pitboss/views"
)

type platformPage struct {
	web.Page
	Warnings  []string // about what is set up less safely than it could be
	Facts     []views.Fact
	Health    []views.HealthLine
	Calls     []callRow
	Unasked   string
	Endpoints []endpointRow
	Strangers string // requests that were no callbacks
	Callbacks []web.SettingInForce
	Formats   platform.FormatsReport // of IDs
	API       []web.SettingInForce
	Storage   []web.SettingInForce
	AgentID   string
	Address   string // under which the platform reaches the callbacks, as an example
}

// callRow is one of the four calls.
type callRow struct {
	Path, For        string
	Last             time.Time
	Badge            views.Badge
	Answered, Failed string
	P95              string
	Failure          string
}

// endpointRow is one of the five callbacks.
type endpointRow struct{ Name, All, Success, Funds, Duplicate, Other, Outages, P95 string }

// callbackEndpoints are the five, in the specification's order (Endpoints, Callback service).
var callbackEndpoints = []string{"GetBalance", "Withdraw", "Deposit", "BetWin", "RollbackTransaction"}

// lately is the stretch of time that the platform's page sums up.
const lately = 24 * time.Hour

func (a *Area) PlatformHealth(c *fiber.Ctx) error {
	page := &platformPage{Page: a.Page(c, "Platform"), AgentID: a.AgentID}
	page.Lede = "How the platform reaches us, how we reach it, and with which settings."
	page.Live = true
	ctx, now := c.UserContext(), page.Now
	last, answered, err := a.Store.LastCallback(ctx)
	if err != nil {
		return err
	}
	counts, err := a.Store.CallbackCounts(ctx, now.Add(-lately), now)
	if err != nil {
		return err
	}
	log, err := a.Store.PlatformCalls(ctx, now.Add(-lately))
	if err != nil {
		return err
	}
	if page.Health, err = a.Health(c, things.NewDay(now, page.Zone), last); err != nil {
		return err
	}
	page.Calls = callRows(log)
	if log.Unasked > 0 {
		page.Unasked = "The last request about " + web.Several(log.Unasked, "grant", "grants") +
			" got no answer. Pitboss asks again."
	}
	page.Endpoints, page.Strangers = endpointRows(counts)
	schema, err := a.schema(ctx)
	if err != nil {
		return err
	}
	door := views.Fact{Label: "Last callback", Value: "None yet", Note: "in the last five weeks"}
	if answered {
		door = views.Fact{Label: "Last callback", Value: views.NewMoment(last, now, page.Zone).Brief(),
			Note: web.Grouped(int64(counts.Callbacks(nil))) + " in 24 hours"}
	}
	page.Facts = []views.Fact{
		a.circuit(), door,
		{Label: "Our latency, p95", Value: p95Words(counts), Note: "callbacks of the last 24 hours"},
		{Label: "Agent ID", Value: web.OrDash(a.AgentID), Note: "our ID at the platform"},
	}
	page.Warnings, page.Callbacks = a.Warnings, a.DoorSettings
	if a.IDFormats != nil {
		seen, err := a.Store.SeenIDs(ctx)
		if err != nil {
			return err
		}
		page.Formats = a.IDFormats(seen)
	}
	page.API = a.apiSettings()
	page.Storage = append(slices.Concat(a.StorageSettings, a.replicaRows(&page.Page)), schema)
	page.Address = "https://" + exampleHost(a.CallbackPath)
	return a.Render(c, "platform/platform", page)
}

// replicaRows say on the platform's page which replicas are read, or why they are not.
func (a *Area) replicaRows(p *web.Page) (rows []web.SettingInForce) {
	for _, r := range a.Store.Replicas() {
		row := web.SettingInForce{What: "Replica " + r.Name, Value: "not read: " + r.Why, Variable: "PITBOSS_REPLICA_URL"}
		if r.Why == "" {
			row.Value = "read, as of " + r.At.In(p.Zone).Format("15:04:05")
		}
		rows = append(rows, row)
	}
	return rows
}

func exampleHost(path string) string { return "wallet.casino.example" + path }

// circuit says whether the platform is called at all.
func (a *Area) circuit() views.Fact {
	switch {
	case a.Platform == nil:
		return views.Fact{Label: "Calls to the platform", Value: "Not set up"}
	case a.Platform.Ready():
		return views.Fact{Label: "Calls to the platform", Value: "Sent", Note: "calls pause after several failures in a row"}
	}
	return views.Fact{Label: "Calls to the platform", Value: "Paused", Note: "paused after several failures in a row"}
}

// schema says which migrations are applied.
func (a *Area) schema(ctx context.Context) (web.SettingInForce, error) {
	s := web.SettingInForce{What: "Schema"}
	list, err := a.Store.Migrations(ctx)
	if err != nil {
		return s, err
	}
	pending, newest := 0, int64(0)
	for _, m := range list {
		if m.AppliedAt.IsZero() {
			pending++
		} else {
			newest = max(newest, m.Number)
		}
	}
	s.Value = strconv.Itoa(len(list)-pending) + " migrations applied, the newest is " + strconv.FormatInt(newest, 10)
	if pending > 0 {
		s.Value += "; " + strconv.Itoa(pending) + " pending: run pitboss migrate up"
	}
	return s, nil
}

func callRows(log models.PlatformCallLog) []callRow {
	var rows []callRow
	for _, call := range []struct {
		path  platform.Call
		what  string
		calls models.PlatformCalls
	}{
		{platform.CallGameList, "the list of games", log.GameList},
		{platform.CallUserAuth, "opening a game", log.UserAuth},
		{platform.CallAssignFreeSpin, "granting free spins", log.AssignFreeSpin},
		{platform.CallFreeSpinStatus, "what became of a grant", log.FreeSpinStatus},
	} {
		row := callRow{
			Path: string(call.path), For: call.what, Last: call.calls.LastAt, Badge: views.Quiet("Answered"), P95: "–",
			Failure:  call.calls.LastFailure,
			Answered: web.Grouped(int64(call.calls.Answered)), Failed: web.Grouped(int64(call.calls.Failed)),
		}
		switch {
		case call.calls.LastAt.IsZero():
			row.Badge = views.Plain("Not asked")
		case call.calls.LastFailure != "":
			row.Badge = views.Waiting("No answer")
		}
		if call.calls.P95 > 0 {
			row.P95 = web.LatencyWords(call.calls.P95)
		}
		rows = append(rows, row)
	}
	return rows
}

// endpointRows sums up how each callback was answered, and says what came to the door that was none.
func endpointRows(counts models.CallbackCounts) (rows []endpointRow, strangers string) {
	for _, name := range callbackEndpoints {
		n := func(match func(models.CallbackAnswer) bool) string {
			return web.Grouped(int64(counts.Callbacks(func(a models.CallbackAnswer) bool {
				return a.Endpoint == name &&
					match(a)
			})))
		}
		row := endpointRow{
			Name: name, All: n(func(models.CallbackAnswer) bool { return true }), Success: n(withResult(resultSuccess)),
			Funds:     n(withResult(resultFunds)),
			Duplicate: n(withResult(resultDuplicate)), Outages: n(withResult(models.NoAnswer)), P95: "–",
			Other: n(func(a models.CallbackAnswer) bool { return withOtherResult(a) && a.Result != models.NoAnswer }),
		}
		if p95, ok := counts.Percentile(name, 0.95); ok {
			row.P95 = web.LatencyWords(p95)
		}
		rows = append(rows, row)
	}
	var parts []string
	for _, a := range slices.SortedFunc(maps.Keys(counts.Answers),
		func(a, b models.CallbackAnswer) int { return cmp.Compare(a.Result, b.Result) }) {
		if a.Endpoint == "" {
			parts = append(parts, web.Several(int64(counts.Answers[a]), "request", "requests")+" with "+strconv.Itoa(a.Result)+
				statusWords[a.Result])
		}
	}
	if len(parts) > 0 {
		strangers = "Not callbacks, and rejected: " + web.InWords(parts) + "."
	}
	return rows, strangers
}

// statusWords say what a status at the callbacks' door means to whoever set the platform up.
var statusWords = map[int]string{
	fiber.StatusBadRequest: ", not readable as HTTP", fiber.StatusForbidden: ", from an address that is not allowed",
	fiber.StatusNotFound:         ", an unknown path",
	fiber.StatusMethodNotAllowed: ", not by POST", fiber.StatusRequestTimeout: ", never finished",
	fiber.StatusRequestHeaderFieldsTooLarge: ", with too long a header",
}

// apiSettings are those of our calls.
func (a *Area) apiSettings() []web.SettingInForce {
	if a.Platform == nil {
		return nil
	}
	s := a.Platform.Settings()
	list := []web.SettingInForce{
		{What: "Address", Value: s.URL, Variable: "PITBOSS_PLATFORM_URL"},
		{What: "Agent ID", Value: s.AgentID, Variable: "PITBOSS_AGENT_ID"},
		{What: "/gameList signs", Value: strings.Join(s.SignGameList, ", "), Variable: "PITBOSS_PLATFORM_SIGN_GAME_LIST"},
		{What: "/userAuth signs", Value: strings.Join(s.SignUserAuth, ", "), Variable: "PITBOSS_PLATFORM_SIGN_USER_AUTH"},
		{What: "/userAuth sends the currency", Value: yesNo(s.SendCurrency), Variable: "PITBOSS_PLATFORM_SEND_CURRENCY"},
		{What: "Extra fields of /userAuth", Value: cmp.Or(strings.Join(s.UserAuthFields, ", "), "nothing"),
			Variable: "PITBOSS_PLATFORM_USER_AUTH_FIELDS"},
		{What: "Timeout of one attempt", Value: inUnits(s.Timeout), Variable: "PITBOSS_PLATFORM_TIMEOUT"},
		{What: "Attempts where repeating is safe", Value: strconv.Itoa(s.Attempts) + "; a grant is sent once", Variable: ""},
		{What: "Paused after", Value: web.Several(int64(s.BreakerFailures), "failure", "failures") + " in a row, for " +
			inUnits(s.BreakerDelay), Variable: ""},
	}
	if a.Catalogue != nil {
		list = append(list, web.SettingInForce{What: "Games fetched every", Value: inUnits(a.Catalogue.Every),
			Variable: "PITBOSS_GAMES_SYNC_EVERY"})
	}
	return append(list, web.SettingInForce{What: "Allowed game hosts", Value: web.OrDash(strings.Join(a.GameHosts, ", ")),
		Variable: "PITBOSS_GAME_HOSTS"})
}

// inUnits writes a length of time in the largest unit that it is whole in, or else in seconds.
func inUnits(d time.Duration) string {
	switch {
	case d >= time.Hour && d%time.Hour == 0:
		return strconv.Itoa(int(d/time.Hour)) + " h"
	case d >= time.Minute && d%time.Minute == 0:
		return strconv.Itoa(int(d/time.Minute)) + " min"
	}
	return strconv.FormatFloat(d.Seconds(), 'f', -1, 64) + " s"
}

func yesNo(b bool) string {
	if b {
		return "yes"
	}
	return "no"
}

// The lines of the health card.

const (
	quietAfter = 15 * time.Minute // without a callback
	lateAfter  = 2 * time.Minute  // for the sums of minutes
)

// Health says of each thing on the way between the platform and us whether it works.
func (a *Area) Health(c *fiber.Ctx, d things.Day, lastCallback time.Time) ([]views.HealthLine, error) {
	ctx, now := c.UserContext(), a.Now()
	hour, err := a.Store.CallbackCounts(ctx, now.Add(-time.Hour), now)
	if err != nil {
		return nil, err
	}
	calls, err := a.Store.PlatformCalls(ctx, d.Began)
	if err != nil {
		return nil, err
	}
	lines := []views.HealthLine{a.doorHealth(c, hour, lastCallback), a.sessionHealth(calls.UserAuth)}
	grants, err := a.grantHealth(c, calls.AssignFreeSpin)
	if err != nil {
		return nil, err
	}
	games, err := a.gamesHealth(c)
	if err != nil {
		return nil, err
	}
	ledger, err := a.ledgerHealth(c)
	if err != nil {
		return nil, err
	}
	lines = append(lines, grants, games, ledger)
	if ahead := a.Store.ClockAhead().Round(time.Second); ahead.Abs() > time.Second {
		line := views.HealthLine{What: "Clock", Href: "/platform", Badge: views.AtRisk("Wrong"),
			Note: "This machine’s clock is " + web.Age(ahead) + " ahead of the database’s, which Pitboss uses: set it"}
		if ahead < 0 {
			line.Note = "This machine’s clock is " + web.Age(-ahead) + " behind the database’s, which Pitboss uses: set it"
		}
		lines = append(lines, line)
	}
	for i := range lines {
		if !a.Opens(c, lines[i].Href) {
			lines[i].Href = ""
		}
	}
	return lines, nil
}

func (a *Area) doorHealth(c *fiber.Ctx, hour models.CallbackCounts, last time.Time) views.HealthLine {
	line := views.HealthLine{What: "Callbacks to us", Href: "/platform", Badge: views.Quiet("Answering")}
	if last.IsZero() {
		line.Badge, line.Note = views.Plain("None yet"), "The platform has not called us"
		return line
	}
	all := hour.Callbacks(nil)
	line.Note = web.Grouped(int64(all)) + " in an hour, p95 " + p95Words(hour)
	if a.Now().Sub(last) > quietAfter {
		line.Badge, line.Note = views.Plain("Quiet"), "The last one at "+a.Clock(c, last)
	}
	if n := hour.Callbacks(withResult(models.NoAnswer)); n > 0 {
		line.Badge = views.Waiting(web.Grouped(int64(n)) + " unanswered")
		line.Note = "Of " + web.Grouped(int64(all)) + " in an hour; the platform repeats them, and finds out what was applied"
	} else if n := hour.Callbacks(withResult(resultSign)); n > 0 {
		line.Badge = views.Waiting(web.Several(int64(n), "wrong sign", "wrong signs"))
		line.Note = "Of " + web.Grouped(int64(all)) + " in an hour; check that both sides have the same secret key"
	}
	return line
}

// resultSign is the result of a sign that does not hold (specification, Errors 2).
const resultSign = 3

func (a *Area) sessionHealth(calls models.PlatformCalls) views.HealthLine {
	line := views.HealthLine{What: "Game sessions", Href: "/sessions", Badge: views.Quiet("Answering")}
	switch {
	case a.Platform != nil && !a.Platform.Ready():
		line.Badge, line.Note = views.Waiting("Paused"),
			"The platform has failed several times in a row; it is tried again every few seconds"
		return line
	case calls.LastAt.IsZero():
		line.Badge, line.Note = views.Plain("None today"), "Nobody has opened a game from here"
		return line
	case calls.LastFailure != "":
		line.Badge = views.Waiting("Last call failed")
	}
	line.Note = callsWords(calls)
	return line
}

// callsWords says how the calls of a day went.
func callsWords(calls models.PlatformCalls) string {
	var parts []string
	if calls.P95 > 0 {
		parts = append(parts, "p95 "+web.LatencyWords(calls.P95))
	}
	if calls.Answered > 0 {
		parts = append(parts, web.Several(int64(calls.Answered), "answer", "answers")+" today")
	}
	if calls.Failed > 0 {
		parts = append(parts, web.Grouped(int64(calls.Failed))+" without an answer today")
	}
	return strings.Join(parts, ", ")
}

func (a *Area) grantHealth(c *fiber.Ctx, calls models.PlatformCalls) (views.HealthLine, error) {
	line := views.HealthLine{What: "Free-spin grants", Href: "/free-spins", Badge: views.Quiet("Answering"),
		Note: callsWords(calls)}
	unknown, err := a.Store.CountUnresolvedGrants(c.UserContext())
	switch {
	case err != nil:
		return line, err
	case unknown > 0:
		line.Badge = views.AtRisk(strconv.FormatInt(unknown, 10) + " unknown")
	case calls.LastFailure != "":
		line.Badge = views.Waiting("Last call failed")
	case calls.LastAt.IsZero():
		line.Badge = views.Plain("None today")
	}
	if line.Note == "" {
		line.Note = "Nobody has granted free spins today"
	}
	return line, nil
}

func (a *Area) gamesHealth(c *fiber.Ctx) (views.HealthLine, error) {
	line := views.HealthLine{What: "Games sync", Href: "/games/syncs"}
	last, found, err := a.Store.LastGameSync(c.UserContext(), false)
	if err != nil {
		return line, err
	}
	if !found {
		line.Badge, line.Note = views.Plain("Not yet"), "The games are fetched when the program starts"
		return line, nil
	}
	line.Badge = views.Quiet("Done " + a.Clock(c, last.At))
	line.Note = web.Several(int64(last.Offered), "game", "games") + ": " + syncWords(last)
	if a.Catalogue != nil {
		line.Note += "; next " + a.Clock(c, last.At.Add(a.Catalogue.Every))
	}
	if last.Error == "" {
		return line, nil
	}
	line.Badge, line.Note = views.Waiting("Failed "+a.Clock(c, last.At)), web.Sentence(last.Error)
	good, found, err := a.Store.LastGameSync(c.UserContext(), true)
	if found {
		line.Note += " The games are as of " + a.Clock(c, good.At) + "."
	}
	return line, err
}

// syncWords says what a sync changed.
func syncWords(s models.GameSync) string {
	var parts []string
	for _, p := range []struct {
		n    int
		word string
	}{{s.Added, "added"}, {s.Renamed, "renamed"}, {s.Gone, "gone"}, {s.Returned, "back"}} {
		if p.n > 0 {
			parts = append(parts, web.Grouped(int64(p.n))+" "+p.word)
		}
	}
	if len(parts) == 0 {
		return "nothing new"
	}
	return strings.Join(parts, ", ")
}

// ledgerHealth tells of the newest verification that has come to its end, and of what is more pressing than that.
func (a *Area) ledgerHealth(c *fiber.Ctx) (views.HealthLine, error) {
	line := views.HealthLine{What: "Ledger", Href: "/integrity", Badge: views.Quiet("Keyed"),
		Note: "Not verified yet; its chains cannot be forged without the key"}
	run, found, err := a.LastVerification(c.UserContext())
	if err != nil {
		return line, err
	}
	upTo, err := a.Store.MoneyUpTo(c.UserContext())
	if err != nil {
		return line, err
	}
	if found {
		line.Badge, line.Note = views.Quiet("Verified "+a.Clock(c, run.EndedAt)),
			web.Several(run.Report.AllEntries(), "entry", "entries")+", all chains intact"
	}
	switch late := !upTo.IsZero() && a.Now().Sub(upTo) > lateAfter; {
	case found && run.Faults > 0:
		line.Badge, line.Note = views.AtRisk(web.Several(run.Faults, "fault", "faults")),
			"Found "+a.Clock(c, run.EndedAt)+": the ledger does not hold"
	case late:
		line.Badge, line.Note = views.Waiting("Figures late"), "Turnover, payout and players are as of "+a.Clock(c, upTo)
	case !a.Store.Keyed():
		line.Badge, line.Note = views.Waiting("Unkeyed"), "Whoever can write to the database can forge its chains"
	}
	return line, a.restoredHealth(c, &line)
}

// restoredHealth is what the overview's line about the ledger says of restores: the badge is empty if there is nothing to do.
func (a *Area) restoredHealth(c *fiber.Ctx, line *views.HealthLine) error {
	list, err := a.Store.Restores(c.UserContext())
	if err != nil {
		return err
	}
	if len(list) > 0 {
		line.Note += ". A backup was restored " + a.Clock(c, list[0].At) + ", declared by " + list[0].By
		if list[0].State == models.RestoreDeclared {
			line.Badge = views.AtRisk("Restored")
			line.Note += " and not confirmed"
		}
	}
	if a.Evidence != nil && len(a.Evidence.Undeclared()) > 0 {
		line.Badge, line.Note = views.AtRisk("Older state"),
			"A checkpoint knows a later state of the database: a backup was restored and not declared, or the end was cut off"
	}
	return nil
}
