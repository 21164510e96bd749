// Keys of the sidebar's search: the arrows, Home and End walk through what was found, Enter opens
// the first or the chosen one, and Escape leads back to the field, and from there to the composer.
// A chat that was found by its messages opens at the best of them.

import { onClick } from "./events.js";
import "./found_words.js";
import "./hits.js";
import { current, whenFound } from "./results.js";
import { search } from "./searched.js";
import * as view from "./view.js";

const MOVES = { Home: 0, End: -1 };
const field = () => document.getElementById("chat-search");
const hits = () => [...document.querySelectorAll("#chats .found")];
const textsOf = (chat) => [...(chat?.querySelectorAll("a.found-text, form .found-text") ?? [])];
const results = () => [...document.querySelectorAll("#chats :is(.chat-entry > a, .found-chat, .found-text)")];

/** Act on a key; also on one that was pressed before this module was there. */
export function press(event) {
  const isField = event.target === field();
  if (event.altKey || (!isField && !event.target.closest("#chats"))) return;
  if (event.key === "Enter" && isField && field().value.trim()) whenFound(open);
  else if (event.key === "Escape") return leave(event);
  else if (event.key in MOVES && !isField) results().at(MOVES[event.key])?.focus();
  else if (event.key === "ArrowDown" || event.key === "ArrowUp") walk(event.key === "ArrowDown" ? 1 : -1);
  else return;
  event.preventDefault();
}

document.addEventListener("keydown", press);

/** The first result, or the one that an arrow has led to since. */
function open() {
  (document.activeElement === field() ? results()[0] : document.activeElement)?.click();
}

/** An open menu is closed first. The browser empties the field, in which Escape goes on. */
function leave({ target }) {
  if (target.closest("details[open]")) return;
  if (target === field() || !field().value) view.writing()?.focus();
  else field().focus();
}

function walk(step) {
  if (document.activeElement === field()) whenFound(() => move(step));
  else move(step);
}

/** The field is before the first one, and leads on from the one that is open. */
function move(step) {
  const all = [field(), ...results()];
  const from = document.activeElement;
  const open = (from === field() && step > 0 && current()) || from;
  (all[all.indexOf(open) + step] ?? open).focus();
}

document.addEventListener(
  "click",
  (event) => {
    const chat = event.target.closest?.(".found-chat");
    if (!chat || event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    event.stopPropagation();
    textsOf(chat.closest(".found"))[0].click();
  },
  { capture: true }, // Before the link is followed.
);

onClick("[data-search-for]", (button) => {
  field().value = button.dataset.searchFor;
  field().focus();
  search();
});

/** The focus goes to the first chat that was not there before, or to the next button. */
onClick("button.found-older", (button) => {
  const count = hits().length;
  after(button, () => (hits()[count]?.querySelector(".found-chat") ?? results().at(-1))?.focus());
});

/** The focus goes to the first message that was not there before. */
onClick("button.found-more", (button) => {
  const chat = button.closest(".found");
  const place = hits().indexOf(chat);
  const count = textsOf(chat).length;
  after(button, () => (textsOf(hits()[place])[count] ?? hits()[place]?.querySelector(".found-more"))?.focus());
});

/** Do it once what this element asked for is there, perhaps in its place. */
function after(element, act) {
  const swapped = ({ detail: { ctx } }) => {
    if (ctx.sourceElement !== element && element.isConnected) return;
    document.removeEventListener("htmx:after:swap", swapped);
    act();
  };
  document.addEventListener("htmx:after:swap", swapped);
}
