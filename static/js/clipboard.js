// Text for the clipboard. Over plain http there is no `navigator.clipboard`: the text is copied from
// a selected field that is out of sight.

/** Reject if the browser does not allow it. */
export async function copyText(text) {
  if (navigator.clipboard) return navigator.clipboard.writeText(text);
  if (!copySelected(text)) throw new Error("The browser refused to copy.");
}

/** Reject also if `arriving`, a promise of text, does. Ask the browser at once, while it still
 *  counts the click as a permission; the way without a clipboard can wait for the text. */
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
