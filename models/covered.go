package models

import (
	"encoding/hex"
	"encoding/json"
	"reflect"
	"strconv"
	"time"
)

// Covered is a row that authorizes money or access, with the rows that belong to it. The audit log covers it, so nobody can
// add, change or delete it directly in the database without the program noticing.
type Covered interface {
	// Covered returns the Object and the ObjectID of the row's audit events, and the values that the audit log covers. What is left
	// out changes without an audit event and authorizes nothing; the handbook lists it.
	Covered() (object, id string, row []byte)
}

// covered encodes pairs of a name and a value, one per line. It leaves out zero values and empty lists, so that existing rows
// keep their encoding if a field is added.
func covered(pairs ...any) []byte {
	row := []byte("row")
	for i := 0; i < len(pairs); i += 2 {
		v := reflect.ValueOf(pairs[i+1])
		if v.IsZero() || v.Kind() == reflect.Slice && v.Len() == 0 {
			continue
		}
		row = append(append(append(row, '\n'), pairs[i].(string)...), '=')
		row = appendCovered(row, v)
	}
	return row
}

// appendCovered appends a value. A text keeps all its bytes, and two different values never look the same. Named numbers are
// written as numbers, because several may have the same word.
func appendCovered(row []byte, v reflect.Value) []byte {
	switch value := v.Interface().(type) {
	case time.Time:
		return strconv.AppendInt(row, value.UnixMicro(), 10)
	case Hash:
		return hex.AppendEncode(row, value[:])
	case []byte: // an encoded row
		return strconv.AppendQuote(row, string(value))
	}
	switch {
	case v.Kind() == reflect.String:
		return strconv.AppendQuote(row, v.String())
	case v.CanInt():
		return strconv.AppendInt(row, v.Int(), 10)
	case v.CanUint():
		return strconv.AppendUint(row, v.Uint(), 10)
	case v.Kind() == reflect.Bool:
		return strconv.AppendBool(row, v.Bool())
	}
	text, err := json.Marshal(v.Interface())
	if err != nil {
		panic(err) // it was read from JSON
	}
	return strconv.AppendQuote(row, string(text))
}

// coveredList encodes the rows that belong to a row, in their order.
func coveredList[T any](list []T, encode func(T) []byte) (rows []byte) {
	for _, one := range list {
		rows = append(strconv.AppendQuote(rows, string(encode(one))), '\n')
	}
	return rows
}

func numbered(id int64) string { return strconv.FormatInt(id, 10) }

// Covered implements Covered.
func (p Player) Covered() (object, id string, row []byte) {
	return "player", numbered(p.ID), covered(
		"test", p.Test, "created_at", p.CreatedAt, "play_from", p.Wallet.PlayFrom, "bonuses_from",
		p.Wallet.BonusesFrom, "deposits_from", p.Wallet.DepositsFrom, "cash_outs_from", p.Wallet.CashOutsFrom, "limits", p.Wallet.Limits,
		"erased", p.Erased, "language", p.Language, "zone", p.Zone,
		"user_id", p.UserID, "currency", p.Wallet.Currency)
}

func (a Approval) covered() []byte {
	return covered("maker", a.Maker.covered(), "state", a.State, "checker", a.Checker.covered(), "decided_at", a.DecidedAt,
		"decision_text", a.DecisionText)
}

func (s Signature) covered() []byte {
	return covered("id", s.StaffID, "username", s.Username, "role", s.Role)
}

// Covered implements Covered.
func (c Correction) Covered() (object, id string, row []byte) {
	return "correction", numbered(c.ID), covered(
		"at", c.At, "kind", c.Kind, "player_id", c.PlayerID, "transaction_id", c.TransactionID, "round_id", c.RoundID,
		"amount", c.Amount, "effect", c.Effect, "reason", c.Reason, "text", c.Text, "reference", c.Reference, "another", c.Another,
		"balance_at_request", c.BalanceAtRequest, "assignee", c.Assignee, "approval", c.Approval.covered(),
		"seq", c.Seq, "spin", c.Spin, "before", c.Before, "after", c.After)
}

