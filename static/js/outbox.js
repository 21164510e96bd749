// Messages and edits that the server hasn't confirmed are kept in this browser, for each person, so that they
// survive leaving the page. They can be taken back while there is no connection.

import { emit, on, onClick } from "./events.js";
import * as posting from "./posting.js";
import * as unsent from "./unsent.js";
import * as view from "./view.js";

export const prefix = (person) => `outbox:${person}:`;
/** A new visitor has no name yet. */
const person = () => document.body.dataset.person ?? "";

/** Keep all that are on their way. */
export function keepAll() {
  for (const { frame, from, isSent } of posting.messages()) {
    from.since ??= Date.now();
    try {
      const entry = { frame, isSent, since: from.since, files: from.files };
      localStorage.setItem(prefix(person()) + frame.client_msg_id, JSON.stringify(entry));
    } catch {
      return; // It is full, or forbidden: then the page that is open still has it.
    }
  }
}

export function isHere({ conversation, agent, network }) {
  const here = view.transcript().dataset;
  if (conversation || here.conversation) return conversation === view.conversation();
  return (agent ?? "") === here.agent && (network ?? "") === here.network;
}

/** Put the text of what is not sent into the message field of its chat. */
export function makeDraft({ text, ...frame }) {
  if (isHere(frame)) emit("composer:give", { text });
  else unsent.keep(frame.conversation, [text, unsent.of(frame.conversation)].filter(Boolean).join("\n\n"));
}

/** Also under no name: it may be known only since. */
function forget({ frame }) {
  for (const name of [person(), ""]) localStorage.removeItem(prefix(name) + frame.client_msg_id);
}

/** Only what waits for a connection can be taken back: the rest may be stored already. */
function offer() {
  for (const button of document.querySelectorAll("[data-take-back]")) {
    button.hidden = !posting.isUnsent(button.closest(".sending").dataset.client);
  }
}

function takeBack(button) {
  const bubble = button.closest(".sending");
  const frame = posting.withdraw(bubble.dataset.client);
  if (!frame) return;
  bubble.remove();
  view.transcript().querySelector(".welcome")?.removeAttribute("hidden");
  const field = document.getElementById("text");
  field.value = [frame.text, field.value].filter(Boolean).join("\n\n");
  field.dispatchEvent(new Event("input", { bubbles: true }));
  field.focus();
}

on("post:waiting", () => {
  keepAll();
  queueMicrotask(offer); // The bubble is made after the message is posted.
});
on("socket:closed", keepAll);
addEventListener("pagehide", keepAll);
for (const end of ["done", "refused", "dropped", "noticed", "withdrawn"]) on(`post:${end}`, forget);
on("socket:open", offer);
onClick("[data-take-back]", takeBack);
