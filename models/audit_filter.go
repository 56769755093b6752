package models

// AuditFilter selects the audit events of one thing, the newest first.
type AuditFilter struct {
	Object   string
	ObjectID string
	Page     Cursor // by number
	Limit    int
}
