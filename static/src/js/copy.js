// data-copy: a button that copies its value to the clipboard, and says so for two seconds, also to screen readers.
document.addEventListener("click", async (event) => {
  const button = event.target.closest("[data-copy]");
  if (!button) return;
  const label = button.dataset.label ??= button.getAttribute("aria-label") ?? button.textContent;
  const says = (words) => {
    if (button.matches(".btn")) button.textContent = words;
    else button.setAttribute("aria-label", words);
  };
  let said = "Copied";
  try {
    await navigator.clipboard.writeText(button.dataset.copy);
  } catch {
    said = "Not copied: the browser refused";
  }
  button.classList.toggle("copied", said === "Copied");
  says(said);
  button.title = said;
  clearTimeout(button.copyTimer);
  button.copyTimer = setTimeout(() => {
    button.classList.remove("copied");
    says(label);
    button.title = "Copy";
  }, 2000);
});
