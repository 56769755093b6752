// A menu among the filters closes on a click outside it, and on Escape, which moves the focus to its summary.
document.addEventListener("click", (event) => {
  for (const menu of document.querySelectorAll("details.pb-menu[open]")) {
    if (!menu.contains(event.target)) menu.open = false;
  }
});
document.addEventListener("keydown", (event) => {
  const menu = event.key === "Escape" && document.querySelector("details.pb-menu[open]");
  if (!menu) return;
  menu.open = false;
  menu.querySelector("summary").focus();
});
