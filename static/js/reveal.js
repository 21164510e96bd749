// Shows what was typed as a password, until it is sent.

for (const button of document.querySelectorAll("[data-reveal]")) {
  const field = document.getElementById(button.dataset.reveal);
  const show = (isShown) => {
    field.type = isShown ? "text" : "password";
    button.setAttribute("aria-pressed", String(isShown));
  };
  button.hidden = false;
  button.addEventListener("click", () => {
    show(field.type === "password");
    field.focus();
  });
  field.form.addEventListener("submit", () => show(false));
}
