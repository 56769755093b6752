// data-dismiss: a button that takes away the nearest element matching its selector, and gives the focus back to the page.
document.addEventListener("click", (event) => {
  const button = event.target.closest("[data-dismiss]");
  if (!button) return;
  button.closest(button.dataset.dismiss)?.remove();
  document.getElementById("main")?.focus();
});
