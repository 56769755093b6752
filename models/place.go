package models

// The places of rows in their lists. Rows of some lists have other places, depending on the filter, such as CaseFilter.Place.

func (e AuditEvent) Place() Cursor  { return Cursor{At: e.At, ID: e.ID} }
func (r CashReview) Place() Cursor  { return Cursor{At: r.At, ID: r.ID} }
func (c Correction) Place() Cursor  { return Cursor{At: c.At, ID: c.ID} }
func (d Difference) Place() Cursor  { return Cursor{At: d.At, ID: d.Number} }
func (e Entry) Place() Cursor       { return Cursor{At: e.At, ID: e.Seq} }
func (c GameChange) Place() Cursor  { return Cursor{At: c.At, ID: c.ID} }
func (s GameSession) Place() Cursor { return Cursor{At: s.At, ID: s.ID} }
func (g Grant) Place() Cursor       { return Cursor{At: g.At, ID: g.ID} }
func (i Campaign) Place() Cursor    { return Cursor{At: i.At, ID: i.ID} }
func (n Notice) Place() Cursor      { return Cursor{At: n.At, ID: n.ID} }
func (r Restriction) Place() Cursor { return Cursor{At: r.At, ID: r.ID} }
func (s Statement) Place() Cursor   { return Cursor{At: s.At, ID: s.ID} }

// Their lists are in the order of their names or numbers.

func (s AttributedSpin) Place() Cursor    { return Cursor{ID: s.Seq} }
func (g Game) Place() Cursor              { return Cursor{ID: g.ID} }
func (l CampaignLine) Place() Cursor      { return Cursor{ID: int64(l.Line)} }
func (e LineError) Place() Cursor         { return Cursor{ID: int64(e.Line)} }
func (p Player) Place() Cursor            { return Cursor{ID: p.ID} }
func (s Staff) Place() Cursor             { return Cursor{ID: s.ID} }
func (v VerificationRun) Place() Cursor   { return Cursor{ID: v.ID} }
func (w WrittenCheckpoint) Place() Cursor { return Cursor{ID: w.Number} }
