// The slider over the picture of the conversation: it says what became of the message at a place, and
// goes there. Arrow keys choose, Enter goes; a click or a tap does both.

import { emit, onClick } from "./events.js";
import { reach } from "./reaching.js";
import { worded } from "./texts.js";

const FINDER = "[data-finder]";
const pieces = (finder) => [...finder.parentElement.querySelectorAll("[data-first]")];
const lineOf = (finder) => finder.closest("figure").querySelector("[data-found]");

/** What the picture says of the message at that position. */
function said(finder, position) {
  const piece = pieces(finder).find(({ dataset }) => position <= Number(dataset.last));
  const range = piece?.querySelector("title").textContent ?? "";
  return worded("found-message", { number: position + 1, range });
}

function tell(finder, position = Number(finder.value) - 1) {
  lineOf(finder).textContent = said(finder, position);
  finder.setAttribute("aria-valuetext", said(finder, position));
}

/** The position below a pointer. */
function under(finder, event) {
  const { left, width } = finder.getBoundingClientRect();
  const share = Math.min(1, Math.max(0, (event.clientX - left) / width));
  return Math.min(Number(finder.max) - 1, Math.floor(share * Number(finder.max)));
}

function go(finder) {
  const position = Number(finder.value) - 1;
  if (!document.getElementById("transcript")) {
    location.assign(`${finder.dataset.finder}#at-${position}`);
    return;
  }
  emit("inspector:leads");
  reach(position);
}

document.addEventListener("input", ({ target }) => {
  if (target.matches(FINDER)) tell(target);
});
document.addEventListener("focusin", ({ target }) => {
  if (target.matches(FINDER)) tell(target);
});
document.addEventListener("pointermove", ({ target, clientX }) => {
  if (target.matches?.(FINDER)) lineOf(target).textContent = said(target, under(target, { clientX }));
});
document.addEventListener("keydown", ({ target, key }) => {
  if (key === "Enter" && target.matches?.(FINDER)) go(target);
});
function press(finder, event) {
  finder.value = under(finder, event) + 1;
  tell(finder);
  go(finder);
}

onClick(FINDER, press);
// A slider takes a touch for itself: no click follows.
document.addEventListener("pointerup", (event) => {
  if (event.pointerType === "touch" && event.target.matches?.(FINDER)) press(event.target, event);
});
