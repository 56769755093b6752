// data-copy: a button that copies its value, or what is now in the field that data-copy-of names, to the clipboard, and says so for two seconds, also to screen readers. If the browser
// refuses, a text beside the button is selected, to be copied by hand.
const announced = document.createElement("p");
announced.className = "visually-hidden";
announced.setAttribute("role", "status");
document.body.append(announced);
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
    await navigator.clipboard.writeText(document.getElementById(button.dataset.copyOf)?.value ?? button.dataset.copy);
  } catch {
    said = "Not copied: the browser refused";
    button.closest("section")?.querySelector("textarea")?.select();
  }
  announced.textContent = said;
  button.classList.toggle("copied", said === "Copied");
  says(said);
  button.title = said;
  clearTimeout(button.copyTimer);
  button.copyTimer = setTimeout(() => {
    button.classList.remove("copied");
    announced.textContent = "";
    says(label);
    button.title = "Copy";
  }, 2000);
});
