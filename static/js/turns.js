// Moving through the inspector: to a zone without scrolling, and by key to the previous or next turn.

import { onClick } from "./events.js";

const KEYS = { "[": "prev", ArrowLeft: "prev", "]": "next", ArrowRight: "next" };
const PLACES = "#panel, #main:has(.inspector-page)"; // The keys work here.
const OTHERS = "input, textarea, select, [contenteditable], pre, dialog"; // They need the keys.

let focused = null; // The selector of what had the focus, while the panel with it is replaced.

onClick("[data-zone]", (link, event) => {
  if (event.ctrlKey || event.metaKey || event.shiftKey) return; // It opens in a new tab.
  const zone = document.querySelector(link.hash)?.closest(".zone");
  if (!zone) return;
  event.preventDefault(); // The address stays the chat's.
  zone.scrollIntoView({ block: "start" });
  focusOn(zone);
});

function focusOn(element) {
  if (element?.matches(".zone")) element.tabIndex = -1;
  element?.focus({ preventScroll: true });
}

document.addEventListener("keydown", (event) => {
  if (!(event.key in KEYS) || event.ctrlKey || event.metaKey || event.altKey) return;
  const place = event.target.closest?.(PLACES);
  if (!place || event.target.closest(OTHERS)) return;
  event.preventDefault();
  const link = place.querySelector(`.chips [rel=${KEYS[event.key]}]`);
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
