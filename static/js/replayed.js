// The inspector's zone "What-if": a replay says so if its settings are no longer those above it, or if
// the chat no longer has those that it calls current.

import { isChanged } from "./whatif.js";

const form = () => document.querySelector("[data-whatif]");
const comparison = () => document.querySelector("[data-compare]");
const queryOf = (fields) => new URLSearchParams(new FormData(fields)).toString();

const requests = new WeakMap(); // form -> the values that its newest request is of
const results = new WeakMap(); // form -> the values that its result on the page is of

/** A replay compares the try that is shown: values typed a moment before have no result yet. */
function tried() {
  const isUntried = [...form().elements].some(isChanged);
  return results.get(form()) ?? (isUntried ? "" : queryOf(form()));
}

const state = (values) => `${values} ${queryOf(comparison())}`;

const read = new WeakSet();
let present = ""; // The key of the chat's settings, as the newest answer of the server has it.

/** A replay has the key of the settings that it calls current, and so has what became of others that
 *  were applied or undone. */
function markCurrent() {
  for (const place of document.querySelectorAll("[data-present]")) {
    if (!read.has(place)) present = place.dataset.present;
    read.add(place);
  }
  for (const note of document.querySelectorAll("[data-replay-of]")) {
    note.hidden = note.dataset.replayOf === present;
  }
}

function mark() {
  const note = document.querySelector("[data-older-replay]");
  if (!note) return;
  const replay = results.get(comparison());
  note.hidden = replay === undefined || replay === state(queryOf(form()));
}

document.addEventListener("htmx:config:request", ({ detail: { ctx } }) => {
  const { sourceElement } = ctx;
  if (sourceElement?.matches("[data-whatif]")) requests.set(sourceElement, queryOf(sourceElement));
  if (sourceElement?.matches("[data-compare]")) requests.set(sourceElement, state(tried()));
});
document.addEventListener("htmx:after:swap", ({ detail: { ctx } }) => {
  if (ctx.target?.id === "what-if-result" && form()) results.set(form(), requests.get(form()));
  if (ctx.target?.id === "what-if-replay") results.set(comparison(), requests.get(comparison()));
  markCurrent();
  mark();
});
document.addEventListener("input", mark);
// Settings are kept for a comparison, and dropped from it, by clicks.
document.addEventListener("click", () => setTimeout(mark));
