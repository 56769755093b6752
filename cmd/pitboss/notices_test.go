package main

import (
	"pitboss/cmd/pitboss/config"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestNoticeSettings: errors name what is wrong with the settings of notices, and never a secret.
func TestNoticeSettings(t *testing.T) {
	base := environment("sqlite://x.db")
	for variable, more := range map[string][]string{
		"PITBOSS_NOTICE_SMTP must": {"PITBOSS_NOTICE_SMTP=smtp://name:hidden@mail.example:25",
			"PITBOSS_NOTICE_FROM=a@b.example", "PITBOSS_NOTICE_TO=c@d.example"},
		"PITBOSS_NOTICE_FROM must": {"PITBOSS_NOTICE_SMTP=smtps://mail.example:465", "PITBOSS_NOTICE_TO=c@d.example"},
		"PITBOSS_NOTICE_TO must":   {"PITBOSS_NOTICE_SMTP=smtps://mail.example:465", "PITBOSS_NOTICE_FROM=a@b.example"},
		"PITBOSS_NOTICE_TO must list": {"PITBOSS_NOTICE_SMTP=smtps://mail.example:465", "PITBOSS_NOTICE_FROM=a@b.example",
			"PITBOSS_NOTICE_TO=c@d.example,hidden"},
	} {
		_, err := config.Load[config.Server](append(base, more...))
		require.ErrorContains(t, err, variable)
		require.NotContains(t, err.Error(), "hidden")
	}
	_, err := config.Load[config.Server](append(base, "PITBOSS_NOTICE_SMTP=smtp://mail.example:587", "PITBOSS_PUBLIC_URL=https://back.example",
		"PITBOSS_NOTICE_FROM=Pitboss <a@b.example>", "PITBOSS_NOTICE_TO=c@d.example,e@f.example"))
	require.NoError(t, err)
}
