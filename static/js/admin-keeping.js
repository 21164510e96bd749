// A field that gets the focus where the save button floats over it is scrolled clear of the button: a
// browser scrolls only to what is out of view. How far is the style sheet's scroll-padding.

const TYPED = "textarea, input:not([type='checkbox'], [type='radio'], [type='submit'], [type='file'])";

export function keepClear(form) {
  form.addEventListener("focusin", ({ target }) => {
    if (target.matches(TYPED)) target.scrollIntoView({ block: "nearest" });
  });
}