// Covered implements Covered. What belongs to the account must have been read: see StaffKept. How often a passkey was used changes
// without an event, as the last step of an authenticator app does.
func (s Staff) Covered() (object, id string, row []byte) {
	return "staff", numbered(s.ID), covered(
		"username", s.Username, "name", s.Name, "role", s.Role, "email", s.Email, "password_hash", s.PasswordHash,
		"must_change_password", s.MustChangePassword, "totp_secret", s.TOTPSecret, "identity", string(s.Identity), "disabled", s.Disabled, "created_at", s.CreatedAt,
		"password_set_at", s.PasswordSetAt, "enabled_at", s.EnabledAt, "unconfirmed", s.Unconfirmed,
		"codes", coveredList(s.Kept.Codes, func(c RecoveryCode) []byte { return covered("hash", c.CodeHash) }),
		"links", coveredList(s.Kept.Links, func(l StaffLink) []byte {
			return covered("hash", l.Hash, "delivery", l.Delivery, "made_at", l.MadeAt, "expires_at", l.ExpiresAt)
		}),
		"passwords", coveredList(s.Kept.Passwords, func(p OldPassword) []byte {
			return covered("id", p.ID, "hash", p.PasswordHash)
		}),
		"passkeys", coveredList(s.Kept.Passkeys, func(p Passkey) []byte {
			return covered("id", p.ID, "name", p.Name, "credential", p.Credential, "added_at", p.AddedAt)
		}))
}

// Covered implements Covered.
func (r ChangeRequest) Covered() (object, id string, row []byte) {
	return "change", numbered(r.ID), covered(
		"at", r.At, "subject", r.Subject, "before", r.Before, "after", r.After, "reason", r.Reason,
		"day", r.Day, "approval", r.Approval.covered())
}

// Covered implements Covered. Without its row, a setting has its first value, which may allow more.
func (s Setting) Covered() (object, id string, row []byte) {
	return "setting", s.Name, covered("value", s.Value, "changed_at", s.ChangedAt)
}

// Covered implements Covered. Sending a grant, and asking the platform about it, changes the row without an event. The answer
// proves what was sent.
func (g Grant) Covered() (object, id string, row []byte) {
	if g.State == GrantSent {
		g.State = GrantRequested
	}
	return "grant", numbered(g.ID), covered(
		"at", g.At, "actor", g.Actor, "role", g.Role, "player_id", g.PlayerID, "game_id", g.Game.ID, "spins", g.Spins,
		"reason", g.Reason, "again", g.Again, "campaign_id", g.CampaignID, "campaign_line", g.CampaignLine,
		"state", g.State, "free_spin_id", g.FreeSpinID, "result", g.Result, "message", g.Message,
		"latency", g.Latency, "raw", g.Raw, "answered_at", g.AnsweredAt, "finished_at", g.FinishedAt, "resolution", g.Resolution,
		"resolved_by", g.ResolvedBy, "resolved_at", g.ResolvedAt, "resolution_note", g.ResolutionNote)
}

// Covered implements Covered. Each line of a campaign proves itself (spins.UploadedLine), and its grant shows what became of it.
func (i Campaign) Covered() (object, id string, row []byte) {
	return "campaign", numbered(i.ID), covered(
		"at", i.At, "actor", i.Actor, "role", i.Role, "file_name", i.FileName, "digest", i.Digest, "name", i.Name,
		"starts_at", i.StartsAt, "ends_at", i.EndsAt, "budget_spins", i.BudgetSpins, "budget_cost", i.BudgetCost, "stopped_for", i.StoppedFor,
		"again", i.Again, "state", i.State, "lines", i.Lines, "spins", i.Spins, "finished_at", i.FinishedAt, "exceeded", i.Exceeded,
		"expires_at", i.ExpiresAt, "approval", i.Approval.covered())
}

// Covered implements Covered.
func (c Case) Covered() (object, id string, row []byte) {
	return "case", numbered(c.ID), covered(
		"rule", c.Rule, "at", c.At, "player_id", c.PlayerID, "transaction", c.Transaction, "grant_id", c.GrantID,
		"statement_id", c.StatementID, "verification", c.Verification, "amount", c.Amount, "currency", c.Currency,
		"transaction_id", c.TransactionID, "facts", c.Facts, "reference", c.Reference, "due", c.Due, "key", c.KeyDigest,
		"found_at", c.FoundAt, "state", c.State, "owner", c.Owner, "decided_by", c.DecidedBy, "decided_at", c.DecidedAt,
		"reason", c.Reason, "notes", coveredList(c.Notes, func(n CaseNote) []byte {
			return covered("number", n.ID, "at", n.At, "actor", n.Actor, "text", n.Text)
		}))
}

