// data-live: a part of a page that refreshes itself (hx-get, hx-trigger="every 10s"). Its requests are marked, so that an open
// page does not keep its reader signed in. It refreshes only while the tab is visible, and shows when a refresh has failed.
// Details elements with an ID stay open, and the keyboard stays where it was. A page that would load again waits until its reader
// has stopped typing.
const mark = "Pitboss-Live";

document.addEventListener("htmx:configRequest", (event) => {
  if (event.detail.elt.closest("[data-live]")) event.detail.headers[mark] = "1";
});
document.addEventListener("htmx:beforeRequest", (event) => {
  if (document.hidden && event.detail.elt.closest("[data-live]")) event.preventDefault();
});
document.addEventListener("htmx:afterRequest", (event) => {
  const part = event.detail.elt.closest("[data-live]");
  if (!part) return;
  if (event.detail.xhr?.status === 401) {
    location.reload(); // the session has ended: the server redirects to the sign-in page, and later back here
    return;
  }
  for (const sign of document.querySelectorAll(".pb-live")) sign.classList.toggle("stale", !event.detail.successful);
});

document.addEventListener("htmx:beforeOnLoad", (event) => {
  if (!event.detail.elt.closest("[data-live]") || !event.detail.xhr.getResponseHeader("HX-Refresh")) return;
  if (document.activeElement?.matches("input:not([type=checkbox], [type=radio]), textarea") && document.activeElement.value !== "") {
    event.preventDefault(); // the next refresh asks again
  }
});

const focusable = "a[href], button, input, select, textarea, summary, [tabindex]";
let unfolded = [];
let focused = null;
document.addEventListener("htmx:beforeSwap", (event) => {
  const part = event.detail.target;
  if (!part.closest("[data-live]")) return;
  unfolded = [...part.querySelectorAll("details[id][open]")].map((details) => details.id);
  const at = document.activeElement;
  focused = part.id && part.contains(at)
    ? { part: part.id, href: at.getAttribute("href"), place: [...part.querySelectorAll(focusable)].indexOf(at) }
    : null;
});
document.addEventListener("htmx:afterSwap", (event) => {
  if (!event.detail.target.closest("[data-live]")) return;
  for (const id of unfolded) document.getElementById(id)?.setAttribute("open", "");
  const part = focused && document.getElementById(focused.part);
  if (!part || part.contains(document.activeElement)) return;
  const all = [...part.querySelectorAll(focusable)];
  const same = all.find((one) => focused.href !== null && one.getAttribute("href") === focused.href) ?? all[focused.place];
  same?.focus({ preventScroll: true });
});
