// data-dismiss: a button that removes its nearest ancestor that matches the selector, and moves the focus back to the page.
document.addEventListener("click", (event) => {
  const button = event.target.closest("[data-dismiss]");
  if (!button) return;
  button.closest(button.dataset.dismiss)?.remove();
  document.getElementById("main")?.focus();
});
