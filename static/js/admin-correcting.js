// Takes a field's error away once the field is changed. Whether the new value is right, the preview
// or the next save says.

export function forgetErrors(form) {
  form.addEventListener("input", ({ target }) => {
    const field = target.closest("[data-row].errors, .one-field.errors");
    if (!field) return;
    field.classList.remove("errors");
    for (const message of field.querySelectorAll(":scope > :is(.errorlist, .row-fault)")) message.remove();
    for (const input of field.querySelectorAll("[aria-invalid]")) input.removeAttribute("aria-invalid");
  });
}
