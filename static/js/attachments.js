// Files for the next message: chosen, pasted or dropped, uploaded at once, and kept until it is sent.

import { emit, on, onClick } from "./events.js";
import { piece } from "./html.js";
import { removed, upload } from "./uploading.js";
import { worded } from "./texts.js";
import * as unsent from "./unsent.js";
import * as view from "./view.js";

let shown = []; // Of the chat on the page: {chip, name, state, told, cancel}, in order.

const list = () => document.getElementById("attachments");
const chooser = () => document.getElementById("files");
const place = (conversation) => `files:${conversation ?? "new"}`;
const inState = (state) => shown.filter((file) => file.state === state);

export const areAny = () => inState("ready").length + inState("uploading").length > 0;
export const areUploading = () => inState("uploading").length > 0;
export const areRefused = () => inState("failed").length > 0;

/** Take what is attached off the page; it stays stored until the server has the message. */
export function take() {
  const told = inState("ready").map((file) => file.told);
  clear();
  return told;
}

/** Forget what was sent. */
export function forget(conversation, sent) {
  const ids = new Set(sent.map(({ id }) => id));
  store(conversation, stored(conversation).filter(({ id }) => !ids.has(id)));
}

/** Show again what could not be sent. */
export function giveBack(files) {
  for (const told of files) show(told);
  changed();
}

function add(files) {
  for (const file of files) {
    const entry = { chip: chipOf(file.name), name: file.name, state: "uploading" };
    const conversation = view.conversation();
    entry.cancel = upload(file, {
      progress: (part) => advance(entry, part),
      done: (told) => settle(entry, told, conversation),
      refused: (sentence) => refuse(entry, sentence),
    });
    put(entry);
    about(entry, size(file.size));
    emit("chat:say", worded("attaching", { name: file.name }));
  }
  changed();
}

function put(entry) {
  shown.push(entry);
  list().append(entry.chip);
  entry.chip.querySelector("[data-detach]").addEventListener("click", () => detach(entry));
}

function advance(entry, part) {
  entry.chip.querySelector("progress").value = part;
  if (part === 1) about(entry, worded("attach-read"));
}

function settle(entry, told, conversation) {
  store(conversation, [...stored(conversation), told]);
  if (!entry.chip.isConnected) return; // Another chat is on the page by now.
  become(entry, told);
  emit("chat:say", worded("attached", { name: told.name }));
  changed();
}

function become(entry, told) {
  Object.assign(entry, { state: "ready", told, name: told.name });
  entry.chip.dataset.state = "ready";
  entry.chip.querySelector(".name").textContent = told.name;
  const pages = told.pages ? [worded("pages", { count: told.pages })] : [];
  about(entry, [size(told.size), ...pages, ...told.notes].join(" · "));
  const image = entry.chip.querySelector("img");
  if (told.picture) Object.assign(image, { src: told.picture, hidden: false });
}

function refuse(entry, sentence) {
  entry.state = "failed";
  entry.chip.dataset.state = "failed";
  about(entry, sentence ?? worded("attach-failed", { name: entry.name }));
  emit("chat:say", entry.chip.querySelector(".about").textContent);
  changed();
}

function show(told) {
  const entry = { chip: chipOf(told.name), name: told.name, cancel: () => {} };
  put(entry);
  become(entry, told);
}

function detach(entry) {
  entry.cancel?.();
  shown = shown.filter((file) => file !== entry);
  entry.chip.remove();
  if (entry.told) {
    forget(view.conversation(), [entry.told]);
    removed(entry.told.id);
  }
  emit("chat:say", worded("detached", { name: entry.name }));
  view.writing()?.focus();
  changed();
}

function chipOf(name) {
  const chip = piece("attachment");
  chip.querySelector(".name").textContent = name;
  chip.querySelector("[data-detach]").ariaLabel = worded("remove", { name });
  return chip;
}

const about = (entry, text) => (entry.chip.querySelector(".about").textContent = text);

const size = (bytes) =>
  new Intl.NumberFormat(undefined, {
    notation: "compact",
    style: "unit",
    unit: "byte",
    unitDisplay: "narrow",
    maximumFractionDigits: 1,
  }).format(bytes);

function clear() {
  shown = [];
  list()?.replaceChildren();
  changed();
}

function changed() {
  if (list()) list().hidden = !shown.length;
  emit("attachments:changed");
}

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
  if (!list()) return;
  clear();
  giveBack(stored(view.conversation()));
});

const filesIn = (data) => (chooser() && !chooser().disabled ? [...(data?.files ?? [])] : []);

onClick(".attach", () => chooser().click());
document.addEventListener("change", (event) => {
  if (event.target !== chooser()) return;
  add(event.target.files);
  event.target.value = ""; // The same file may be chosen again.
});
document.addEventListener("paste", (event) => {
  const files = filesIn(event.clipboardData);
  const isText = event.clipboardData?.types.includes("text/plain");
  if (event.target.id !== "text" || !files.length || isText) return;
  event.preventDefault();
  add(files);
});

const chat = () => document.querySelector(".chat");
const isOfFiles = (type) => type.toLowerCase() === "files";
const carriesFiles = (event) =>
  event.dataTransfer?.types.some(isOfFiles) && chooser() && !chooser().disabled;

document.addEventListener("dragover", (event) => {
  if (!carriesFiles(event)) return;
  event.preventDefault(); // Or the browser would open the file.
  chat().dataset.dragging = "";
});
for (const name of ["dragleave", "dragend", "drop"]) {
  document.addEventListener(name, (event) => {
    if (name === "dragleave" && event.relatedTarget) return;
    delete chat()?.dataset.dragging;
  });
}
document.addEventListener("drop", (event) => {
  if (!carriesFiles(event)) return;
  event.preventDefault();
  add(filesIn(event.dataTransfer));
});
