// data-launch: a form that opens a new tab. Its own tab goes on to the page that the attribute names, once the new tab is under way.
document.addEventListener("submit", (event) => {
  const page = event.target.dataset.launch;
  if (page) setTimeout(() => location.assign(page), 100);
});
