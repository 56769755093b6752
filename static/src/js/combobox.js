// data-combobox: a text field with a list of matches that the server renders. In the search box a match is a link; with
// data-picker it puts its value into the field. Arrow keys choose, Enter selects, Escape closes.
const pause = 150;

function open(field) {
  return document.getElementById(field.getAttribute("aria-controls"));
}

function options(field) {
  return [...open(field).querySelectorAll("[role=option]")];
}

function show(field, shown) {
  open(field).hidden = !shown;
  field.setAttribute("aria-expanded", String(shown));
  if (!shown) field.removeAttribute("aria-activedescendant");
}

function choose(field, option) {
  for (const other of options(field)) other.setAttribute("aria-selected", String(other === option));
  if (!option) return field.removeAttribute("aria-activedescendant");
  field.setAttribute("aria-activedescendant", option.id);
  option.scrollIntoView({ block: "nearest" });
}

function take(field, option) {
  field.value = option.dataset.value;
  show(field, false);
  field.dispatchEvent(new Event("change", { bubbles: true }));
  field.focus();
}

async function ask(field) {
  const asked = field.value;
  if (asked.trim() === "" && "picker" in field.dataset) return show(field, false);
  const answer = await fetch(field.dataset.combobox + encodeURIComponent(asked), { headers: { "HX-Request": "true" } });
  if (asked !== field.value) return; // the text has changed since the request
  if (!answer.ok) return show(field, false);
  open(field).innerHTML = await answer.text();
  show(field, document.activeElement === field);
}

// The list goes at once: it belongs to the text before, and a quick click or Enter would take something from it.
document.addEventListener("input", (event) => {
  const field = event.target.closest("[data-combobox]");
  if (!field) return;
  show(field, false);
  clearTimeout(field.comboboxTimer);
  field.comboboxTimer = setTimeout(() => ask(field), pause);
});

// While the search box is empty, it shows what the reader viewed last.
document.addEventListener("focusin", (event) => {
  const field = event.target.closest("[data-jump]");
  if (field && field.value.trim() === "") ask(field);
});

document.addEventListener("keydown", (event) => {
  const field = event.target.closest("[data-combobox]");
  if (!field || open(field).hidden) return;
  const all = options(field);
  const at = all.findIndex((option) => option.getAttribute("aria-selected") === "true");
  if (event.key === "ArrowDown" || event.key === "ArrowUp") {
    event.preventDefault();
    const step = event.key === "ArrowDown" ? 1 : -1;
    choose(field, all[(at + step + all.length + (at < 0 && step < 0 ? 1 : 0)) % all.length]);
  } else if (event.key === "Enter" && at >= 0) {
    event.preventDefault();
    if ("picker" in field.dataset) take(field, all[at]);
    else all[at].click();
  } else if (event.key === "Escape") {
    event.preventDefault();
    show(field, false);
  }
});

document.addEventListener("click", (event) => {
  const option = event.target.closest("[role=option]");
  for (const field of document.querySelectorAll("[data-combobox]")) {
    const list = open(field);
    if (option && list.contains(option)) {
      if (!("picker" in field.dataset)) continue;
      event.preventDefault();
      take(field, option);
    } else if (event.target !== field && !list.contains(event.target)) {
      show(field, false);
    }
  }
});

document.addEventListener("focusout", (event) => {
  const field = event.target.closest("[data-combobox]");
  if (field && event.relatedTarget && !open(field).contains(event.relatedTarget)) show(field, false);
});
