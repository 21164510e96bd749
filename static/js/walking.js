// Keys of all menus, whether they are <details> or belong to a message: the arrow down opens a
// menu, and the arrows walk through it. Loaded when the button of a menu first gets the focus.

import { on } from "./events.js";

// Where each leads, from the entry at a place; -1 is its button, or the last entry.
const MOVES = {
  ArrowDown: (at) => at + 1,
  ArrowUp: (at) => Math.max(at, 0) - 1,
  Home: () => 0,
  End: () => -1,
};
let opened = null; // The button of a menu that a key opens, to lead into it.
const ofMessage = () => document.querySelector("[data-more-menu]");
const menuOf = (element) => element.closest("details.menu[open], [data-more-menu]") ?? besideOf(element);
const besideOf = (element) => (ofMessage()?.previousElementSibling === element ? ofMessage() : null);
const entriesOf = (menu) =>
  [...menu.querySelectorAll(".sheet :is(a, button)")].filter((entry) => entry.checkVisibility());

document.addEventListener(
  "keydown",
  (event) => {
    const move = !event.altKey && MOVES[event.key];
    const menu = move && menuOf(event.target);
    const opens = !event.altKey && event.key === "ArrowDown" && event.target.matches(".menu > summary, [data-more]");
    if (!menu && !opens) return;
    event.preventDefault();
    event.stopPropagation(); // A list or the inspector's rows around it stay where they are.
    if (menu) walk(menu, event.target, move);
    else open(event.target);
  },
  { capture: true },
);

function walk(menu, from, move) {
  const entries = entriesOf(menu);
  entries.at(move(entries.indexOf(from)) % entries.length)?.focus();
}

function open(button) {
  opened = button;
  button.click();
}

function enter(button, menu) {
  if (opened === button) entriesOf(menu)[0]?.focus();
  opened = null;
}

document.addEventListener(
  "toggle",
  ({ target }) => {
    if (target.open) enter(target.firstElementChild, target);
  },
  { capture: true }, // It does not bubble.
);
on("more:opened", () => enter(ofMessage().previousElementSibling, ofMessage()));