// Covered implements Covered. Without its row, a day is open again.
func (c ClosedDay) Covered() (object, id string, row []byte) {
	return "day", string(c.Day), covered(
		"zone", c.Zone, "from", c.From, "until", c.Until, "closed_at", c.ClosedAt, "digest", c.Digest,
		"stakes", c.Stakes, "signed", coveredList(c.Signed, func(s DaySignature) []byte {
			return covered("role", s.Role, "by", s.By, "at", s.At, "note", s.Note, "digest", s.Digest, "checkpoint", s.Checkpoint,
				"verification", s.Verification, "statements", s.Statements, "open_cases", s.OpenCases,
				"unknown_grants", s.UnknownGrants, "faults", s.Faults)
		}))
}

// Covered implements Covered. The time of the file's delivery is written without an event.
func (c WrittenCheckpoint) Covered() (object, id string, row []byte) {
	return "checkpoint", numbered(c.Number), covered(
		"at", c.At, "previous", c.Previous, "key", c.Key, "audit_seq", c.AuditSeq, "wallets", c.Wallets,
		"entries", c.Entries, "spin_entries", c.SpinEntries, "digest", c.Digest, "signature", c.Signature, "actor", c.Actor,
		"size", c.Size, "file_name", c.FileName)
}

// Covered implements Covered. A verification's progress changes without events while it runs.
func (r VerificationRun) Covered() (object, id string, row []byte) {
	if r.State.Open() {
		return "verification", numbered(r.ID), covered(
			"actor", r.Actor, "requested_at", r.At, "report", r.Report, "error", r.Failure)
	}
	return "verification", numbered(r.ID), covered(
		"actor", r.Actor, "requested_at", r.At, "report", r.Report, "error", r.Failure, "state", r.State,
		"ended_at", r.FinishedAt, "read", r.Read, "faults", r.Faults)
}

// Covered implements Covered.
func (r Restriction) Covered() (object, id string, row []byte) {
	return "restriction", numbered(r.ID), covered(
		"subject", r.Subject, "player_id", r.PlayerID, "about", r.About, "kind", r.Kind, "scope", r.Scope, "at", r.At,
		"until", r.Until, "reason", r.Reason, "setter", r.Setter.covered(), "approval", r.Approval.covered(),
		"end_reason", r.EndReason)
}

// Covered implements Covered.
func (r CashReview) Covered() (object, id string, row []byte) {
	return "cash-out", numbered(r.ID), covered(
		"at", r.At, "player_id", r.PlayerID, "transaction_id", r.TransactionID, "amount", r.Amount, "currency", r.Currency,
		"approval", r.Approval.covered())
}

// Covered implements Covered.
func (c APIClient) Covered() (object, id string, row []byte) {
	return "API client", numbered(c.ID), covered(
		"at", c.At, "name", c.Name, "scopes", c.Scopes, "networks", c.Networks, "test", c.Test,
		"per_minute", c.PerMinute, "cash", c.Cash, "cash_per_day", c.CashPerDay,
		"cash_per_player", c.CashPerPlayer, "approve_above", c.ApproveAbove, "webhook", c.Webhook,
		"events", c.Events, "secret", c.Secret, "secret_at", c.SecretAt, "previous", c.Previous,
		"previous_until", c.PreviousUntil, "revoked_at", c.RevokedAt)
}

// Games are all games, which the audit log covers together, because a synchronization may change thousands.
type Games []Game

// AllGames is the ObjectID of the audit events about the games.
const AllGames = "all"

// Covered implements Covered. The times when the games were last seen change without an event.
func (g Games) Covered() (object, id string, row []byte) {
	return "games", AllGames, covered("games", coveredList(g, func(g Game) []byte {
		return covered("id", g.ID, "game_id", g.GameID, "name", g.Name, "type", g.Type, "provider", g.Provider,
			"thumbnail", g.Thumbnail, "former_name", g.FormerName, "added_at", g.AddedAt, "gone_at", g.GoneAt)
	}))
}
