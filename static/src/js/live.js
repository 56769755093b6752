// data-live: a part of a page that refreshes itself (hx-get, hx-trigger="every 10s"). Its requests are marked, so that an open
// page does not keep its reader signed in. It refreshes only while the tab is visible, and shows when a refresh has failed.
// Details elements with an ID stay open.
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

let unfolded = [];
document.addEventListener("htmx:beforeSwap", (event) => {
  const part = event.detail.target;
  if (!part.closest("[data-live]")) return;
  unfolded = [...part.querySelectorAll("details[id][open]")].map((details) => details.id);
});
document.addEventListener("htmx:afterSwap", (event) => {
  if (event.detail.target.closest("[data-live]")) for (const id of unfolded) document.getElementById(id)?.setAttribute("open", "");
});
