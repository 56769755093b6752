// data-fragment: a field that is filled from the part of the address after the #. Browsers never send that part, so no log has
// it. The row of the field is hidden, and the part is removed from the address and the history.
for (const field of document.querySelectorAll("[data-fragment]")) {
  const value = location.hash.slice(1);
  if (value === "" || field.value !== "") continue;
  field.value = value;
  field.closest("[data-fragment-row]").hidden = true;
  history.replaceState(null, "", location.pathname);
}
