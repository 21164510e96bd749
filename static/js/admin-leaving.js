// Warns of leaving a form of the administration with changes that weren't saved.

/** What doesn't belong to what is saved: the choice of a chat to try it in. */
const isTrial = (field) => field.closest(".preview-chat") !== null;

export function warnOfLeaving(form) {
  let isUnsaved = document.querySelector(".faults") !== null; // What was refused is still to be saved.
  const note = ({ target }) => {
    if (!isTrial(target)) isUnsaved = true;
  };
  form.addEventListener("input", note);
  form.addEventListener("change", note);
  form.addEventListener("submit", () => (isUnsaved = false));
  addEventListener("beforeunload", (event) => {
    if (isUnsaved) event.preventDefault();
  });
}
