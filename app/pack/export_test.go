package pack

import (
	"archive/zip"
	"bytes"
	"encoding/json"
	"io"
	"strings"
	"time"

	"pitboss/models"
)

// MoneyBefore is the opening balance.
func (m *Manifest) MoneyBefore() string { return text(m.Ledger.Opening) }

// Forge makes a pack again with files changed, CSV files to match the changed JSON, and a matching manifest, as somebody with
// the given chain's key can. A table whose JSON becomes empty is left out.
func Forge(content []byte, chain *models.Chain, change func(name, text string) string) ([]byte, error) {
	z, err := zip.NewReader(bytes.NewReader(content), int64(len(content)))
	if err != nil {
		return nil, err
	}
	files := map[string]string{}
	for _, f := range z.File {
		r, err := f.Open()
		if err != nil {
			return nil, err
		}
		text, err := io.ReadAll(r)
		if err != nil {
			return nil, err
		}
		files[f.Name] = change(f.Name, string(text))
	}
	var doc sealed[Manifest]
	if err := json.Unmarshal([]byte(files[manifestFile]), &doc); err != nil {
		return nil, err
	}
	var out bytes.Buffer
	a := newArchive(&out, time.Time(doc.Manifest.Made))
	for _, f := range doc.Manifest.Files {
		text := files[f.Name]
		table := strings.TrimSuffix(strings.TrimSuffix(f.Name, ".csv"), ".json")
		if rows, is := files[table+".json"]; is && readers[table] != nil {
			if rows == "" {
				continue
			}
			f.Rows = int64(strings.Count(rows, "\n{"))
		}
		if name, isCSV := trimmed(f.Name, ".csv"); isCSV {
			var b bytes.Buffer
			c := &checker{}
			w, err := newCSVWriter(&b, readers[name](c).zero())
			if err != nil {
				return nil, err
			}
			for line := range strings.Lines(files[name+".json"]) {
				if strings.HasPrefix(line, "{") {
					if err := w.write([]byte(strings.TrimSuffix(strings.TrimSpace(line), ","))); err != nil {
						return nil, err
					}
				}
			}
			if err := w.flush(); err != nil {
				return nil, err
			}
			text = b.String()
		}
		if err := a.add(f.Name, f.Rows, strings.NewReader(text)); err != nil {
			return nil, err
		}
	}
	err = a.close(chain, doc.Manifest)
	return out.Bytes(), err
}
