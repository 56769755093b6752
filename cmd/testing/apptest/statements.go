package apptest

import (
	"bytes"
	"mime/multipart"
	"net/http"
	"net/url"
	"time"

	"github.com/stretchr/testify/require"

	"pitboss/models"
)

// UploadTo sends a file with a page's form.
func (b *Browser) UploadTo(from, path, name, contents string, fields ...string) *Answer {
	b.T.Helper()
	var body bytes.Buffer
	w := multipart.NewWriter(&body)
	require.NoError(b.T, w.WriteField("csrf", b.Token(from)))
	for i := 0; i < len(fields); i += 2 {
		require.NoError(b.T, w.WriteField(fields[i], fields[i+1]))
	}
	part, err := w.CreateFormFile("file", name)
	require.NoError(b.T, err)
	_, err = part.Write([]byte(contents))
	require.NoError(b.T, err)
	require.NoError(b.T, w.Close())
	request, err := http.NewRequestWithContext(b.T.Context(), http.MethodPost, b.Site.Base.String()+path, &body)
	require.NoError(b.T, err)
	request.Header.Set("Content-Type", w.FormDataContentType())
	request.Header.Set("Origin", b.Site.Base.String())
	request.Header.Set("Sec-Fetch-Site", "same-origin")
	return b.Send(request)
}

// ReadingForm returns what the form on a statement's column mapping page would send, with the values in typed instead of its
// own.
func ReadingForm(page *Answer, typed url.Values) url.Values {
	values := url.Values{}
	for _, field := range page.Find("form[action$='/runs'] input, form[action$='/runs'] select").EachIter() {
		name, value := field.AttrOr("name", ""), field.AttrOr("value", "")
		if field.Is("[type=checkbox]:not([checked])") {
			continue
		}
		if field.Is("select") {
			value = field.Find("option[selected]").AttrOr("value", "")
		}
		values.Set(name, value)
	}
	for name, v := range typed {
		values[name] = v
	}
	return values
}

// WaitUntilCompared waits until the newest comparison of a statement has ended, and returns it.
func (b *Browser) WaitUntilCompared(id int64) models.StatementRun {
	b.T.Helper()
	var st models.Statement
	require.Eventually(b.T, func() bool {
		var err error
		st, _, err = b.Site.Store.Statement(b.T.Context(), id)
		require.NoError(b.T, err)
		return st.Run.ID != 0 && !st.Run.State.Open()
	}, 30*time.Second, 5*time.Millisecond)
	return st.Run
}
