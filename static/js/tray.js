// The files of one form: each is uploaded at once, and shown with a button that removes it.

import { emit } from "./events.js";
import { piece } from "./html.js";
import { sizeOf } from "./size.js";
import { removed, upload } from "./uploading.js";
import { worded } from "./texts.js";

const trays = new WeakMap(); // form -> its tray
let nextPlace = Date.now(); // Counts on, so that a reload keeps the order of choice too.

export const trayOf = (form) => trays.get(form);

export class Tray {
  #files = []; // {chip, name, state, attachment, cancel, isTold}, in order.
  #list;
  #most; // Bytes of one file.
  #mostFiles;
  #listeners;

  /** `changed()` follows each change, `kept(attachment, place)` the arrival of a file at the server,
   *  `place()` when it was added; `dropped(attachment)` and then the focus on `field()` a removal. */
  constructor(form, listeners) {
    this.#list = form.querySelector(".attachments");
    const { most, mostFiles } = form.querySelector("input[type=file]").dataset;
    this.#most = Number(most);
    this.#mostFiles = Number(mostFiles);
    this.#listeners = { kept() {}, place() {}, dropped() {}, ...listeners };
    trays.set(form, this);
    this.clear();
  }

  get ready() {
    return this.#inState("ready").map(({ attachment }) => attachment);
  }

  get isUploading() {
    return this.#inState("uploading").length > 0;
  }

  /** The names of those that were refused, once: whoever sends again sends the rest. The first of
   *  them comes into sight. */
  refused() {
    const failures = this.#inState("failed").filter(({ isTold }) => !isTold);
    for (const entry of failures) entry.isTold = true;
    failures[0]?.chip.scrollIntoView({ block: "nearest" });
    return failures.map(({ name }) => name);
  }

  get hasAny() {
    return this.ready.length > 0 || this.isUploading;
  }

  add(files) {
    const room = Math.max(0, this.#mostFiles - this.#files.length + this.#inState("failed").length);
    for (const file of files.slice(0, room)) this.#add(file);
    if (files.length > room) emit("chat:problem", tooMany(files.slice(room), this.#mostFiles));
    this.#changed();
  }

  #add(file) {
    const entry = { chip: chipOf(file.name), name: file.name, state: "uploading" };
    this.#put(entry);
    about(entry, sizeOf(file.size));
    entry.chip.scrollIntoView({ block: "nearest" });
    if (file.size > this.#most) return this.#refuse(entry, tooLarge(file.name, this.#most));
    const place = this.#listeners.place();
    const order = nextPlace++;
    entry.cancel = upload(file, {
      progress: (part) => advance(entry, part),
      done: (attachment) => this.#settle(entry, { ...attachment, order }, place),
      refused: (sentence) => this.#refuse(entry, sentence),
    });
    emit("chat:say", worded("attaching", { name: file.name }));
  }

  /** Show files that the server has. */
  show(files) {
    for (const attachment of files) {
      const entry = { chip: chipOf(attachment.name), name: attachment.name };
      this.#put(entry);
      become(entry, attachment);
    }
    this.#changed();
  }

  clear() {
    this.#files = [];
    this.#list.replaceChildren();
    this.#changed();
  }

  /** Have the server forget what was attached here. */
  discard() {
    for (const entry of this.#files) forget(entry);
    this.clear();
  }

  #inState(state) {
    return this.#files.filter((file) => file.state === state);
  }

  #put(entry) {
    this.#files.push(entry);
    this.#list.append(entry.chip);
    entry.chip.querySelector("[data-detach]").addEventListener("click", () => this.#detach(entry));
  }

  #settle(entry, attachment, place) {
    this.#listeners.kept(attachment, place);
    if (!entry.chip.isConnected) return; // Another chat is on the page by now.
    become(entry, attachment);
    emit("chat:say", worded("attached", { name: attachment.name }));
    this.#changed();
  }

  #refuse(entry, sentence) {
    entry.state = entry.chip.dataset.state = "failed";
    const { name } = entry;
    const text = sentence ?? worded("attach-failed", { name });
    about(entry, text);
    entry.chip.querySelector(".name").hidden = text.includes(name);
    entry.chip.scrollIntoView({ block: "nearest" });
    emit("chat:say", entry.chip.querySelector(".about").textContent);
    this.#changed();
  }

  #detach(entry) {
    this.#files = this.#files.filter((file) => file !== entry);
    entry.chip.remove();
    entry.chip.querySelector("img").removeAttribute("src"); // It may still be loading.
    forget(entry);
    if (entry.attachment) this.#listeners.dropped(entry.attachment);
    emit("chat:say", worded("detached", { name: entry.name }));
    this.#listeners.field()?.focus();
    this.#changed();
  }

  #changed() {
    this.#list.hidden = !this.#files.length;
    this.#listeners.changed();
  }
}

/** What is a message's already stays the message's. */
function forget(entry) {
  entry.cancel?.();
  if (entry.attachment?.id) removed(entry.attachment.id);
}

function advance(entry, part) {
  entry.chip.querySelector("progress").value = part;
  if (part === 1) about(entry, worded("attach-read"));
}

function become(entry, attachment) {
  Object.assign(entry, { state: "ready", attachment, name: attachment.name });
  entry.chip.dataset.state = "ready";
  entry.chip.querySelector(".name").textContent = attachment.name;
  const pages = attachment.pages ? [worded("pages", { count: attachment.pages })] : [];
  about(entry, [sizeOf(attachment.size), ...pages, ...(attachment.notes ?? [])].join(" · "));
  const image = entry.chip.querySelector("img");
  if (attachment.picture) Object.assign(image, { src: attachment.picture, hidden: false });
}

function chipOf(name) {
  const chip = piece("attachment");
  chip.querySelector(".name").textContent = name;
  chip.querySelector("[data-detach]").ariaLabel = worded("remove", { name });
  return chip;
}

const about = (entry, text) => (entry.chip.querySelector(".about").textContent = text);

const tooLarge = (name, most) => worded("attach-too-large", { name, most: sizeOf(most) });

const tooMany = (files, most) => worded("attach-too-many", { most, count: files.length, name: files[0].name });
