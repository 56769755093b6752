package pack

import "hash/crc32"

// A CRC-32 tells more than that a file was changed: if a single byte was, the two sums say which one it may have been. For the
// difference that a changed byte makes to the sum depends only on the change and on how many bytes follow.

// maxSuspects is how many places are tried. By chance alone, a file of 16 MB has one.
const maxSuspects = 64

// suspect is a change of one byte that would explain a difference of sums.
type suspect struct {
	offset int64
	xor    byte // what the byte was combined with
}

// suspects returns the changes of a single byte in a file of a size that turn one CRC-32 into another.
func suspects(want, got uint32, size int64) (list []suspect) {
	var byTop [256]byte
	change := make(map[uint32]byte, 256)
	for i, entry := range crc32.IEEETable {
		byTop[entry>>24] = byte(i)
		change[entry] = byte(i)
	}
	difference := want ^ got
	for offset := size - 1; offset >= 0 && len(list) < maxSuspects; offset-- {
		if xor, explains := change[difference]; explains && xor != 0 {
			list = append(list, suspect{offset, xor})
		}
		// One byte fewer follows: undo its step.
		last := byTop[difference>>24]
		difference = (difference^crc32.IEEETable[last])<<8 | uint32(last)
	}
	return list
}
