// Edits that are neither sent nor cancelled. What was changed is kept in this browser as a draft of its
// message, so that the edit comes back with the message, even after a reload.

import { trayOf } from "./tray.js";
import * as unsent from "./unsent.js";
import * as view from "./view.js";

const chats = new Map(); // The form of each edit -> the chat of its message.

export const messageOf = (form) => form.closest(".message");
export const textOf = (form) => form.querySelector("textarea");
export const filesOf = (message) => JSON.parse(message.dataset.files ?? "[]");

/** It may have come anew since. */
export const messageHere = (form) =>
  view.transcript()?.querySelector(`.message[data-message="${messageOf(form).dataset.message}"]`);

const nameOf = (message) => `edit:${message.dataset.message}`;
const nameOfFiles = (message) => `files:${nameOf(message)}`;

export function isChanged(form) {
  const numbers = trayOf(form).ready.map(({ number }) => number);
  const own = filesOf(messageOf(form)).map(({ number }) => number);
  const areOthers = JSON.stringify(numbers) !== JSON.stringify(own); // A new one has no number.
  return textOf(form).value !== textOf(form).defaultValue || areOthers || trayOf(form).isUploading;
}

export function begin(form) {
  chats.set(form, chats.get(form) ?? view.conversation());
  keep(form);
}

/** What has just been changed. */
export function keep(form) {
  if (!chats.has(form)) return;
  if (!isChanged(form)) return forget(form);
  unsent.keep(nameOf(messageOf(form)), textOf(form).value);
  unsent.keep(nameOfFiles(messageOf(form)), JSON.stringify(trayOf(form).ready));
}

/** It is sent: another module keeps what is on its way. */
export function forget(form) {
  for (const name of [nameOf, nameOfFiles]) unsent.keep(name(messageOf(form)), "");
}

export function end(form) {
  if (chats.delete(form)) forget(form);
}

/** What was kept of an edit of this message: {text, files}. */
export function draftOf(message) {
  const text = unsent.take(nameOf(message));
  const files = parsed(unsent.take(nameOfFiles(message)));
  return text || files ? { text, files: files ?? filesOf(message) } : null;
}

/** Several tabs may have left some: then they are the message's own again. */
function parsed(files) {
  try {
    return files ? JSON.parse(files) : null;
  } catch {
    return null;
  }
}

/** The forms that have gone from the page with their messages. */
export const away = () => [...chats.keys()].filter((form) => !form.isConnected);

/** Whether its message has gone while its chat stayed, so that this should be told, once. */
export function isToBeTold(form) {
  if ("told" in form.dataset || textOf(form).inert || chats.get(form) !== view.conversation()) return false;
  form.dataset.told = "";
  return true;
}
