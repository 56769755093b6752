package spins

import (
	"context"
	"errors"
	"slices"
	"strconv"
	"strings"
	"time"

	"gorm.io/gorm"

	"pitboss/models"
	"pitboss/models/store/db"
	"pitboss/models/store/players"
)

// gamesLease is the lease for changing games.
const gamesLease = "games"

// SyncGames updates our games to those offered: it adds new games, changes changed ones, marks missing ones as gone and
// returned ones as available. sync describes the platform's answer; if it has an Error, only the failure is recorded. SyncGames
// returns sync with its counts. No row is ever deleted, so references to games stay valid.
func (s *Store) SyncGames(ctx context.Context, by models.Actor, sync models.GameSync,
	offered []models.OfferedGame) (models.GameSync, error) {
	if sync.Error == "" && len(offered) == 0 {
		return sync, errors.New("synchronize games: the list is empty, and would remove all games")
	}
	var row models.GameSync
	err := s.db.Change(ctx, func(tx *gorm.DB) error {
		row = models.GameSync{At: sync.At, Actor: by.Name, Latency: sync.Latency, Offered: len(offered),
			Unusable: sync.Unusable, Error: sync.Error}
		if err := tx.Create(&row).Error; err != nil {
			return err
		}
		if sync.Error == "" {
			if err := s.syncGames(tx, &row, offered); err != nil {
				return err
			}
			if err := tx.Save(&row).Error; err != nil {
				return err
			}
		}
		if row.Added+row.Changed+row.Gone+row.Returned > 0 {
			if err := s.db.Record(tx,
				models.AuditEvent{Actor: by, Action: "games changed", Object: "games", ObjectID: models.AllGames}); err != nil {
				return err
			}
		}
		action := "games synchronized"
		if row.Error != "" {
			action = "games not synchronized"
		}
		return s.db.Record(tx, models.AuditEvent{
			Actor: by, Action: action, Object: "game sync", ObjectID: strconv.FormatInt(row.ID, 10),
			After: db.JsonText(map[string]any{
				"offered": row.Offered, "added": row.Added, "renamed": row.Renamed, "changed": row.Changed, "gone": row.Gone,
				"returned": row.Returned, "error": row.Error,
			}),
		})
	})
	return row, err
}

func (s *Store) syncGames(tx *gorm.DB, sync *models.GameSync, offered []models.OfferedGame) error {
	if err := s.db.LockLease(tx, gamesLease); err != nil {
		return err
	}
	rows, _, err := db.Load[models.Games](s.db, tx, models.AllGames)
	if err != nil {
		return err
	}
	known := make(map[models.GameID]*models.Game, len(rows))
	for i := range rows {
		known[rows[i].GameID] = &rows[i]
	}
	now := s.db.Now()
	var written []models.Game
	var changes []models.GameChange
	changed := func(game int64, kind models.GameChangeKind, name, former string) {
		changes = append(changes,
			models.GameChange{At: now, SyncID: sync.ID, GameNumber: game, Kind: kind, Name: name, FormerName: former})
	}
	for _, g := range offered {
		row, ok := known[g.GameID]
		if !ok {
			sync.Added++
			written = append(written,
				models.Game{OfferedGame: g, Search: g.SearchText(), AddedAt: now, SeenAt: now, AddedSync: sync.ID})
			continue
		}
		delete(known, g.GameID)
		before := row.OfferedGame
		if row.Gone() {
			sync.Returned++
			changed(row.ID, models.GameReturned, g.Name, "")
		} else if before == g {
			continue
		}
		if before != g {
			sync.Changed++
		}
		if before.Name != g.Name {
			sync.Renamed++
			row.FormerName = row.Name
			changed(row.ID, models.GameRenamed, g.Name, row.Name)
		}
		row.OfferedGame, row.Search, row.GoneAt = g, g.SearchText(), time.Time{}
		written = append(written, *row)
	}
	var gone []int64
	for _, row := range known {
		if !row.Gone() {
			gone = append(gone, row.ID)
		}
	}
	slices.Sort(gone)
	for _, row := range rows {
		if _, missing := slices.BinarySearch(gone, row.ID); missing {
			changed(row.ID, models.GameDisappeared, row.Name, "")
		}
	}
	sync.Gone = len(gone)
	if err := s.writeGames(tx, written); err != nil {
		return err
	}
	for chunk := range slices.Chunk(gone, players.ImportChunk) {
		if err := tx.Exec("UPDATE games SET gone_at_us = ? WHERE id IN ?", db.Micros(now), chunk).Error; err != nil {
			return err
		}
	}
	if err := tx.Exec("UPDATE games SET seen_at_us = ? WHERE gone_at_us = 0", db.Micros(now)).Error; err != nil {
		return err
	}
	return s.logGameChanges(tx, sync.ID, now, changes)
}

