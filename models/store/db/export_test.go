package db

// BeGalera has the database treated as a Galera cluster, which it need not be.
func (s *DB) BeGalera() { s.Pools.galera.Store(true) }
