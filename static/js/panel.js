// The context inspector beside the chat: it is up to date before an answer's first word, links its
// rows with messages and back, and filters verdicts. All of it works by keyboard, too.

import { emit, on, onClick } from "./events.js";
import { unfold } from "./folds.js";
import { reach } from "./reaching.js";
import { placeOf } from "./within.js";

const ROW = ".map .row";
const MESSAGE = "#transcript .message[data-position]";

const panel = () => document.getElementById("panel");
const rows = () => [...document.querySelectorAll(ROW)];
const filter = new Set(); // The verdicts that the filter shows; if empty, all.

let last = Promise.resolve();

/** What the panel says of the next message. */
export function refreshNotes() {
  const url = document.querySelector("#panel .inspector")?.dataset.url;
  if (url) htmx.ajax("GET", url, { target: "#panel-notes", select: "#panel-notes", swap: "outerHTML" });
}

/** Fetch the panel again. One fetch at a time: htmx would drop all but two, and an older one might
 *  come last. `address` is called when its fetch is due. The panel is busy until the last has come. */
function refresh(address) {
  const place = panel();
  if (!place) return;
  const next = () => (place === panel() ? show(place, address()) : null);
  place.ariaBusy = "true";
  const mine = last.then(next, next).finally(() => {
    if (last === mine) place.ariaBusy = "false";
  });
  last = mine;
}

/** Keep its scroll and what is unfolded in its zones, as they are when the new one replaces it: people
 *  do not wait for that. */
async function show(element, url) {
  if (!url) return;
  const isFirst = element.childElementCount === 0;
  let look = lookOf(element);
  const note = () => (look = lookOf(element));
  element.addEventListener("htmx:before:swap", note);
  try {
    await htmx.ajax("GET", url, { source: element, target: "#panel", swap: "innerHTML" });
  } finally {
    element.removeEventListener("htmx:before:swap", note);
  }
  if (isFirst) return; // A "why?" may have led to a place in it.
  for (const fold of element.querySelectorAll("details:not(.zone > *)")) {
    fold.open = look.open.includes(fold.dataset.keep);
  }
  element.scrollTop = look.scrollTop;
}

const lookOf = (element) => ({
  open: [...element.querySelectorAll("details[open]")].map((fold) => fold.dataset.keep),
  scrollTop: element.scrollTop,
});

/** After each swap, apply the filter to new rows, and make one row reachable by Tab. */
function settle() {
  const buttons = [...document.querySelectorAll("[data-filter]")];
  for (const verdict of filter) {
    if (!buttons.some(({ dataset }) => dataset.filter === verdict)) filter.delete(verdict);
  }
  for (const button of buttons) {
    button.setAttribute("aria-pressed", filter.has(button.dataset.filter));
  }
  for (const row of rows()) row.hidden = !passes(row.dataset.verdicts, filter);
  const visible = rows().filter((row) => !row.hidden);
  if (!visible.some((row) => row.tabIndex === 0) && visible.length) visible[0].tabIndex = 0;
}

export const passes = (verdicts, filters) =>
  !filters.size || [...verdicts].some((verdict) => filters.has(verdict));

const firstOf = (element) => Number(element.dataset.position);
const lastOf = (element) => Number(element.dataset.last ?? element.dataset.position);

/** Whether two elements, rows or messages, have a position in common. */
export const meet = (one, other) => firstOf(one) <= lastOf(other) && firstOf(other) <= lastOf(one);

/** Show which rows belong to a message, or which messages to a row. */
function point(event) {
  const one = event.target.closest?.(`${ROW}, ${MESSAGE}`);
  for (const element of document.querySelectorAll(".pointed")) element.classList.remove("pointed");
  if (!one || !document.querySelector(ROW)) return;
  const others = document.querySelectorAll(one.matches(ROW) ? MESSAGE : ROW);
  one.classList.add("pointed");
  for (const other of others) other.classList.toggle("pointed", meet(one, other));
}

function jump(row) {
  if (!row.dataset.position || !document.getElementById("transcript")) return;
  emit("inspector:leads");
  reach(firstOf(row));
}

function move(from, steps) {
  const visible = rows().filter((row) => !row.hidden);
  const to = visible[visible.indexOf(from) + steps];
  if (!to) return;
  for (const row of visible) row.tabIndex = row === to ? 0 : -1;
  unfold(to);
  to.focus();
}

/** From elsewhere in the inspector a letter leads to the first row; arrows scroll. */
function enter(event) {
  if (!"jk".includes(event.key) || !placeOf(event)) return;
  event.preventDefault();
  move(null, 1);
}

const KEYS = { j: 1, ArrowDown: 1, k: -1, ArrowUp: -1 };

document.addEventListener("keydown", (event) => {
  const row = event.target.closest?.(ROW);
  if (!row) return enter(event);
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  if (event.key in KEYS) {
    event.preventDefault();
    move(row, KEYS[event.key]);
  } else if (event.key === "Enter" && event.target === row) {
    jump(row);
  }
});
document.addEventListener("pointerover", point);
document.addEventListener("focusin", point);
document.addEventListener("htmx:after:swap", settle);

onClick(ROW, (row, event) => {
  if (!event.target.closest("a, button, summary, pre")) jump(row);
});
onClick("[data-filter]", ({ dataset }) => {
  if (!filter.delete(dataset.filter)) filter.add(dataset.filter);
  settle();
});
onClick("[data-panel-close]", (link, event) => {
  const toggle = document.querySelector(".panel-toggle");
  if (!toggle) return;
  event.preventDefault();
  event.stopPropagation();
  toggle.click();
});
/** Fill the panel of a page that has just come. */
export function begin() {
  if (panel()?.childElementCount === 0) refresh(() => panel().dataset.url);
}

on("chat:plan", ({ url }) => refresh(() => url));
on("marks:changed", refreshNotes);
for (const change of ["answer:ended", "memory:saved", "summary:changed"]) {
  on(change, () => refresh(() => panel().querySelector(".inspector")?.dataset.url));
}
settle();
