// Where the keys of the inspector work: in the panel and on the page of a turn, and beside them when nothing
// else has the focus.

const PLACES = "#panel, #main:has(.inspector-page)";
const OTHERS = "input, textarea, select, [contenteditable], pre, dialog"; // They need the keys.

/** The inspector that a pressed key is meant for, if any. */
export function placeOf({ target, ctrlKey, metaKey, altKey }) {
  if (ctrlKey || metaKey || altKey || target.closest?.(OTHERS)) return null;
  if (target.matches?.("body, #main")) return document.querySelector(PLACES);
  return target.closest?.(PLACES);
}
