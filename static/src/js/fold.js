// On a phone, the details of a page start folded.
if (matchMedia("(max-width: 40rem)").matches) {
  for (const details of document.querySelectorAll("details[data-fold]")) details.open = false;
}
