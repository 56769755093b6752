package browsertest

import "fmt"

// Overlap describes two texts of a page that are drawn over each other, or one text that leaves its table cell or time column.
// In the second case, Other is empty.
type Overlap struct {
	Text  string `json:"text"`
	Other string `json:"other"`
	Where string `json:"where"` // the element of Text
	X     int    `json:"x"`     // the width of the overlap in pixels
	Y     int    `json:"y"`
}

// String describes the texts and their place on the page.
func (o Overlap) String() string {
	if o.Other == "" {
		return fmt.Sprintf("%q leaves its column by %d px, in %s", o.Text, o.X, o.Where)
	}
	return fmt.Sprintf("%q and %q overlap by %d by %d px, in %s", o.Text, o.Other, o.X, o.Y, o.Where)
}

// overlapScript compares every visible line of text with every other one, without the parts that its ancestors clip. The lines
// of a paragraph may be closer together than their glyphs are high, so only an overlap of two fifths of the smaller line's
// height counts. Popovers, dialogs and sticky bars cover the page on purpose, so their text is only compared with text in the
// same layer.
const overlapScript = `(() => {
	const boxes = [];
	const layerOf = (e) => {
		for (; e && e !== document.body; e = e.parentElement) {
			const style = getComputedStyle(e);
			if (style.position === "fixed" || style.position === "sticky" || e.matches(":popover-open, dialog[open]")) return e;
			if (style.position === "absolute" && style.zIndex !== "auto") return e;
		}
		return document.body;
	};
	const name = (e) => {
		const path = [];
		for (; e && e !== document.body && path.length < 4; e = e.parentElement) path.unshift(e.tagName.toLowerCase() + [...e.classList].map((c) => "." + c).join(""));
		return path.join(" > ");
	};
	const walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
	for (let node; (node = walk.nextNode());) {
		const parent = node.parentElement;
		if (!node.data.trim() || /^(SCRIPT|STYLE|NOSCRIPT|OPTION|TEXTAREA|TITLE)$/.test(parent.tagName)) continue;
		if (!parent.checkVisibility({ visibilityProperty: true, opacityProperty: true })) continue;
		const clips = [];
		for (let e = parent; e && e !== document.body; e = e.parentElement) {
			const style = getComputedStyle(e);
			if (style.overflow !== "visible" || style.clipPath !== "none" || style.clip !== "auto") clips.push(e.getBoundingClientRect());
		}
		const range = document.createRange();
		range.selectNodeContents(node);
		for (const r of range.getClientRects()) {
			let { left, right, top, bottom } = r;
			for (const c of clips) {
				left = Math.max(left, c.left); right = Math.min(right, c.right);
				top = Math.max(top, c.top); bottom = Math.min(bottom, c.bottom);
			}
			if (right - left > 1 && bottom - top > 1) boxes.push({ left, right, top, bottom, text: node.data.trim().slice(0, 60), node, parent, layer: layerOf(parent) });
		}
	}
	const found = [];
	for (const b of boxes) {
		const column = b.parent.closest("td, th, .pb-time .t, .pb-time .effect, .pb-links .k");
		if (!column || getComputedStyle(column).display === "contents") continue;
		const over = Math.round(b.right - column.getBoundingClientRect().right);
		if (over > 1) found.push({ text: b.text, other: "", where: name(b.parent), x: over, y: 0 });
	}
	boxes.sort((a, b) => a.top - b.top);
	for (let i = 0; i < boxes.length; i++) {
		for (let j = i + 1; j < boxes.length && boxes[j].top < boxes[i].bottom; j++) {
			const a = boxes[i], b = boxes[j];
			if (a.layer !== b.layer || a.node === b.node) continue; // a text that ends in an ellipsis has two boxes
			const x = Math.min(a.right, b.right) - Math.max(a.left, b.left), y = Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top);
			if (x > 1 && y > 0.4 * Math.min(a.bottom - a.top, b.bottom - b.top))
				found.push({ text: a.text, other: b.text, where: name(a.parent), x: Math.round(x), y: Math.round(y) });
		}
	}
	return found;
})()`

// Overlaps lists the texts on the page that are drawn over each other or leave their column.
func (tab *Tab) Overlaps() []Overlap {
	tab.t.Helper()
	tab.until(`document.readyState === "complete"`, "the page to load")
	return evaluate[[]Overlap](tab, overlapScript)
}
