// data-passkey: a button that proves with a passkey that it is the reader, and sends the answer in the field that data-passkey-for names.
// data-passkey-new: a form that creates a passkey before it is sent. Both attributes have the question, as JSON.
const supported = window.PublicKeyCredential?.parseRequestOptionsFromJSON !== undefined;

if (supported) for (const button of document.querySelectorAll("[data-passkey]")) button.hidden = false;

document.addEventListener("click", async (event) => {
  const button = event.target.closest("[data-passkey]");
  if (!button) return;
  const field = document.getElementById(button.dataset.passkeyFor);
  try {
    const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(JSON.parse(button.dataset.passkey));
    const answer = await navigator.credentials.get({ publicKey });
    field.value = JSON.stringify(answer);
    field.type = "hidden";
    button.textContent = "Passkey used";
    if (field.form.reportValidity()) field.form.requestSubmit();
  } catch {
    button.textContent = "The passkey was not used. Try again";
  }
});

document.addEventListener("submit", async (event) => {
  const form = event.target;
  const question = form.dataset.passkeyNew;
  if (!question || form.elements.passkey.value) return;
  event.preventDefault();
  const says = form.querySelector("[data-passkey-says]");
  if (!supported) {
    says.textContent = "This browser has no passkeys. Use an authenticator app, or a newer browser.";
    return;
  }
  try {
    const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(JSON.parse(question));
    form.elements.passkey.value = JSON.stringify(await navigator.credentials.create({ publicKey }));
    form.requestSubmit();
  } catch {
    says.textContent = "The browser did not create a passkey. Try again.";
  }
});
