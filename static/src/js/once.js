// A second click on the button of a form that is on its way sends nothing. Without scripts, the server answers a form only once
// (app/web/once.go), but cannot show an answer again that is shown only once, such as a new account's link.
const pause = 3000; // milliseconds

document.addEventListener("submit", (event) => {
  const form = event.target;
  if (event.defaultPrevented || form.method !== "post" || form.target) return;
  if (form.dataset.sent) {
    event.preventDefault();
    return;
  }
  form.dataset.sent = "yes";
  setTimeout(() => delete form.dataset.sent, pause);
});
