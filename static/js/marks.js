// A person's word on messages: pinned, excluded, or neither. It can be undone, and other tabs hear.

import { emit, onClick } from "./events.js";
import { command } from "./server.js";
import * as view from "./view.js";

const tabs = new BroadcastChannel("vitrine-marks");
const kindsOf = (element) => JSON.parse(element.dataset.marks);

/** `pin`, `exclusion`, `none`, or `partly` where messages differ. */
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

/** Numbers of messages tell conversations apart too. */
function show(changed) {
  for (const element of document.querySelectorAll("[data-marks]")) {
    const kinds = kindsOf(element);
    for (const message of Object.keys(kinds)) kinds[message] = changed[message] ?? kinds[message];
    element.dataset.marks = JSON.stringify(kinds);
    const state = stateOf(kinds);
    for (const part of element.querySelectorAll("[data-when]")) {
      part.hidden = !part.dataset.when.split(" ").includes(state);
    }
  }
  emit("marks:changed");
}

/** The button that was pressed goes: the focus stays beside it. */
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
tabs.addEventListener("message", ({ data }) => show(data));
