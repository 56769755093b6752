// data-copy: a button that copies its value to the clipboard, and says so for two seconds, also to screen readers.
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
