// A choice among the filters that opens: it closes when something beside it is pressed, and on Escape, which gives its summary the focus.
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
