// data-launch: a form that opens a new tab. Once that has started, the form's own tab goes to the page that the attribute
// names.
document.addEventListener("submit", (event) => {
  const page = event.target.dataset.launch;
  if (page) setTimeout(() => location.assign(page), 100);
});
