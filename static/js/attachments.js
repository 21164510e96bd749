// Files for the next message, kept with its draft until it is sent.

import { emit, on } from "./events.js";
import { Tray, trayOf } from "./tray.js";
import * as unsent from "./unsent.js";
import * as view from "./view.js";

const form = () => document.getElementById("composer");
const tray = () => trayOf(form());
const place = (conversation) => `files:${conversation ?? "new"}`;

export const areAny = () => tray().hasAny;
export const areUploading = () => tray().isUploading;
export const areRefused = () => tray().isRefused;

/** Take what is attached off the page; it stays stored until the server has the message. */
export function take() {
  const told = tray().ready;
  tray().clear();
  return told;
}

/** Forget what was sent. */
export function forget(conversation, sent) {
  const ids = new Set(sent.map(({ id }) => id));
  store(conversation, stored(conversation).filter(({ id }) => !ids.has(id)));
}

/** Show again what could not be sent. */
export const giveBack = (files) => tray().show(files);

function stored(conversation) {
  try {
    return JSON.parse(unsent.of(place(conversation)) || "[]");
  } catch {
    return [];
  }
}

const store = (conversation, files) =>
  unsent.keep(place(conversation), files.length ? JSON.stringify(files) : "");

on("chat:shown", () => {
  if (!form()) return;
  new Tray(form(), {
    place: view.conversation,
    kept: (told, conversation) => store(conversation, [...stored(conversation), told]),
    dropped: (told) => forget(view.conversation(), [told]),
    changed: () => emit("attachments:changed"),
    field: view.writing,
  });
  giveBack(stored(view.conversation()));
});
