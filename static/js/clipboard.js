// Copies text to the clipboard. Over plain http there is no `navigator.clipboard`: the text is
// copied from a selected field that is out of sight. Wherever this is loaded, the buttons of code
// blocks copy them.

import { emit, onClick } from "./events.js";
import { worded } from "./texts.js";

/** Reject if the browser does not allow it. */
export async function copyText(text) {
  if (navigator.clipboard) return navigator.clipboard.writeText(text);
  if (!copySelected(text)) throw new Error("The browser refused to copy.");
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

/** Copy what a button is for, and say so. */
export async function copy(button, text) {
  try {
    await copyText(text);
  } catch {
    emit("chat:problem", worded("copy-refused"));
    return;
  }
  emit("chat:say", worded("copied"));
  showDone(button);
}

function showDone(button) {
  const { icon } = button.dataset;
  const before = icon ?? button.textContent;
  const show = (mark, text) => (icon ? (button.dataset.icon = mark) : (button.textContent = text));
  show("check", worded("copied"));
  setTimeout(() => show(before, before), 1_500);
}

onClick("figure.code [data-copy]", (button) => {
  copy(button, button.closest("figure").querySelector("pre").textContent);
});
