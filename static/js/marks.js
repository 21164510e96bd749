// A person's marks on messages: pinned, excluded, or neither. Marking can be undone, and other tabs
// follow.

import { emit, onClick } from "./events.js";
import { piece } from "./html.js";
import { command } from "./server.js";
import * as view from "./view.js";

const tabs = new BroadcastChannel("vitrine-marks");
const kindsOf = (element) => JSON.parse(element.dataset.marks);

/** `pin`, `exclusion`, `none`, or `partly` if messages differ. */
export function stateOf(kinds) {
  const [first = "", ...others] = new Set(Object.values(kinds));
  return others.length ? "partly" : first || "none";
}

async function mark(wanted) {
  const answer = await command(`/chat/${view.conversation()}/marks`, { marks: wanted });
  if (!answer) return;
  show(wanted);
  tabs.postMessage(wanted);
  emit("chat:notice", { sentence: answer.said, undo: () => mark(answer.before) });
}

/** No two conversations share a message's number: another one's marks change nothing here. */
function show(changed) {
  for (const element of document.querySelectorAll("[data-marks]")) {
    const kinds = kindsOf(element);
    for (const message of Object.keys(kinds)) kinds[message] = changed[message] ?? kinds[message];
    element.dataset.marks = JSON.stringify(kinds);
    showState(element);
    offerEntries(element);
  }
  emit("marks:changed");
}

function showState(marking) {
  if (!marking.matches(".marking")) return;
  marking.querySelector(".mark-state")?.remove();
  const state = stateOf(kindsOf(marking));
  if (state !== "none") marking.prepend(piece(`mark-${state}`));
}

function offerEntries(marking) {
  const state = stateOf(kindsOf(marking));
  for (const entry of marking.querySelectorAll(".entry")) {
    entry.hidden = !entry.dataset.when.split(" ").includes(state);
  }
}

/** A page has many of these menus, and few are ever opened: a click adds the entries. */
function fill(marking) {
  marking.querySelector(".sheet").replaceWith(piece("mark-entries"));
  offerEntries(marking);
}

/** The pressed button disappears: keep the focus beside it. */
function keepFocus(marking) {
  const menu = marking.querySelector("details");
  if (menu) menu.open = false;
  (menu?.querySelector("summary") ?? marking.querySelector("button")).focus();
}

onClick("[data-mark-as]", (button) => {
  const marking = button.closest("[data-marks]");
  const messages = Object.keys(kindsOf(marking));
  keepFocus(marking);
  mark(Object.fromEntries(messages.map((message) => [message, button.dataset.markAs])));
});
onClick(".marking > .menu > summary", (summary) => fill(summary.closest(".marking")));
tabs.addEventListener("message", ({ data }) => show(data));
for (const menu of document.querySelectorAll(".marking > .menu[open]")) fill(menu.closest(".marking"));
