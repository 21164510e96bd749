// Takes up the messages and edits that earlier pages of this person left in the outbox: shows them,
// and sends each with the id it had, so that the server stores it once.

import { sourceOf } from "./actions.js";
import * as editing from "./editing.js";
import { on } from "./events.js";
import "./follow_up.js";
import { isHere, keepAll, makeDraft, prefix } from "./outbox.js";
import * as posting from "./posting.js";
import { showSending } from "./sending.js";
import { isOpen } from "./socket.js";
import * as view from "./view.js";

const DAY_MS = 86_400_000; // Older ones are drafts again: nobody expects them to be sent.

/** Also those of the visitor that this person was before signing in, and of a new one: whoever has a
 *  name by now may be somebody else, and decides. */
function takeUp() {
  const { person = "", personBefore = "" } = document.body.dataset;
  for (const name of new Set([person, personBefore, ""])) {
    const isOwn = name || view.isNewVisitor();
    for (const { frame, isSent, ...from } of taken(name)) {
      if (isOwn && Date.now() - from.since < DAY_MS) posting.resume(frame, from, isSent);
      else if (frame.type === "edit") editing.keepText(frame);
      else makeDraft(frame);
    }
  }
  keepAll();
}

function taken(person) {
  const keys = Object.keys(localStorage).filter((key) => key.startsWith(prefix(person)));
  const entries = keys.map((key) => JSON.parse(localStorage.getItem(key)));
  for (const key of keys) localStorage.removeItem(key); // Those still on their way are kept again.
  return entries;
}

/** Show those of this chat that aren't on its page yet. */
function show() {
  for (const entry of posting.messages()) {
    const { frame } = entry;
    if (!isHere(frame) || document.querySelector(`[data-client="${frame.client_msg_id}"]`)) continue;
    if (frame.type === "edit") showEdit(entry);
    else showMessage(entry);
    if (!isOpen()) posting.tellWaiting(frame);
  }
}

function showMessage({ frame, from }) {
  from.transcript = view.transcript();
  showSending(frame.client_msg_id, frame.text, from.files);
  clearDraft(frame.text);
}

/** Its message may be on another branch or far above: then it goes without a form. */
function showEdit(entry) {
  const message = document.querySelector(`.message[data-message="${entry.frame.message}"]`);
  if (message) editing.resume(message, sourceOf(message), entry);
}

/** What is sent is no draft any more. */
function clearDraft(text) {
  const field = document.getElementById("text");
  if (field.value !== text) return;
  field.value = "";
  field.dispatchEvent(new Event("input", { bubbles: true }));
}

on("chat:shown", show);
takeUp();
show();
