package simulator

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"io"
	"strings"
)

// sign returns the signature of the values: HMAC-SHA-256 over their concatenation, with the secret key, as 64 uppercase
// hexadecimal characters (specification, Authentication 4 and 5). This deliberately duplicates callbacks/wire: the simulator is
// an independent witness and must not share a fault with the code that it checks. Callers pass the values in order.
func sign(secretKey string, values ...string) string {
	mac := hmac.New(sha256.New, []byte(secretKey))
	for _, value := range values {
		io.WriteString(mac, value)
	}
	return strings.ToUpper(hex.EncodeToString(mac.Sum(nil)))
}
