package pack

import "hash/crc32"

// A CRC-32 shows more than that a file was changed. If a single byte was changed, the old sum and the new one show which byte
// it may have been, because their difference depends only on the change and on how many bytes follow it.

// maxSuspects limits how many places are tried. A file of 16 MB has one by chance alone.
const maxSuspects = 64

// suspect is a change of one byte that would explain the difference of two sums.
type suspect struct {
	offset int64
	xor    byte // the bits that were changed
}

// suspects returns the changes of a single byte, in a file of the given size, that turn the CRC-32 want into got.
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
		// The byte before this one has one more byte after it: undo that byte's step.
		last := byTop[difference>>24]
		difference = (difference^crc32.IEEETable[last])<<8 | uint32(last)
	}
	return list
}
