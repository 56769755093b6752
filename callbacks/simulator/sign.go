package simulator

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"io"
	"strings"
)

// sign answers the signature of a request: HMAC-SHA-256 over the values joined without separators, keyed with the secret key,
// as 64 upper-case hexadecimal characters (specification, Authentication 4 and 5). It is written here a second time on purpose:
// the simulator is a witness, and must not repeat a fault of the code it watches. The callers name the order of the values.
func sign(secretKey string, values ...string) string {
	mac := hmac.New(sha256.New, []byte(secretKey))
	for _, value := range values {
		io.WriteString(mac, value)
	}
	return strings.ToUpper(hex.EncodeToString(mac.Sum(nil)))
}
