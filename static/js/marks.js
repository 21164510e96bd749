// A person's marks on messages: pinned, excluded, or neither. Marking can be undone, and other tabs
// follow.

import { emit, on, onClick } from "./events.js";
import { piece } from "./html.js";
import { closeMore } from "./more.js";
import { command } from "./server.js";
import * as view from "./view.js";

const tabs = new BroadcastChannel("vitrine-marks");
const kindsOf = (element) => JSON.parse(element.dataset.marks);

/** `pin`, `exclusion`, `none`, or `partly` if messages differ. */
export function stateOf(kinds) {
  const [first = "", ...others] = new Set(Object.values(kinds));
  return others.length ? "partly" : first || "none";
}

async function mark(changes) {
  const answer = await command(`/chat/${view.conversation()}/marks`, { marks: changes });
  if (!answer) return;
  show(changes);
  tabs.postMessage(changes);
  emit("chat:notice", { sentence: answer.said, undo: () => mark(answer.before) });
}

/** No two conversations share a message's number: another one's marks change nothing here. */
export function show(changed) {
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
  marking.querySelector(":scope > .mark-state")?.remove();
  const state = stateOf(kindsOf(marking));
  if (state === "none") return;
  const sign = piece(`mark-${state}`);
  const button = marking.querySelector(":scope > [data-more]");
  if (button) button.before(sign);
  else marking.append(sign);
}

/** Of the menu, show the entries that change something here. */
function offerEntries(marking) {
  const kinds = marking.dataset.marks;
  const state = kinds && stateOf(JSON.parse(kinds));
  for (const entry of marking.querySelectorAll("[data-mark-as]")) {
    entry.hidden = !state || !entry.dataset.when.split(" ").includes(state);
  }
}

onClick("[data-mark-as]", (button) => {
  const messages = Object.keys(kindsOf(button.closest("[data-marks]")));
  closeMore();
  mark(Object.fromEntries(messages.map((message) => [message, button.dataset.markAs])));
});
on("more:opened", ({ marking }) => offerEntries(marking));
tabs.addEventListener("message", ({ data }) => show(data));
