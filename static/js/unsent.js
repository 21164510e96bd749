// What is being written, kept for each person and chat until the server has it, so that neither a
// reload nor a failure loses it, and nobody finds another one's.

import { on } from "./events.js";

const person = () => document.body.dataset.person ?? ""; // Empty for somebody new.
const prefix = (whose) => `draft:${whose}:`;
const key = (conversation) => prefix(person()) + (conversation ?? "new");

export const of = (conversation) => sessionStorage.getItem(key(conversation)) ?? "";

export function keep(conversation, text) {
  if (!text) return sessionStorage.removeItem(key(conversation));
  try {
    sessionStorage.setItem(key(conversation), text);
  } catch {
    sessionStorage.removeItem(key(conversation)); // A browser keeps only so much; the field has it.
  }
}

/** Who has begun to chat, or has signed in, keeps what they had begun to write before. */
function takeOver(before) {
  if (before === person()) return;
  for (const name of Object.keys(sessionStorage)) {
    if (!name.startsWith(prefix(before))) continue;
    const text = sessionStorage.getItem(name);
    sessionStorage.removeItem(name);
    keep(name.slice(prefix(before).length), text);
  }
}

on("socket:person", (frame) => {
  const before = person();
  document.body.dataset.person = frame.person;
  takeOver(before);
});
for (const before of ["", document.body.dataset.personBefore ?? ""]) takeOver(before);
