// data-theme-form: the form that saves the reader's choice of colors is sent without leaving the page.
const order = ["system", "light", "dark"];

document.addEventListener("submit", async (event) => {
  const form = event.target.closest("[data-theme-form]");
  if (!form) return;
  event.preventDefault();
  const field = form.elements.theme;
  const chosen = field.value;
  const body = new URLSearchParams(new FormData(form));
  if (chosen === "system") delete document.documentElement.dataset.bsTheme;
  else document.documentElement.dataset.bsTheme = chosen;
  const following = order[(order.indexOf(chosen) + 1) % order.length];
  field.value = following;
  const button = form.querySelector("button");
  button.setAttribute("aria-label", `Colors: ${chosen}. Change to ${following}`);
  button.title = button.getAttribute("aria-label");
  const answer = await fetch(form.action, { method: "POST", body, redirect: "manual" });
  if (answer.status >= 400) location.reload();
});
