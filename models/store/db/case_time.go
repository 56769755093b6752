package db

// CaseHappened is when a case happened or, if the platform's statement gives no time, when it was found.
const CaseHappened = "(CASE WHEN at_us = 0 THEN found_at_us ELSE at_us END)"
