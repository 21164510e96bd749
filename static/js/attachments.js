// Files for the next message, kept with its draft until it is sent.

import { emit, on } from "./events.js";
import { Tray, trayOf } from "./tray.js";
import * as unsent from "./unsent.js";
import * as view from "./view.js";

const form = () => document.getElementById("composer");
const tray = () => trayOf(form());
/** New chats with different agents or networks each have files of their own. */
const place = ({ conversation, agent, network }) =>
  `files:${conversation || `new:${agent || network}`}`;
const here = () => place(view.transcript().dataset);

export const areAny = () => tray().hasAny;
export const areUploading = () => tray().isUploading;
export const refused = () => tray().refused();

/** Take what is attached off the page; it stays stored until the server has the message. */
export function take() {
  const told = tray().ready;
  tray().clear();
  return told;
}

/** Forget what was sent. */
export const forget = (frame, sent) => drop(place(frame), sent);

function drop(from, files) {
  const ids = new Set(files.map(({ id }) => id));
  store(from, stored(from).filter(({ id }) => !ids.has(id)));
}

/** Show again what could not be sent. */
export const giveBack = (files) => tray().show(files);

function stored(from) {
  try {
    return JSON.parse(unsent.of(from) || "[]");
  } catch {
    return [];
  }
}

const store = (to, files) => unsent.keep(to, files.length ? JSON.stringify(files) : "");

/** In the order in which they were chosen: the smaller file is often there first. */
function add(told, to) {
  const files = [...stored(to), told];
  store(to, files.sort((one, other) => one.order - other.order));
}

on("chat:shown", () => {
  if (!form()) return;
  new Tray(form(), {
    place: here,
    kept: add,
    dropped: (told) => drop(here(), [told]),
    changed: () => emit("attachments:changed"),
    field: view.writing,
  });
  giveBack(stored(here()));
});
