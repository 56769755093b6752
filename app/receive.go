package app

import (
	"bytes"
	"net/http"
	"time"

	"github.com/valyala/fasthttp"

	"pitboss/app/reconcile"
)

// bodyLimit is how much a request may bring, in bytes. It is held in memory.
const bodyLimit = 16 << 20

// uploadTime is how long the upload of a statement may take.
const uploadTime = 30 * time.Minute

// receive lets statements in that are larger than other requests: from those alone who may compare them, as a form of known length, which
// is written to disk as it comes.
func (a *App) receive(h *fasthttp.RequestHeader) (cfg fasthttp.RequestConfig) {
	path, _, _ := bytes.Cut(h.RequestURI(), []byte("?"))
	if !h.IsPost() || string(path) != "/statements" || h.ContentLength() <= 0 || !bytes.HasPrefix(h.ContentType(), []byte("multipart/form-data")) {
		return cfg
	}
	request, err := http.NewRequest(http.MethodGet, "/", nil)
	if err != nil {
		return cfg
	}
	request.Header.Set("Cookie", string(h.Peek("Cookie")))
	session, err := a.sessions.New(request, sessionName)
	if err != nil {
		return cfg
	}
	row, there := session.Values[rowKey{}].(*sessionRow)
	stage, _ := session.Values[valueStage].(string)
	if !there || stage == stageCode {
		return cfg
	}
	if allowed, err := may(row.staff.Role, runStatements); err != nil || !allowed {
		return cfg
	}
	return fasthttp.RequestConfig{MaxRequestBodySize: reconcile.MaxFile + 1<<20, ReadTimeout: uploadTime}
}
