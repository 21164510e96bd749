// A bar in the chat that a search led to: it leads to the next and the previous message that was found,
// in the list's order, so that nobody has to go back to the list, which a phone hides. Matches that the
// list does not show yet are loaded into it on the way, and counted all the same.

import { on, onClick } from "./events.js";
import { piece } from "./html.js";
import { isCommand, nameKeys } from "./platform.js";
import { addressOf, current, TEXT } from "./results.js";
import { searchedFor } from "./searched.js";
import { worded } from "./texts.js";
import * as view from "./view.js";

let isWanted = false; // A message was opened from the list, and the bar was not closed since.
let stepping = 0; // The button that was pressed: a move to another chat takes it away.
let isLoading = false;

const bar = () => document.querySelector(".hits");
const chats = () => [...document.querySelectorAll("#chats .found")];
const hitsOf = (chat) => [...chat.querySelectorAll(TEXT)];
const button = (step) => bar()?.querySelector(`[data-hit="${step}"]`);

/** All matches in order, and where more are to be loaded the button that does so. */
const stops = () => [...document.querySelectorAll("#chats .found-text")];
const beside = (step) => stops()[stops().indexOf(current()) + step];

/** How many matches a chat has; those that are not in the list are counted by the server. */
function countOf(chat) {
  const listed = hitsOf(chat).length;
  return chat.querySelector(".found-more") ? Math.max(listed, Number(chat.dataset.count)) : listed;
}

const sum = (some) => some.reduce((all, chat) => all + countOf(chat), 0);

/** Which one of how many a match is. The server may not have counted all: then there is a plus. */
function placeOf(hit) {
  const all = chats();
  const chat = hit.closest(".found");
  const number = sum(all.slice(0, all.indexOf(chat))) + hitsOf(chat).indexOf(hit) + 1;
  const isCut = document.querySelector("#chats :is(.found[data-has-more] .found-more, .found-older)");
  return { number, count: `${sum(all)}${isCut ? "+" : ""}` };
}

/** Say which one of how many is shown; nothing, once the chat shows something else. */
function show() {
  const hit = isWanted && searchedFor() ? current() : null;
  if (!hit?.matches(TEXT)) return bar()?.remove();
  if (!bar()) add();
  say("hit", hit);
  for (const step of [-1, 1]) button(step).ariaDisabled = beside(step) ? null : "true";
  if (stepping && !bar().contains(document.activeElement)) button(stepping).focus();
}

function add() {
  document.querySelector(".composer-area > .column")?.prepend(piece("hits"));
  nameKeys(bar());
}

/** A screen reader would read out the same words again. */
function say(text, hit) {
  const output = bar().querySelector("output");
  const words = worded(text, placeOf(hit));
  if (output.textContent !== words) output.textContent = words;
}

/** Load what comes before the next match on that side, a page at a time. */
async function approach(step) {
  const from = addressOf(current());
  let next = beside(step);
  while (next && !next.matches(TEXT)) {
    await htmx.ajax("GET", next.getAttribute("hx-get"), { source: next });
    if (next.isConnected) return null; // It failed.
    if (!current() || addressOf(current()) !== from) return null; // Something else was opened meanwhile.
    next = beside(step);
  }
  return next;
}

/** The row stays in sight in the list, for whoever sees that too. */
async function go(step) {
  if (isLoading || !current()) return; // Another one is on its way.
  const isInList = current().contains(document.activeElement);
  isLoading = true;
  const next = await approach(step).finally(() => (isLoading = false));
  if (next) {
    next.scrollIntoView({ block: "nearest" });
    if (isInList) next.focus({ preventScroll: true });
    next.click();
  } else if (bar() && !beside(step)) {
    say(step > 0 ? "hit-last" : "hit-first", current());
  }
}

/** The focus goes back to the row in the list, if that can be seen. */
function close() {
  const row = current();
  isWanted = false;
  show();
  if (row?.checkVisibility({ visibilityProperty: true })) row.focus();
  else view.writing()?.focus();
}

/** As browsers look for the next place of what they found. */
function isForNext(event) {
  if (event.key === "F3") return !event.ctrlKey && !event.metaKey && !event.altKey;
  const key = event.key.toLowerCase();
  return key === "g" && isCommand(event);
}

/** The button is pressed again, or its chat is still on the way. */
const staysIn = ({ key, target }) =>
  target === document.body || (["Enter", " "].includes(key) && target.closest?.(".hits"));

/** Whoever goes elsewhere is not brought back. First, or a field might keep the key to itself. */
document.addEventListener("keydown", (event) => staysIn(event) || (stepping = 0), { capture: true });
document.addEventListener("keydown", (event) => {
  if (!bar() || !isForNext(event) || document.querySelector("dialog[open]")) return;
  event.preventDefault();
  const step = event.shiftKey ? -1 : 1;
  stepping = bar().contains(document.activeElement) ? step : 0;
  go(step);
});
document.addEventListener("click", ({ target, isTrusted }) => {
  if (target.closest?.(TEXT)) isWanted = true;
  if (isTrusted && !target.closest?.(".hits")) stepping = 0;
});
onClick("[data-hit]", ({ dataset }) => {
  stepping = Number(dataset.hit);
  go(stepping);
});
onClick("[data-hits-close]", close);
for (const change of ["chat:shown", "message:reached", "search:shown"]) on(change, show);
document.addEventListener("htmx:after:swap", ({ detail }) => {
  if (detail.ctx.target?.closest?.("#chats, li.found, .found-text")) show();
});
