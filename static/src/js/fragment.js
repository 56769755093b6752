// data-fragment: a field whose value comes with the address, behind its #. Browsers send that part to nobody, so that it is in no log.
// The field takes it and its row is hidden; the address and the history lose it.
for (const field of document.querySelectorAll("[data-fragment]")) {
  const value = location.hash.slice(1);
  if (value === "" || field.value !== "") continue;
  field.value = value;
  field.closest("[data-fragment-row]").hidden = true;
  history.replaceState(null, "", location.pathname);
}
