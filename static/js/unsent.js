// What is being written, kept for each person and chat until the server has it, so that neither a
// reload nor a failure loses it, and nobody finds another one's.

import { on } from "./events.js";

const person = () => document.body.dataset.person ?? ""; // Empty for a new visitor.
const prefix = (whose) => `draft:${whose}:`;
const key = (conversation) => prefix(person()) + (conversation ?? "new");

export const of = (conversation) => sessionStorage.getItem(key(conversation)) ?? "";

export function keep(conversation, text) {
  if (!text) return sessionStorage.removeItem(key(conversation));
  try {
    sessionStorage.setItem(key(conversation), text);
  } catch {
    sessionStorage.removeItem(key(conversation)); // It is full: better none than an old one.
  }
}

/** People who begin to chat, or sign in, keep the drafts that they wrote before. */
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
