package spins

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"time"

	"gorm.io/gorm"

	"pitboss/models"
	"pitboss/models/store/db"
	"pitboss/models/store/players"
)

type gameRow struct {
	ID         int64
	GameID     string
	Name       string
	Type       string
	Provider   string
	Thumbnail  string
	FormerName string
	Search     string
	AddedAtUs  int64
	SeenAtUs   int64
	GoneAtUs   int64
	AddedSync  int64
}

// TableName names the table.
func (gameRow) TableName() string { return "games" }

func (r gameRow) game() models.Game {
	return models.Game{
		ID:          r.ID,
		OfferedGame: models.OfferedGame{GameID: models.GameID(r.GameID), Name: r.Name, Type: r.Type, Provider: r.Provider, Thumbnail: r.Thumbnail},
		FormerName:  r.FormerName, AddedAt: db.FromMicros(r.AddedAtUs), SeenAt: db.FromMicros(r.SeenAtUs), GoneAt: db.FromMicros(r.GoneAtUs),
	}
}

func (r *gameRow) offer(g models.OfferedGame) {
	r.Name, r.Type, r.Provider, r.Thumbnail, r.Search = g.Name, g.Type, g.Provider, g.Thumbnail, g.SearchText()
}

type gameSyncRow struct {
	ID        int64
	AtUs      int64
	Actor     string
	LatencyUs int64
	Offered   int
	Unusable  int
	Added     int
	Renamed   int
	Changed   int
	Gone      int
	Returned  int
	Error     string
}

// TableName names the table.
func (gameSyncRow) TableName() string { return "game_syncs" }

func (r gameSyncRow) sync() models.GameSync {
	return models.GameSync{
		ID: r.ID, At: db.FromMicros(r.AtUs), Actor: r.Actor, Latency: time.Duration(r.LatencyUs) * time.Microsecond, Offered: r.Offered,
		Unusable: r.Unusable, Added: r.Added, Renamed: r.Renamed, Changed: r.Changed, Gone: r.Gone, Returned: r.Returned, Error: r.Error,
	}
}

// gamesLease names the lease under which the games are changed.
const gamesLease = "games"

// SyncGames makes our games those that are offered: new ones are added, changed ones changed, missing ones marked as gone, returned ones
// unmarked. sync tells of the platform's answer; with sync.Error nothing but the failure is recorded. It returns sync with its counts.
// Whatever refers to a game keeps doing so, since no row is ever deleted.
func (s *Store) SyncGames(ctx context.Context, by models.Actor, sync models.GameSync, offered []models.OfferedGame) (models.GameSync, error) {
	if sync.Error == "" && len(offered) == 0 {
		return sync, errors.New("synchronise games: an empty list would empty the games")
	}
	var row gameSyncRow
	err := s.db.Change(ctx, func(tx *gorm.DB) error {
		row = gameSyncRow{
			AtUs: db.Micros(sync.At), Actor: by.Name, LatencyUs: sync.Latency.Microseconds(), Offered: len(offered), Unusable: sync.Unusable, Error: sync.Error,
		}
		if err := tx.Create(&row).Error; err != nil {
			return fmt.Errorf("write sync: %w", err)
		}
		if sync.Error == "" {
			if err := s.syncGames(tx, &row, offered); err != nil {
				return err
			}
			if err := tx.Save(&row).Error; err != nil {
				return fmt.Errorf("write the counts of a sync: %w", err)
			}
		}
		if row.Added+row.Changed+row.Gone+row.Returned > 0 {
			if err := s.db.Record(tx, models.AuditEvent{Actor: by, Action: "games changed", Object: "games", ObjectID: "all"}); err != nil {
				return err
			}
		}
		action := "games synchronised"
		if row.Error != "" {
			action = "games not synchronised"
		}
		return s.db.Record(tx, models.AuditEvent{
			Actor: by, Action: action, Object: "game sync", ObjectID: strconv.FormatInt(row.ID, 10),
			After: db.JsonText(map[string]any{
				"offered": row.Offered, "added": row.Added, "renamed": row.Renamed, "changed": row.Changed, "gone": row.Gone, "returned": row.Returned, "error": row.Error,
			}),
		})
	})
	if err != nil {
		return sync, fmt.Errorf("synchronise games: %w", err)
	}
	return row.sync(), nil
}

