package simulator

import (
	"bytes"
	"hash/fnv"
	"image"
	"image/color"
	"image/png"
	"math"
	"net/http"
	"strings"
)

// The size of thumbnails, in pixels.
const thumbnailWidth, thumbnailHeight = 160, 120

// thumbnail serves a game's thumbnail.
func (s *Simulator) thumbnail(w http.ResponseWriter, r *http.Request) {
	gameID, isPNG := strings.CutSuffix(r.PathValue("file"), ".png")
	if _, offered := s.games.find(gameID); !offered || !isPNG {
		http.NotFound(w, r)
		return
	}
	var picture bytes.Buffer
	if err := png.Encode(&picture, drawThumbnail(gameID)); err != nil {
		http.Error(w, "the picture could not be drawn", http.StatusInternalServerError)
		return
	}
	header := w.Header()
	header.Set("Content-Type", "image/png")
	header.Set("Cache-Control", "public, max-age=86400")
	header.Set("X-Content-Type-Options", "nosniff")
	_, _ = w.Write(picture.Bytes()) // an error means that the client has gone away
}

// drawThumbnail draws a game's thumbnail, which depends only on its ID: several petals on a gradient.
func drawThumbnail(gameID string) image.Image {
	hash := fnv.New64a()
	hash.Write([]byte(gameID))
	seed := hash.Sum64()
	hue := float64(seed%360) / 60
	petals, radius := float64(3+seed/360%6), 30+float64(seed/2160%12)
	ground, shape, heart := hsl(hue, 0.5, 0.3), hsl(hue+0.6, 0.65, 0.58), hsl(hue+3, 0.6, 0.75)
	picture := image.NewRGBA(image.Rect(0, 0, thumbnailWidth, thumbnailHeight))
	for y := range thumbnailHeight {
		for x := range thumbnailWidth {
			dx, dy := float64(x-thumbnailWidth/2), float64(y-thumbnailHeight/2)
			distance := math.Hypot(dx, dy)
			edge := radius * (1 + 0.25*math.Cos(petals*math.Atan2(dy, dx)))
			c := blend(ground, color.RGBA{A: 255}, 0.5*float64(y)/thumbnailHeight)
			c = blend(shape, c, min(1, max(0, distance-edge)))
			picture.SetRGBA(x, y, blend(heart, c, min(1, max(0, distance-radius/3))))
		}
	}
	return picture
}

// blend mixes two colors. A share of 0 gives a, 1 gives b.
func blend(a, b color.RGBA, share float64) color.RGBA {
	mix := func(a, b uint8) uint8 { return uint8(float64(a)*(1-share) + float64(b)*share) }
	return color.RGBA{mix(a.R, b.R), mix(a.G, b.G), mix(a.B, b.B), 255}
}

// hsl returns a color by hue (0 to 6), saturation and lightness.
func hsl(hue, saturation, lightness float64) color.RGBA {
	chroma := (1 - math.Abs(2*lightness-1)) * saturation
	part := func(offset float64) uint8 {
		k := math.Mod(hue+offset, 6)
		return uint8(255 * (lightness - chroma/2 + chroma*max(0, min(1, min(k, 4-k)))))
	}
	return color.RGBA{part(2), part(0), part(4), 255}
}
