// Scrolls a field that gets the focus out from under the floating save button; a browser scrolls
// only to what is out of view. The style sheet's scroll-padding says how far.

const TYPED = "textarea, input:not([type='checkbox'], [type='radio'], [type='submit'], [type='file'])";

export function keepClear(form) {
  form.addEventListener("focusin", ({ target }) => {
    if (target.matches(TYPED)) target.scrollIntoView({ block: "nearest" });
  });
}
