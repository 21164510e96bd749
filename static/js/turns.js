// Keys lead to the previous or next turn, the chat follows the turn that the panel shows, and the
// focus stays in its place when the panel is replaced.

import { onClick } from "./events.js";
import { unfold } from "./folds.js";
import { reach } from "./reaching.js";
import { placeOf } from "./within.js";

const KEYS = { "[": "prev", ArrowLeft: "prev", "]": "next", ArrowRight: "next" };

let focused = null; // The selector of what had the focus, while the panel with it is replaced.

function focusOn(element) {
  if (element?.matches(".zone")) element.tabIndex = -1;
  unfold(element?.parentElement);
  element?.focus({ preventScroll: true });
}

document.addEventListener("keydown", (event) => {
  const place = event.key in KEYS && placeOf(event);
  if (!place) return;
  event.preventDefault();
  const link = place.querySelector(`.moves [rel=${KEYS[event.key]}]`);
  link?.focus({ preventScroll: true });
  link?.click();
});

const isPanel = (event) => event.detail.ctx.target?.id === "panel";

/** The second of two simultaneous swaps finds no focus any more: the first one's place counts. */
document.addEventListener("htmx:before:swap", (event) => {
  if (!isPanel(event)) return;
  const isLost = document.activeElement === document.body;
  focused = focusedPart() ?? (isLost ? focused : null);
});

function focusedPart() {
  if (document.querySelector("#panel .moves [rel]:focus")) return ".moves summary";
  const chips = document.querySelector("#panel .chips:has(:focus)");
  if (chips) return `.chips[aria-label="${chips.ariaLabel}"] [aria-current]`;
  const fold = document.querySelector("#panel [data-keep]:has(> summary:focus)");
  if (fold) return `[data-keep="${fold.dataset.keep}"] > summary`;
  const zone = document.querySelector("#panel .zone:focus");
  return zone && `.zone[aria-label="${zone.ariaLabel}"]`;
}

/** Give the focus to its replacement, so that keys go on working. */
document.addEventListener("htmx:after:swap", (event) => {
  if (!isPanel(event) || !focused) return;
  focusOn(document.querySelector(`#panel ${focused}`));
  focused = null;
});

let turnToShow = null; // The turn that the panel was asked to show.

onClick("[data-to-turn]", ({ dataset }, { ctrlKey, metaKey }) => {
  if (!ctrlKey && !metaKey) turnToShow = dataset.toTurn; // Else it opens in a new tab.
});

/** The chat follows to it. If that is not loaded, it is reached by what the turn's request ended with. */
document.addEventListener("htmx:after:swap", (event) => {
  if (!isPanel(event) || !turnToShow) return;
  const message = document.querySelector(`#transcript .message[data-turn="${turnToShow}"]`);
  const last = document.querySelector("#panel [data-finder]")?.max;
  turnToShow = null;
  if (message || last) reach(Number(message?.dataset.position ?? last - 1));
});
