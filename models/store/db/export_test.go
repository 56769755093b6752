package db

// BeGalera makes the store treat the database as a Galera cluster.
func (s *DB) BeGalera() { s.Pools.galera.Store(true) }
