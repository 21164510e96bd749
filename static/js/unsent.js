// What a person is writing in a chat, kept until the server has it, so that neither a reload nor a
// failure loses it, and nobody finds another person's text. Each tab has its own; what a tab had
// when it was closed is offered the next time that the person opens the chat.

import { on } from "./events.js";

const person = () => document.body.dataset.person ?? ""; // Empty for a new visitor.
const prefix = (whose) => `draft:${whose}:`;
const key = (conversation) => prefix(person()) + (conversation ?? "new");
const namesIn = (storage, whose) => Object.keys(storage).filter((name) => name.startsWith(prefix(whose)));

export const of = (conversation) => sessionStorage.getItem(key(conversation)) ?? "";

export const keep = (conversation, text) => set(sessionStorage, key(conversation), text);

/** The same, or else what closed tabs had. */
export function take(conversation) {
  if (!of(conversation)) {
    keep(conversation, left(key(conversation)).join("\n\n"));
    setLeft(key(conversation), []);
  }
  return of(conversation);
}

function set(storage, name, text) {
  if (!text) return storage.removeItem(name);
  try {
    storage.setItem(name, text);
  } catch {
    storage.removeItem(name); // It is full: better none than an old one.
  }
}

const left = (name) => JSON.parse(localStorage.getItem(name) ?? "[]");
const setLeft = (name, texts) => set(localStorage, name, texts.length ? JSON.stringify(texts) : "");

/** `isLeaving`: the tab may be closed now. If it was not, only it has its drafts. Those of nobody known
 *  might be found by anybody. */
function leave(isLeaving) {
  if (!person()) return;
  for (const name of namesIn(sessionStorage, person())) {
    const text = sessionStorage.getItem(name);
    const others = left(name).filter((other) => other !== text);
    setLeft(name, isLeaving ? [...others, text] : others);
  }
}

/** People who begin to chat, or sign in, keep the drafts that they wrote before. */
function takeOver(before) {
  if (before === person()) return;
  for (const storage of [sessionStorage, localStorage]) {
    for (const name of namesIn(storage, before)) {
      const text = storage.getItem(name);
      storage.removeItem(name);
      set(storage, prefix(person()) + name.slice(prefix(before).length), text);
    }
  }
}

on("socket:person", (frame) => {
  const before = person();
  document.body.dataset.person = frame.person;
  takeOver(before);
});
for (const before of ["", document.body.dataset.personBefore ?? ""]) takeOver(before);
leave(false);
addEventListener("pageshow", () => leave(false));
addEventListener("pagehide", () => leave(true));
