package main

import (
	"encoding/json"
	"maps"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"go.yaml.in/yaml/v3"

	"pitboss/callbacks/wire"
	"pitboss/cmd/testing/storetest"
	"pitboss/models"
)

// exposed are the metrics of a booted server: for each name, its label names, each with the values that occur.
type exposed map[string]map[string]map[string]bool

var (
	sample  = regexp.MustCompile(`^(\w+)(?:\{(.*)\})?$`)
	matcher = regexp.MustCompile(`(\w+)\s*(=~|!~|!=|=)\s*"([^"]*)"`)
)

// everyMetric boots a server with everything that metrics depend on, makes it give each kind of answer that alert rules name,
// and reads the metrics.
func everyMetric(t *testing.T) exposed {
	t.Helper()
	server := boot(t, environment(storetest.URL(t, storetest.SQLite), "PITBOSS_METRICS_ADDR=127.0.0.1:0"))
	forged := wire.Request{AgentID: testAgent, UserID: "anna", Sign: strings.Repeat("0", 32)}
	require.Contains(t, post(t, server, wire.GetBalance, forged), `"result":3`)
	unknown := wire.Request{AgentID: testAgent, UserID: "nobody"}
	unknown.Sign = wire.Sign(testSecret, unknown.SignedValues(wire.GetBalance, nil)...)
	require.Contains(t, post(t, server, wire.GetBalance, unknown), `"result":2`)
	answer, err := http.Post(server.CallbackURL()+"/nowhere", "", nil) // it is no callback
	require.NoError(t, err)
	answer.Body.Close()
	values := scrapeUntil(t, server, func(v map[string]float64) bool {
		isHolder := func(name string) bool { return strings.HasPrefix(name, "pitboss_job_holder{") }
		return slices.ContainsFunc(slices.Collect(maps.Keys(v)), isHolder)
	})

	all := exposed{}
	for series := range values {
		parts := sample.FindStringSubmatch(series)
		require.NotNil(t, parts, series)
		labels := all[parts[1]]
		if labels == nil {
			labels = map[string]map[string]bool{"instance": {}, "job": {"pitboss": true}} // Prometheus adds these
			all[parts[1]] = labels
		}
		for _, label := range matcher.FindAllStringSubmatch(parts[2], -1) {
			if labels[label[1]] == nil {
				labels[label[1]] = map[string]bool{}
			}
			labels[label[1]][label[3]] = true
		}
	}
	all["up"] = map[string]map[string]bool{"instance": {}, "job": {"pitboss": true}}
	return all
}

var (
	durations = regexp.MustCompile(`\[[^\]]*\]|\boffset\s+\w+`)
	grouping  = regexp.MustCompile(`\b(by|without|ignoring|on)\s*\(([^)]*)\)`)
	selector  = regexp.MustCompile(`([a-zA-Z_]\w*)\s*(\{[^}]*\}|\()?`)
	shown     = regexp.MustCompile(`\{\{\s*\$labels\.(\w+)\s*\}\}|\{\{\s*(\w+)\s*\}\}`)
)

// faults returns what is wrong with a PromQL expression, and with the labels that a text shows of its result: names of metrics,
// labels and values of labels that no server has. Values with $ are Grafana's variables.
func (all exposed) faults(expression, text string) (faults []string) {
	rest := durations.ReplaceAllString(expression, "")
	grouped := map[string]bool{}
	by := false
	for _, g := range grouping.FindAllStringSubmatch(rest, -1) {
		for label := range strings.SplitSeq(g[2], ",") {
			grouped[strings.TrimSpace(label)] = true
		}
		by = by || g[1] == "by"
	}
	rest = grouping.ReplaceAllString(rest, "")
	labels := map[string]bool{}
	metrics := 0
	for _, s := range selector.FindAllStringSubmatch(rest, -1) {
		if s[2] == "(" || slices.Contains([]string{"and", "or", "unless", "bool"}, s[1]) {
			continue // a function, or an operator
		}
		metrics++
		known, there := all[s[1]]
		if !there {
			faults = append(faults, "there is no metric "+s[1])
			continue
		}
		for label := range known {
			labels[label] = true
		}
		for _, m := range matcher.FindAllStringSubmatch(s[2], -1) {
			values, there := known[m[1]]
			if !there {
				faults = append(faults, s[1]+" has no label "+m[1])
			}
			for value := range strings.SplitSeq(m[3], "|") {
				if there && !strings.Contains(value, "$") && !values[value] {
					faults = append(faults, s[1]+" has no "+m[1]+" "+value)
				}
			}
		}
	}
	if metrics == 0 {
		faults = append(faults, "there is no metric in it")
	}
	for label := range grouped {
		if !labels[label] {
			faults = append(faults, "no metric in it has the label "+label)
		}
	}
	for _, label := range shown.FindAllStringSubmatch(text, -1) {
		if name := label[1] + label[2]; !labels[name] || by && !grouped[name] {
			faults = append(faults, "its result has no label "+name)
		}
	}
	return faults
}

