// Text for the clipboard. Over plain http there is no `navigator.clipboard`: there a field out of
// sight is selected and copied from.

/** Rejects where the browser does not allow it. */
export async function copyText(text) {
  if (navigator.clipboard) return navigator.clipboard.writeText(text);
  if (!copySelected(text)) throw new Error("The browser refused to copy.");
}

/** Rejects as well where `arriving`, a promise of text, does. The browser is asked at once, while
 *  the click still counts; without a clipboard of its own it lets a click count for longer. */
export async function copyArriving(arriving) {
  if (!navigator.clipboard?.write) return copyText(await arriving);
  const plain = arriving.then((text) => new Blob([text], { type: "text/plain" }));
  await navigator.clipboard.write([new ClipboardItem({ "text/plain": plain })]);
}

function copySelected(text) {
  const focused = document.activeElement;
  const field = document.createElement("textarea");
  field.className = "unseen";
  field.value = text;
  document.body.append(field);
  field.select();
  const done = document.execCommand("copy");
  field.remove();
  focused?.focus({ preventScroll: true });
  return done;
}
