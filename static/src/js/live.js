// data-live: a part of a page that asks for itself again (hx-get, hx-trigger="every 10s"). Its requests are marked, so that a
// page left open does not keep its reader signed in; it asks only while it can be seen; it says so when it stands still; and what
// its reader has unfolded stays so, by the ID of its details element.
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
    location.reload(); // the session has ended: the server shows the way to the sign-in page and back here
    return;
  }
  for (const sign of document.querySelectorAll(".pb-live")) sign.classList.toggle("stale", !event.detail.successful);
});

let unfolded = [];
document.addEventListener("htmx:beforeSwap", (event) => {
  if (event.detail.target.closest("[data-live]")) unfolded = [...event.detail.target.querySelectorAll("details[id][open]")].map((details) => details.id);
});
document.addEventListener("htmx:afterSwap", (event) => {
  if (event.detail.target.closest("[data-live]")) for (const id of unfolded) document.getElementById(id)?.setAttribute("open", "");
});