// writeGames inserts new games and updates known ones.
func (s *Store) writeGames(tx *gorm.DB, rows []models.Game) error {
	var q db.Statement
	for chunk := range slices.Chunk(rows, players.ImportChunk) {
		q.Begin("INSERT INTO games (game_id, name, type, provider, thumbnail, former_name, search, added_at_us, seen_at_us, " +
			"gone_at_us, added_sync) VALUES ")
		for i, r := range chunk {
			q.Row(i, "(?,?,?,?,?,?,?,?,?,?,?)", r.GameID, r.Name, r.Type, r.Provider, r.Thumbnail, r.FormerName, r.Search,
				db.Micros(r.AddedAt), db.Micros(r.SeenAt), db.Micros(r.GoneAt), r.AddedSync)
		}
		q.Upsert("game_id", s.db.Dialect, "name", "type", "provider", "thumbnail", "former_name", "search", "gone_at_us")
		if err := q.Exec(tx.Statement.Context, db.Tx(tx)); err != nil {
			return err
		}
	}
	return nil
}

// Game returns the game with the platform's ID, or false if it is unknown.
func (s *Store) Game(ctx context.Context, id models.GameID) (models.Game, bool, error) {
	return s.oneGame(ctx, "game_id = ?", string(id))
}

// GameByID returns the game with this internal ID, or false if there is none.
func (s *Store) GameByID(ctx context.Context, id int64) (models.Game, bool, error) {
	return s.oneGame(ctx, "id = ?", id)
}

func (s *Store) oneGame(ctx context.Context, where string, value any) (models.Game, bool, error) {
	return oneGame(s.db.Read.WithContext(ctx).Where(where, value))
}

func oneGame(q *gorm.DB) (models.Game, bool, error) {
	return db.One[models.Game](q)
}

// Games returns a page of the games that f selects.
func (s *Store) Games(ctx context.Context, f models.GameFilter) (page models.Page[models.Game], err error) {
	list := db.List{Table: "games", At: "search", ID: "id", Up: true, ByName: true, Span: f.Span, Filters: []db.Filter{
		db.If(!f.Since.IsZero(), "", "added_at_us >= ? AND "+notFirst, db.Micros(f.Since)),
		db.If(f.Provider != "", "", "provider = ?", f.Provider), db.If(f.Type != "", "", "type = ?", f.Type),
		db.If(f.State == models.GamesOffered, "", "gone_at_us = 0"), db.If(f.State == models.GamesGone, "", "gone_at_us > 0"),
	}}
	if f.Newest { // numbers are given in the order in which games are first seen
		list.At, list.Up, list.ByName = "", false, false
	}
	// INSTR over folded text in binary: LIKE would fold case differently on each database.
	for _, word := range models.SearchWords(f.Text) {
		list.Filters = append(list.Filters, db.If(true, "", "INSTR(search, ?) > 0", word))
	}
	return db.FindPage[models.Game](s.db, s.db.Read.WithContext(ctx), list)
}

// CountNewGames returns how many of the games that the platform offers are new since t.
func (s *Store) CountNewGames(ctx context.Context, t time.Time) (n int, err error) {
	return db.Value[int](s.db.Read.WithContext(ctx), "SELECT COUNT(*) FROM games WHERE gone_at_us = 0 AND added_at_us >= ? AND "+
		notFirst, db.Micros(t))
}

// notFirst leaves out the first games; see models.Game.NewSince.
const notFirst = "added_sync <> (SELECT added_sync FROM games ORDER BY id LIMIT 1)"