func (s *Store) syncGames(tx *gorm.DB, sync *gameSyncRow, offered []models.OfferedGame) error {
	if _, err := s.db.LockLease(tx, gamesLease); err != nil {
		return err
	}
	if err := s.db.Check(tx, "games", "all"); err != nil {
		return err
	}
	var rows []gameRow
	if err := tx.Find(&rows).Error; err != nil {
		return fmt.Errorf("read games: %w", err)
	}
	known := make(map[models.GameID]*gameRow, len(rows))
	for i := range rows {
		known[models.GameID(rows[i].GameID)] = &rows[i]
	}
	now := db.Micros(s.db.Now())
	var written []gameRow
	var changes []gameChangeRow
	changed := func(game int64, kind models.GameChangeKind, name, former string) {
		changes = append(changes, gameChangeRow{AtUs: now, SyncID: sync.ID, Game: game, Kind: uint8(kind), Name: name, FormerName: former})
	}
	for _, g := range offered {
		row, ok := known[g.GameID]
		if !ok {
			sync.Added++
			r := gameRow{GameID: string(g.GameID), AddedAtUs: now, SeenAtUs: now, AddedSync: sync.ID}
			r.offer(g)
			written = append(written, r)
			continue
		}
		delete(known, g.GameID)
		before := row.game().OfferedGame
		if row.GoneAtUs != 0 {
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
		row.offer(g)
		row.GoneAtUs = 0
		written = append(written, *row)
	}
	var gone []int64
	for _, row := range known {
		if row.GoneAtUs == 0 {
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
		return fmt.Errorf("write games: %w", err)
	}
	for chunk := range slices.Chunk(gone, players.ImportChunk) {
		if err := tx.Exec("UPDATE games SET gone_at_us = ? WHERE id IN ?", now, chunk).Error; err != nil {
			return fmt.Errorf("mark games as gone: %w", err)
		}
	}
	if err := tx.Exec("UPDATE games SET seen_at_us = ? WHERE gone_at_us = 0", now).Error; err != nil {
		return fmt.Errorf("mark games as seen: %w", err)
	}
	return s.logGameChanges(tx, sync.ID, now, changes)
}

// writeGames adds new games and overwrites known ones.
func (s *Store) writeGames(tx *gorm.DB, rows []gameRow) error {
	var q db.Statement
	for chunk := range slices.Chunk(rows, players.ImportChunk) {
		q.Begin("INSERT INTO games (game_id, name, type, provider, thumbnail, former_name, search, added_at_us, seen_at_us, gone_at_us, added_sync) VALUES ")
		for i, r := range chunk {
			q.Row(i)
			q.String(r.GameID).Comma().String(r.Name).Comma().String(r.Type).Comma().String(r.Provider).Comma().String(r.Thumbnail).Comma().
				String(r.FormerName).Comma().String(r.Search).Comma().Number(r.AddedAtUs).Comma().Number(r.SeenAtUs).Comma().Number(r.GoneAtUs).Comma().Number(r.AddedSync).Text(")")
		}
		q.Text(s.db.Dialect.OnConflict("game_id"))
		for i, column := range []string{"name", "type", "provider", "thumbnail", "former_name", "search", "gone_at_us"} {
			if i > 0 {
				q.Comma()
			}
			q.Text(s.db.Dialect.Incoming(column))
		}
		if err := q.Exec(tx.Statement.Context, db.Tx(tx)); err != nil {
			return err
		}
	}
	return nil
}

// Game returns the game that the platform calls so; false means that we know none.
func (s *Store) Game(ctx context.Context, id models.GameID) (models.Game, bool, error) {
	return s.oneGame(ctx, "game_id = ?", string(id))
}

// GameByID returns the game with this number of ours; false means that there is none.
func (s *Store) GameByID(ctx context.Context, id int64) (models.Game, bool, error) {
	return s.oneGame(ctx, "id = ?", id)
}

func (s *Store) oneGame(ctx context.Context, where string, value any) (models.Game, bool, error) {
	row, found, err := oneGame(s.db.Read.WithContext(ctx).Where(where, value))
	if err != nil || !found {
		return models.Game{}, found, err
	}
	adding, err := s.addingSync(ctx)
	g := row.game()
	g.New = adding != 0 && row.AddedSync == adding
	return g, true, err
}

func oneGame(q *gorm.DB) (gameRow, bool, error) {
	var rows []gameRow
	if err := q.Limit(1).Find(&rows).Error; err != nil {
		return gameRow{}, false, fmt.Errorf("read game: %w", err)
	}
	if len(rows) == 0 {
		return gameRow{}, false, nil
	}
	return rows[0], true, nil
}

// addingSync is the latest synchronisation, whose additions are new games; 0 where no earlier one succeeded: all games would be new then.
func (s *Store) addingSync(ctx context.Context) (int64, error) {
	var latest []int64
	if err := s.db.Read.WithContext(ctx).Raw("SELECT id FROM game_syncs WHERE error = '' ORDER BY at_us DESC, id DESC LIMIT 2").Scan(&latest).Error; err != nil {
		return 0, fmt.Errorf("read syncs: %w", err)
	}
	if len(latest) < 2 {
		return 0, nil
	}
	return latest[0], nil
}

// Games returns the games that f selects, by name, and whether more follow in the direction of the page.
func (s *Store) Games(ctx context.Context, f models.GameFilter) ([]models.Game, bool, error) {
	adding, err := s.addingSync(ctx)
	if err != nil {
		return nil, false, err
	}
	q := s.db.Read.WithContext(ctx).Limit(f.Limit + 1)
	// A binary INSTR over the folded text: LIKE would fold differently on each database.
	for _, word := range models.SearchWords(f.Text) {
		q = q.Where("INSTR(search, ?) > 0", word)
	}
	if f.Provider != "" {
		q = q.Where("provider = ?", f.Provider)
	}
	if f.Type != "" {
		q = q.Where("type = ?", f.Type)
	}
	switch f.State {
	case models.GamesOffered:
		q = q.Where("gone_at_us = 0")
	case models.GamesGone:
		q = q.Where("gone_at_us > 0")
	case models.GamesNew:
		q = q.Where("gone_at_us = 0 AND added_sync = ? AND added_sync > 0", adding)
	}
	order, past, beside := "search, id", ">", f.Next
	if f.Previous != 0 {
		order, past, beside = "search DESC, id DESC", "<", f.Previous
	}
	if beside != 0 {
		var at []gameRow
		if err := s.db.Read.WithContext(ctx).Where("id = ?", beside).Limit(1).Find(&at).Error; err != nil {
			return nil, false, fmt.Errorf("read game: %w", err)
		}
		if len(at) == 1 {
			q = q.Where("search "+past+"= ? AND (search "+past+" ? OR id "+past+" ?)", at[0].Search, at[0].Search, beside)
		}
	}
	var rows []gameRow
	if err := q.Order(order).Find(&rows).Error; err != nil {
		return nil, false, fmt.Errorf("list games: %w", err)
	}
	page, more := db.InOrder(rows, models.Cursor{Newer: f.Previous != 0}, f.Limit)
	games := make([]models.Game, len(page))
	for i, r := range page {
		games[i] = r.game()
		games[i].New = adding != 0 && r.AddedSync == adding
	}
	return games, more, nil
}

// GameKinds returns the providers and the types that games have, in order of their names.
func (s *Store) GameKinds(ctx context.Context) (providers, types []string, err error) {
	read := s.db.Read.WithContext(ctx)
	if err = read.Raw("SELECT DISTINCT provider FROM games ORDER BY provider").Scan(&providers).Error; err == nil {
		err = read.Raw("SELECT DISTINCT type FROM games ORDER BY type").Scan(&types).Error
	}
	if err != nil {
		return nil, nil, fmt.Errorf("list kinds of games: %w", err)
	}
	return providers, types, nil
}

// CountGames counts the games that are offered.
func (s *Store) CountGames(ctx context.Context) (int64, error) {
	var n int64
	if err := s.db.Read.WithContext(ctx).Model(&gameRow{}).Where("gone_at_us = 0").Count(&n).Error; err != nil {
		return 0, fmt.Errorf("count games: %w", err)
	}
	return n, nil
}

// GameSyncs lists the synchronisations at a page, the newest first, and reports whether more follow.
func (s *Store) GameSyncs(ctx context.Context, page models.Cursor, limit int) ([]models.GameSync, bool, error) {
	var rows []gameSyncRow
	if err := db.Keyset(s.db.Read.WithContext(ctx), "at_us", "id", page, limit).Find(&rows).Error; err != nil {
		return nil, false, fmt.Errorf("list syncs: %w", err)
	}
	rows, more := db.InOrder(rows, page, limit)
	list := make([]models.GameSync, len(rows))
	for i, r := range rows {
		list[i] = r.sync()
	}
	return list, more, nil
}

// LastGameSync returns the newest synchronisation; false means that there was none. With succeeded it returns the newest that changed
// our games to the platform's.
func (s *Store) LastGameSync(ctx context.Context, succeeded bool) (models.GameSync, bool, error) {
	q := s.db.Read.WithContext(ctx).Order("at_us DESC, id DESC").Limit(1)
	if succeeded {
		q = q.Where("error = ''")
	}
	var rows []gameSyncRow
	if err := q.Find(&rows).Error; err != nil {
		return models.GameSync{}, false, fmt.Errorf("read sync: %w", err)
	}
	if len(rows) == 0 {
		return models.GameSync{}, false, nil
	}
	return rows[0].sync(), true, nil
}
