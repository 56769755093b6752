package books

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// Every line is in exactly one part, in order, and no part has too many.
func TestPartsOfLines(t *testing.T) {
	heads := []dayHead{
		{PlayerID: 1, Seq: 0, WalletSeq: 2}, {PlayerID: 2, Seq: 7, WalletSeq: 7}, {PlayerID: 3, Seq: 5, WalletSeq: 16},
		{PlayerID: 4, Seq: 0, WalletSeq: 1},
	}
	var all [][2]int64
	for _, h := range heads {
		for seq := h.Seq + 1; seq <= h.WalletSeq; seq++ {
			all = append(all, [2]int64{h.PlayerID, seq})
		}
	}
	for limit := int64(1); limit <= int64(len(all))+1; limit++ {
		var read [][2]int64
		for part := range parts(heads, limit) {
			n, players := int64(0), map[int64]bool{}
			for _, h := range part {
				require.False(t, players[h.PlayerID], "a player is in a part once")
				players[h.PlayerID] = true
				for seq := h.Seq + 1; seq <= h.WalletSeq; seq++ {
					read, n = append(read, [2]int64{h.PlayerID, seq}), n+1
				}
			}
			require.NotZero(t, n)
			require.LessOrEqual(t, n, limit)
		}
		require.Equal(t, all, read, "parts of %d lines", limit)
	}
	for range parts(nil, 1) {
		t.Fatal("no lines have no part")
	}
}
