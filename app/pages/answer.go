package pages

import (
	"cmp"
	"context"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/gofiber/fiber/v2"

	"pitboss/app/answers"
	"pitboss/app/web"
	"pitboss/models"
	"pitboss/views"
)

// Answer is a text about what a page shows that support can send to a player, in the player's language and time zone.
type Answer struct {
	AnswerLanguage
	Text views.Field
	Keep *views.Select // the case that keeps it once the player was told; nil if only the player's history can
}

// AnswerLanguage is the language and the time zone of answers to a player.
type AnswerLanguage struct {
	Code       string // the language's code
	CSRF, Back string
	Words      string // the language and, if it is known, the zone
	Player     int64  // whom the reader may answer; 0 for nobody
	Set        bool   // language and zone are the player's own
	Language   *views.Select
	Zone       *views.Field // nil if it is fixed
	FixedZone  string       // the zone of the player's limits
	Known      string       // the player's zone, with or without limits
	zone       *time.Location
}

// The names in an address for the language and the zone of a single answer.
const (
	AnswerIn   = "answer-in"
	AnswerZone = "answer-zone"
)

// AnswerQuery returns the part of an address that shows an answer in a language and a zone without remembering them.
func AnswerQuery(language, zone string) string {
	return "?" + url.Values{AnswerIn: {language}, AnswerZone: {zone}}.Encode()
}

// LastWin returns the newest win of a round that was not rolled back, or nil if the round has none.
func (s *Site) LastWin(ctx context.Context, r models.Round) (*models.TransactionLine, error) {
	if r.Wins == 0 {
		return nil, nil
	}
	found, err := s.Store.Transactions(ctx, models.TransactionFilter{RoundID: r.RoundID, PlayerID: r.PlayerID,
		Span: models.Span{Limit: web.TransactionsSeen}})
	for _, t := range found.Rows {
		if t.Win > 0 && t.State != models.Reversed {
			return &t, nil
		}
	}
	return nil, err
}

// NewAnswerLanguage returns the language and zone of answers to a player: those in the address, or else the player's.
func NewAnswerLanguage(p *web.Page, player models.Player) AnswerLanguage {
	p.Knows(AnswerIn, AnswerZone)
	l := AnswerLanguage{Code: cmp.Or(player.Language, models.PlayerLanguages[0]), CSRF: p.CSRF, Back: p.Path, Known: player.Zone,
		Set: player.Language != "", zone: p.Zone}
	if code := p.Params.Get(AnswerIn); slices.Contains(models.PlayerLanguages, code) {
		l.Code = code
	}
	name, fixed := player.TimeZone(p.Now)
	if asked := p.Params.Get(AnswerZone); asked != "" {
		name = asked
	}
	if zone, err := time.LoadLocation(name); name != "" && err == nil {
		l.zone = zone
	}
	l.Words = answers.Name(l.Code) + ", times in " + l.zone.String()
	if !p.Can(web.AnswerPlayers) || player.ID == 0 || player.Erased {
		return l
	}
	var words []string
	for _, code := range models.PlayerLanguages {
		words = append(words, code, answers.Name(code))
	}
	l.Player, l.Language = player.ID, &views.Select{ID: "f-language", Name: "language", Choices: web.Choices(l.Code, words...)}
	if l.FixedZone = name; !fixed {
		l.Zone = &views.Field{ID: "f-answer-zone", Name: "zone", Value: name, Autocomplete: "off"}
	}
	return l
}

// NewAnswer returns the answer for a page. about has the ID of the case on the page, or the transaction or grant whose open
// case can keep the answer. The result is nil if there is nothing to say, except on a case's page. player is zero if no player
// has the ID.
func (s *Site) NewAnswer(c *fiber.Ctx, p *web.Page, player models.Player, a answers.Answer, about models.Case) (*Answer, error) {
	answer, f := &Answer{AnswerLanguage: NewAnswerLanguage(p, player)}, web.NewForm(c)
	text := a.Text(answer.Code, answer.zone)
	if text == "" && about.ID == 0 {
		return nil, nil
	}
	answer.Text = views.Field{ID: "f-told", Name: "told", Value: cmp.Or(f.Raw("told"), text+s.signature(answer.Code)),
		Wrong: web.Sentence(f.Wrong["told"])}
	if answer.Player == 0 || !p.Can(web.WorkCases) {
		return answer, nil
	}
	cases, err := s.Store.Cases(c.UserContext(), models.CaseFilter{PlayerID: player.ID, State: models.CaseOpen,
		Span: models.Span{Limit: casesOfThing}})
	if about.ID != 0 && !slices.ContainsFunc(cases.Rows, func(open models.Case) bool { return open.ID == about.ID }) {
		cases.Rows = append(cases.Rows, about)
	}
	words, chosen := []string{"", "The player’s history"}, f.Raw("case")
	for _, open := range cases.Rows {
		id := strconv.FormatInt(open.ID, 10)
		words = append(words, id, "Case "+id+", "+open.Rule.String())
		if chosen == "" && (open.ID == about.ID || about.Transaction != 0 && open.Transaction == about.Transaction ||
			about.GrantID != 0 && open.GrantID == about.GrantID) {
			chosen = id
		}
	}
	if len(cases.Rows) > 0 {
		answer.Keep = &views.Select{ID: "f-case", Name: "case", Choices: web.Choices(chosen, words...)}
	}
	return answer, err
}

// signature returns the end of each answer: who writes, and how to reach them.
func (s *Site) signature(language string) string {
	var lines []string
	if s.Operator != "" {
		lines = append(lines, s.Operator)
	}
	if s.Support != "" {
		lines = append(lines, answers.In(language).Word("support", "{contact}", s.Support))
	}
	if lines == nil {
		return ""
	}
	return "\n\n" + strings.Join(lines, "\n")
}
