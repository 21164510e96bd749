// Keeps the focus in a code block of an answer while what replaces the block comes.

const codesOf = (answer) => answer.querySelectorAll("figure.code");

/** Note which part of a code block in `answer` has the focus, if any. The returned function focuses
 *  it in the answer as it is `now`, and says whether it could. The block is known by its number. */
export function codeFocusIn(answer) {
  const focused = document.activeElement;
  const code = answer?.contains(focused) ? focused.closest("figure.code") : null;
  if (!code) return () => false;
  const place = [...codesOf(answer)].indexOf(code);
  const part = focused.matches("[data-copy]") ? "[data-copy]" : "pre";
  const focusVisible = focused.matches(":focus-visible");
  return (now) => {
    const target = codesOf(now)[place]?.querySelector(part);
    target?.focus({ preventScroll: true, focusVisible });
    return Boolean(target);
  };
}
