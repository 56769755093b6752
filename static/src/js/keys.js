// data-key: "/" or Ctrl-K (on a Mac, Cmd-K) goes to the search box, which also finds pages and actions, "g" and a letter follow the link with this letter, "?" shows all keys. Keys typed into
// a field or with a modifier are left alone. data-hotkey: the key follows a link, or moves the focus to a control. No key
// presses a button. "j" and "k" move the focus to the link of the next or previous row of a list, and "x" checks the row's box.
const soon = 1500;
let waiting = 0;

// addLinks adds the keys of links to the list of keys. The server leaves them out, because they are in the navigation already.
function addLinks(help) {
  const list = help.querySelector("[data-lists-links]");
  if (!list) return;
  list.removeAttribute("data-lists-links");
  for (const link of document.querySelectorAll("a[data-key]")) {
    const keys = document.createElement("dt");
    for (const key of ["g", link.dataset.key]) {
      keys.append(Object.assign(document.createElement("kbd"), { textContent: key }));
    }
    const word = [...link.childNodes].filter((node) => node.nodeType === Node.TEXT_NODE).map((node) => node.data);
    list.append(keys, Object.assign(document.createElement("dd"), { textContent: word.join("").trim() }));
  }
}

// inRow moves between the rows of lists, and selects one.
function inRow(key) {
  const link = (row) => row.querySelector(".c-what a[href]") ?? row.querySelector("a[href]");
  const rows = [...document.querySelectorAll("main tbody tr")].filter(link);
  const at = rows.indexOf(document.activeElement.closest("tr"));
  if (key === "x") return rows[at]?.querySelector("input[type=checkbox]")?.click();
  const next = rows[key === "j" ? at + 1 : Math.max(at - 1, 0)];
  if (!next) return;
  link(next).focus();
  next.scrollIntoView({ block: "nearest" });
}

function toSearch(event) {
  const box = document.querySelector("[data-jump]");
  if (!box) return;
  event.preventDefault();
  box.focus();
  box.select();
}

document.addEventListener("keydown", (event) => {
  if (event.key === "k" && (event.ctrlKey || event.metaKey) && !event.altKey && !event.shiftKey) return toSearch(event);
  if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return;
  if (event.target.closest("input:not([type=checkbox]), textarea, select, [contenteditable]")) return;

  if (performance.now() < waiting) {
    waiting = 0;
    const link = document.querySelector(`a[data-key="${CSS.escape(event.key)}"]`);
    if (link) {
      event.preventDefault();
      link.click();
    }
    return;
  }
  if (event.key === "g") {
    waiting = performance.now() + soon;
  } else if (event.key === "/") {
    toSearch(event);
  } else if (event.key === "?") {
    const help = document.getElementById("shortcuts");
    if (help) {
      event.preventDefault();
      addLinks(help);
      help.togglePopover();
    }
  } else {
    const target = document.querySelector(`[data-hotkey="${CSS.escape(event.key)}"]`);
    if (!target) return ["j", "k", "x"].includes(event.key) ? inRow(event.key) : undefined;
    event.preventDefault();
    if (target.matches("a[href]")) {
      target.click();
    } else {
      target.focus();
      target.scrollIntoView({ block: "center" });
    }
  }
});