// monitoringFile reads one of the files for monitoring, which the Debian package installs as examples.
func monitoringFile(t *testing.T, name string) []byte {
	t.Helper()
	content, err := os.ReadFile(filepath.Join("packaging", name))
	require.NoError(t, err)
	return content
}

// TestMonitoringFiles compares the alert rules, the dashboard and the handbook with the metrics of a booted server.
func TestMonitoringFiles(t *testing.T) {
	all := everyMetric(t)

	t.Run("alert rules", func(t *testing.T) {
		var file struct {
			Groups []struct {
				Name  string
				Rules []struct {
					Alert, Expr, For    string
					Labels, Annotations map[string]string
				}
			}
		}
		require.NoError(t, yaml.Unmarshal(monitoringFile(t, "prometheus-rules.yml"), &file))
		seen := map[string]bool{}
		for _, group := range file.Groups {
			for _, rule := range group.Rules {
				require.Regexp(t, `^Pitboss[A-Z]\w+$`, rule.Alert)
				require.False(t, seen[rule.Alert], "%s is there twice", rule.Alert)
				seen[rule.Alert] = true
				require.Contains(t, []string{"critical", "warning"}, rule.Labels["severity"], rule.Alert)
				require.Regexp(t, `[.;,:] .+\.$`, rule.Annotations["summary"], "%s: what is wrong, and what is to be done?",
					rule.Alert)
				require.Empty(t, all.faults(rule.Expr, rule.Annotations["summary"]), rule.Alert)
				if rule.Alert == "PitbossRiskyCase" {
					for _, r := range models.CaseRules {
						require.Equal(t, r.Risky(), regexp.MustCompile(`["|]`+r.String()+`["|]`).MatchString(rule.Expr),
							r.String())
					}
				}
			}
		}
		require.Greater(t, len(seen), 20)
		handbook, err := os.ReadFile("../../views/help/operating.md")
		require.NoError(t, err)
		for _, row := range regexp.MustCompile(`(?m)^\| (Pitboss[A-Z]\w+) \| .{20,} \|$`).FindAllStringSubmatch(string(handbook), -1) {
			require.True(t, seen[row[1]], "the runbook has %s twice, or there is no such alert", row[1])
			delete(seen, row[1])
		}
		require.Empty(t, seen, "the runbook lacks alerts")
	})

	t.Run("handbook", func(t *testing.T) {
		readme, err := os.ReadFile("../../views/help/operating.md")
		require.NoError(t, err)
		named := regexp.MustCompile("`(pitboss_\\w+)`").FindAllStringSubmatch(string(readme), -1)
		require.NotEmpty(t, named)
		for _, name := range named {
			require.True(t, all[name[1]] != nil || all[name[1]+"_bucket"] != nil, name[1])
		}
	})

	t.Run("dashboard", func(t *testing.T) {
		var file struct {
			UID, Title string
			Templating struct {
				List []struct{ Name string }
			}
			Panels []struct {
				ID          int
				Type, Title string
				Targets     []struct{ Expr, LegendFormat string }
				GridPos     struct{ X, Y, W, H int }
			}
		}
		require.NoError(t, json.Unmarshal(monitoringFile(t, "grafana-dashboard.json"), &file))
		require.Equal(t, "Pitboss", file.Title)
		require.NotEmpty(t, file.UID)
		ids, places := map[int]bool{}, map[[2]int]string{}
		for _, panel := range file.Panels {
			require.False(t, ids[panel.ID], panel.Title)
			ids[panel.ID] = true
			for x := panel.GridPos.X; x < panel.GridPos.X+panel.GridPos.W; x++ {
				for y := panel.GridPos.Y; y < panel.GridPos.Y+panel.GridPos.H; y++ {
					require.Empty(t, places[[2]int{x, y}], "%s overlaps another panel", panel.Title)
					places[[2]int{x, y}] = panel.Title
				}
			}
			if panel.Type != "row" {
				require.NotEmpty(t, panel.Targets, panel.Title)
			}
			for _, target := range panel.Targets {
				require.Empty(t, all.faults(target.Expr, target.LegendFormat), panel.Title)
			}
		}
		require.Greater(t, len(ids), 30)
	})
}
