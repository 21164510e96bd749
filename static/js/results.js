// Acts on the results of a search in the sidebar's list. The list may be refreshed while a search
// is under way; if it then shows something else than what is typed, that is searched for again.

import { emit, on } from "./events.js";
import { isShown, search, searchedFor } from "./searched.js";
import { worded } from "./texts.js";
import * as view from "./view.js";

const SILENCE_MS = 700; // While somebody types, a screen reader says the letters.
const PATIENCE_MS = 600; // The field asks after a third of it, and an answer comes soon.
const MOST = 5; // Searches for one text: what never fits would be searched for without an end.
const field = () => document.getElementById("chat-search");
let opened = null; // The address of the result that was opened last.
let waiting = []; // What is done once the results of what is typed are there, in this order.
let timer = 0;
let missed = 0; // How often the list showed something else than what is typed.
let telling = 0;

/** Act on the results of what is typed. */
export function whenFound(act) {
  if (isShown()) return act();
  waiting.push(act);
  search();
}

/** The messages that were found. */
export const TEXT = "#chats .found-text:not(.found-more, .found-older)";
const RESULT = `#chats .chat-entry > a, ${TEXT}`;
export const addressOf = (result) => (result.form ? result.form.action + result.value : result.pathname + result.hash);

/** The result that was opened, while its chat is still open. */
export function current() {
  const chat = view.conversation();
  const isIt = (result) => addressOf(result) === opened && (result.form?.action ?? result.href).includes(chat);
  if (!chat) return undefined;
  return [...document.querySelectorAll(RESULT)].find(isIt);
}

function mark() {
  for (const old of document.querySelectorAll("#chats .found-text[aria-current]")) old.removeAttribute("aria-current");
  if (opened) current()?.setAttribute("aria-current", "page");
}

function catchUp() {
  if (!isShown()) search();
}

function look() {
  clearTimeout(timer);
  timer = setTimeout(catchUp, PATIENCE_MS);
}

function settle() {
  if (!isShown()) return ++missed < MOST && look();
  missed = 0;
  const acts = waiting;
  waiting = [];
  for (const act of acts) act();
}

/** The best is at the top, wherever the list was before. */
function begin() {
  document.getElementById("chats").scrollTop = 0;
  tell();
}

/** Say how many chats were found, once nobody types on. */
function tell() {
  clearTimeout(telling);
  if (!searchedFor()) return;
  telling = setTimeout(() => {
    const count = document.querySelectorAll("#chats :is(.chat-entry, .found)").length;
    emit("chat:say", count ? worded("found-count", { count }) : worded("found-none"));
  }, SILENCE_MS);
}

document.addEventListener("input", ({ target }) => {
  if (target !== field()) return;
  waiting = [];
  opened = null;
  missed = 0;
  clearTimeout(telling);
  look();
});
on("search:shown", ({ isNew }) => {
  if (isNew) begin();
  settle();
  mark();
});
/** Nobody waits for as long as that may take. */
on("search:failed", () => (waiting = []));
document.addEventListener("click", ({ target }) => {
  const result = target.closest?.(RESULT);
  if (result && searchedFor()) opened = addressOf(result);
  mark();
});
on("chat:shown", mark);
if (searchedFor()) begin();
else look();
