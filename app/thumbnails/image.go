package thumbnails

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"image/gif"
	"image/jpeg"
	"image/png"
	"net/http"
)

// check returns the type of a picture according to its contents, or what is wrong with it: it is not a raster image, or has too
// many pixels for a browser. It does not decode pixels.
func check(contents []byte) (kind string, err error) {
	var width, height int
	switch kind = http.DetectContentType(contents); kind {
	case "image/png":
		c, failure := png.DecodeConfig(bytes.NewReader(contents))
		width, height, err = c.Width, c.Height, failure
	case "image/jpeg":
		c, failure := jpeg.DecodeConfig(bytes.NewReader(contents))
		width, height, err = c.Width, c.Height, failure
	case "image/gif":
		c, failure := gif.DecodeConfig(bytes.NewReader(contents))
		width, height, err = c.Width, c.Height, failure
	case "image/webp":
		width, height, err = webpSize(contents)
	default:
		return "", fmt.Errorf("it is %s, not a PNG, JPEG, GIF or WebP image", kind)
	}
	if err != nil {
		return "", fmt.Errorf("%s: %w", kind, err)
	}
	if width < 1 || height < 1 || width > maxSide || height > maxSide || width*height > maxPixels {
		return "", fmt.Errorf("%d by %d pixels is outside the limits for a thumbnail", width, height)
	}
	return kind, nil
}

var errWebP = errors.New("its header cannot be read")

// webpSize reads the size from a WebP file's first chunk, which is one of three kinds (RFC 9649, section 2).
func webpSize(b []byte) (width, height int, err error) {
	if len(b) < 30 {
		return 0, 0, errWebP
	}
	little := binary.LittleEndian
	switch chunk := b[20:]; string(b[12:16]) {
	case "VP8 ":
		if !bytes.Equal(chunk[3:6], []byte{0x9d, 0x01, 0x2a}) {
			return 0, 0, errWebP
		}
		return int(little.Uint16(chunk[6:]) & 0x3fff), int(little.Uint16(chunk[8:]) & 0x3fff), nil
	case "VP8L":
		if chunk[0] != 0x2f {
			return 0, 0, errWebP
		}
		bits := little.Uint32(chunk[1:])
		return int(bits&0x3fff) + 1, int(bits>>14&0x3fff) + 1, nil
	case "VP8X":
		u24 := func(b []byte) int { return int(b[0]) | int(b[1])<<8 | int(b[2])<<16 }
		return u24(chunk[4:]) + 1, u24(chunk[7:]) + 1, nil
	}
	return 0, 0, errWebP
}
