// Notices above the composer on what in the address doesn't apply. Screen readers read them, too, and
// they stay until they are dismissed. In this tab what was dismissed doesn't come again, only what is new.

import { emit, onClick } from "./events.js";
import * as view from "./view.js";

const KEY = "dismissed-address-notices";
const MOST = 50; // So many sentences are kept.
const notices = () => document.querySelector(".address-notices");
const entries = () => [...(notices()?.querySelectorAll(".notice li") ?? [])];
const sentenceOf = (entry) => entry.textContent.trim().replace(/\s+/g, " ");

function dismissed() {
  try {
    return JSON.parse(sessionStorage.getItem(KEY) ?? "[]");
  } catch {
    return []; // Storage may be forbidden.
  }
}

function keep(sentences) {
  try {
    const all = new Set([...dismissed(), ...sentences]);
    sessionStorage.setItem(KEY, JSON.stringify([...all].slice(-MOST)));
  } catch {
    // They come again after a reload.
  }
}

function hideDismissed() {
  const sentences = dismissed();
  for (const entry of entries()) if (sentences.includes(sentenceOf(entry))) entry.remove();
  if (!entries().length) notices()?.remove();
}

onClick("[data-dismiss-address]", () => {
  keep(entries().map(sentenceOf));
  notices().remove();
  view.writing()?.focus();
});
document.addEventListener("htmx:after:swap", hideDismissed);

/** Each page that shows some is announced once it is there. */
export function begin() {
  hideDismissed();
  if (entries().length) emit("chat:say", entries().map(sentenceOf).join(" "));
}
