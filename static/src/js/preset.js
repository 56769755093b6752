// data-preset: a button that puts its value into the field named by data-for. Without script it sends the form.
document.addEventListener("click", (event) => {
  const button = event.target.closest("[data-preset]");
  const field = button && document.getElementById(button.dataset.for);
  if (!field) return;
  event.preventDefault();
  field.value = button.dataset.preset;
  field.dispatchEvent(new Event("input", { bubbles: true }));
  field.focus();
});