// FirstGames returns the synchronization that added the first games; see models.Game.NewSince.
func (s *Store) FirstGames(ctx context.Context) (sync int64, err error) {
	return db.Value[int64](s.db.Read.WithContext(ctx), "SELECT added_sync FROM games ORDER BY id LIMIT 1")
}

// gamesAtOnce is how many games one statement looks up.
const gamesAtOnce = 100

// GamesTyped returns the games that these texts mean: the game with the text as its ID, even if it is no longer available, or
// the only available game with it as its name, in upper or lower case. Texts that match no game or several are left out. Each
// text is an index lookup.
func (s *Store) GamesTyped(ctx context.Context, texts []string) (map[string]models.GameID, error) {
	found := make(map[string]models.GameID, len(texts))
	for chunk := range slices.Chunk(texts, gamesAtOnce) {
		if err := s.gamesTyped(ctx, chunk, found); err != nil {
			return nil, err
		}
	}
	return found, nil
}

func (s *Store) gamesTyped(ctx context.Context, texts []string, found map[string]models.GameID) error {
	read := s.db.Read.WithContext(ctx)
	ids, err := db.All[string](read, "SELECT game_id FROM games WHERE game_id IN ?", texts)
	if err != nil {
		return err
	}
	for _, id := range ids {
		found[id] = models.GameID(id)
	}
	var ranges []string
	var args []any
	var names []string
	for _, text := range texts {
		from, below, ok := models.GameNameKeys(text)
		if _, known := found[text]; known || !ok {
			continue
		}
		names, ranges, args = append(names, text), append(ranges, "search >= ? AND search < ?"), append(args, from, below)
	}
	if len(names) == 0 {
		return nil
	}
	var rows []struct{ GameID, Search string }
	err = read.Raw("SELECT game_id, search FROM games WHERE gone_at_us = 0 AND ("+strings.Join(ranges, " OR ")+")", args...).
		Scan(&rows).Error
	if err != nil {
		return err
	}
	for _, name := range names {
		begin, _, _ := models.GameNameKeys(name)
		only, several := models.GameID(""), false
		for _, r := range rows {
			if strings.HasPrefix(r.Search, begin) {
				only, several = models.GameID(r.GameID), only != ""
			}
		}
		if only != "" && !several {
			found[name] = only
		}
	}
	return nil
}

// GameKinds returns the providers and the types of all games, sorted.
func (s *Store) GameKinds(ctx context.Context) (providers, types []string, err error) {
	read := s.db.Read.WithContext(ctx)
	if err = read.Raw("SELECT DISTINCT provider FROM games ORDER BY provider").Scan(&providers).Error; err == nil {
		err = read.Raw("SELECT DISTINCT type FROM games ORDER BY type").Scan(&types).Error
	}
	return providers, types, err
}

// LastGameSync returns the newest synchronization, or the newest that succeeded, or false if there is none.
func (s *Store) LastGameSync(ctx context.Context, succeeded bool) (models.GameSync, bool, error) {
	q := s.db.Read.WithContext(ctx).Order("id DESC").Limit(1)
	if succeeded {
		q = q.Where("error = ''")
	}
	return db.One[models.GameSync](q)
}

// provenGames are the platform's IDs of games by their internal IDs, as compared with the audit log up to event or later.
type provenGames struct {
	event int64
	ids   map[int64]models.GameID
}

// proveGame returns a models.TamperedError if g does not have the platform ID that the audit log covers. It compares all games
// once for each event about them: one digest covers them together.
func (s *Store) proveGame(tx *gorm.DB, g models.Game) error {
	event, err := s.db.LatestEvent(tx, db.CoveredRow{Object: "games", ID: models.AllGames})
	if err != nil {
		return err
	}
	known := s.games.Load()
	if known == nil || known.event != event || known.ids[g.ID] != g.GameID {
		games, _, err := db.Load[models.Games](s.db, tx, models.AllGames)
		if err != nil {
			return err
		}
		known = &provenGames{event: event, ids: make(map[int64]models.GameID, len(games))}
		for _, game := range games {
			known.ids[game.ID] = game.GameID
		}
		s.games.Store(known)
	}
	if known.ids[g.ID] != g.GameID {
		return models.TamperedError{Object: "games", ObjectID: models.AllGames}
	}
	return nil
}
