// Files for the next message, kept with its draft until it is sent.

import { emit, on } from "./events.js";
import { needed } from "./needed.js";
import * as unsent from "./unsent.js";
import * as view from "./view.js";

const form = () => document.getElementById("composer");
let trays = null; // The module, once a file needs it.
let coming = null;
let restoring = null; // The form whose stored files are on their way onto the page.
const tray = () => trays?.trayOf(form());
/** New chats with different agents or networks each have files of their own. */
const place = ({ conversation, agent, network }) =>
  `files:${conversation || `new:${agent || network}`}`;
const here = () => place(view.transcript().dataset);

export const areAny = () => Boolean(tray()?.hasAny);
/** Or are on their way onto the page. */
export const areUploading = () => (tray() ? tray().isUploading : stored(here()).length > 0);
export const refused = () => tray()?.refused() ?? [];

/** The composer's tray, made for the first file; nothing if the server cannot be reached. */
export async function trayHere() {
  const mine = form();
  coming ??= needed(() => import("./tray.js")); // One promise keeps the order of what waits for it.
  trays ??= await coming;
  coming = null;
  if (!trays || mine !== form()) return null; // Another chat is on the page by now.
  return tray() ?? new trays.Tray(mine, listeners);
}

const listeners = {
  place: () => here(),
  kept: (file, to) => add(file, to),
  dropped: (file) => drop(here(), [file]),
  changed: () => emit("attachments:changed"),
  field: view.writing,
};

/** Take what is attached off the page; it stays stored until the server has the message. */
export function take() {
  const files = tray()?.ready ?? [];
  tray()?.clear();
  return files;
}

/** Forget what was sent. */
export const forget = (frame, files) => drop(place(frame), files);

function drop(from, files) {
  const ids = new Set(files.map(({ id }) => id));
  store(from, stored(from).filter(({ id }) => !ids.has(id)));
}

/** Show again what could not be sent. */
export async function giveBack(files) {
  if (files.length) (await trayHere())?.show(files);
}

function stored(from) {
  try {
    return JSON.parse(unsent.of(from) || "[]");
  } catch {
    return [];
  }
}

const store = (to, files) => unsent.keep(to, files.length ? JSON.stringify(files) : "");

/** In the order in which they were chosen: the smaller file is often there first. */
function add(file, to) {
  const files = [...stored(to), file];
  store(to, files.sort((one, other) => one.order - other.order));
}

function restore() {
  if (!form() || tray() || restoring === form()) return;
  restoring = form();
  giveBack(stored(here())).finally(() => (restoring = null));
}

on("chat:shown", restore);
on("socket:open", restore); // It could not be done without a connection.
