// data-copy: a button that puts its value on the clipboard, and says so to the eye and to a screen reader for two seconds.
document.addEventListener("click", async (event) => {
  const button = event.target.closest("[data-copy]");
  if (!button) return;
  const label = button.dataset.label ??= button.getAttribute("aria-label");
  let said = "Copied";
  try {
    await navigator.clipboard.writeText(button.dataset.copy);
  } catch {
    said = "Not copied: the browser refused";
  }
  button.classList.toggle("copied", said === "Copied");
  button.setAttribute("aria-label", said);
  button.title = said;
  clearTimeout(button.copyTimer);
  button.copyTimer = setTimeout(() => {
    button.classList.remove("copied");
    button.setAttribute("aria-label", label);
    button.title = "Copy";
  }, 2000);
});
