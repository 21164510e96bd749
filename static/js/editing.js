// A message is edited in its place: its text, and its files. The server starts a branch with it.

import { sends, tellBelow } from "./composer.js";
import { emit, on } from "./events.js";
import { piece } from "./html.js";
import * as kept from "./kept_edits.js";
import { filesOf, isChanged, messageHere, messageOf, textOf } from "./kept_edits.js";
import { makeDraft } from "./outbox.js";
import { post, withdraw } from "./posting.js";
import { Tray, trayOf } from "./tray.js";
import { worded } from "./texts.js";
import * as view from "./view.js";

export function edit(message, source) {
  if (view.isBusy()) return emit("chat:problem", worded("answer-first"));
  begin(message, message.querySelector(".edit-form:not([hidden])") ?? formFor(message, source));
}

/** Show an edit that an earlier page sent, and that the server has not confirmed. */
export function resume(message, source, { frame, from }) {
  const form = formFor(message, source);
  fill(form, { text: frame.text, files: from.files });
  place(message, form);
  hold(form, true);
  kept.forget(form);
  form.dataset.client = frame.client_msg_id;
  from.form = form;
}

export function formFor(message, source) {
  const form = piece("edit");
  textOf(form).value = source; // First: it puts the caret at the end.
  textOf(form).defaultValue = source;
  message.querySelectorAll(".edit-form").forEach(makeRoom);
  message.append(form);
  const tray = new Tray(form, { changed: () => filesChanged(form), field: () => textOf(form) });
  tray.show(filesOf(message));
  listen(form);
  return form;
}

/** A cancelled one may be had again: off the page, but still in a message. */
function makeRoom(form) {
  if (form.hidden) messageOf(form).cloneNode().append(form);
  else drop(form);
}

export function fill(form, { text, files }) {
  textOf(form).value = text;
  trayOf(form).clear();
  trayOf(form).show(files);
}

function listen(form) {
  form.querySelector("[data-cancel]").addEventListener("click", () => cancel(form));
  form.addEventListener("input", () => {
    delete form.dataset.waits;
    problem(form, "");
    showWhetherWritten(form);
    kept.keep(form);
  });
  form.addEventListener("keydown", (event) => {
    if (event.key === "Escape") {
      event.stopPropagation(); // Or it would stop an answer, too.
      cancel(form);
    } else if (event.target === textOf(form) && sends(event)) {
      event.preventDefault();
      form.requestSubmit();
    }
  });
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    submit(form);
  });
}

const isWritten = (form) => Boolean(textOf(form).value.trim()) || trayOf(form).hasAny;

function showWhetherWritten(form) {
  form.querySelector("[type=submit]").disabled = !isWritten(form);
}

/** An edit that waited for its files goes with the last of them. */
function filesChanged(form) {
  showWhetherWritten(form);
  kept.keep(form);
  const waited = "waits" in form.dataset;
  if (waited && trayOf(form).isUploading) return;
  problem(form, "");
  delete form.dataset.waits;
  if (waited) submit(form);
}

function submit(form) {
  if (!isWritten(form)) return;
  const refused = trayOf(form).refused().join(", ");
  if (refused) return problem(form, worded("attach-refused", { names: refused }));
  if (trayOf(form).isUploading) {
    form.dataset.waits = "";
    return problem(form, worded("attach-waits"), { isCalm: true });
  }
  problem(form, "");
  hold(form, true); // Until the server has it.
  form.dataset.client = post(frameOf(form), { form, files: trayOf(form).ready });
  kept.forget(form);
}

/** The sentence below the text is read out all the same. */
function hold(form, isInert) {
  for (const part of form.querySelectorAll(".attachments, textarea, .row > *")) part.inert = isInert;
}

/** There is no connection: until there is, the edit can be taken back, unless the server may have it. */
function wait(form, isSent) {
  form.querySelector("[data-cancel]").inert = isSent;
  problem(form, worded(isSent ? "send-waits" : "send-later"), { isCalm: true });
}

/** Whether nothing is on its way to the server any more. */
function takeBack(form) {
  if (!textOf(form).inert) return true;
  if (!withdraw(form.dataset.client)) return false;
  hold(form, false);
  kept.keep(form);
  problem(form, "");
  return true;
}

function frameOf(form) {
  const message = messageOf(form);
  const files = trayOf(form).ready;
  const numbers = new Set(files.map(({ number }) => number));
  const gone = filesOf(message).filter(({ number }) => !numbers.has(number));
  return {
    type: "edit",
    conversation: view.conversation(),
    message: Number(message.dataset.message),
    text: textOf(form).value,
    without: gone.map(({ number }) => number),
    attachments: files.flatMap(({ id }) => id ?? []),
    query: location.search,
  };
}

/** What was changed can be had again: the form stays for it, and its files go on to be uploaded. */
function cancel(form) {
  if (!takeBack(form)) return;
  const message = messageOf(form);
  const isKept = isChanged(form);
  kept.end(form);
  if (isKept) form.hidden = true;
  else drop(form);
  delete message.dataset.editing;
  message.querySelector("[data-action=edit]")?.focus();
  if (!isKept) return;
  emit("chat:notice", { sentence: worded("edit-cancelled"), undo: () => takeUp(form) });
}

/** Its message may have come anew since, or be edited again. */
function takeUp(form) {
  form.hidden = false;
  kept.begin(form);
  const message = messageHere(form);
  if (!message) return emit("chat:notice", { sentence: worded("edit-kept") });
  for (const other of message.querySelectorAll(".edit-form")) if (other !== form) drop(other);
  begin(message, form);
}

export function drop(form) {
  trayOf(form).discard();
  kept.end(form);
  form.remove();
}

function begin(message, form) {
  place(message, form);
  textOf(form).focus();
}

export function place(message, form) {
  message.dataset.editing = "";
  message.append(form);
  delete form.dataset.told;
  kept.begin(form);
}

function leave(form) {
  delete messageOf(form).dataset.editing;
  form.remove();
}

const problem = (form, sentence, how) =>
  tellBelow(form.querySelector(".composer-problem"), sentence, how);

/** Let the person go on: nothing was stored. */
function giveBack({ frame, from: { form } }, sentence) {
  if (frame.type !== "edit") return;
  if (!form?.isConnected) {
    kept.end(form);
    return keepText(frame, sentence);
  }
  hold(form, false);
  kept.keep(form);
  problem(form, sentence);
  textOf(form).focus();
}

/** The form of an edit that was not sent is gone, with its page or its chat. */
export function keepText(frame, sentence = "") {
  makeDraft(frame);
  emit("chat:problem", [sentence, worded("edit-is-draft")].filter(Boolean).join(" "));
}

on("post:done", ({ frame, from }) => {
  if (frame.type !== "edit") return;
  kept.end(from.form);
  if (from.form?.isConnected) {
    leave(from.form);
    view.writing()?.focus({ preventScroll: true });
  }
  if (frame.conversation === view.conversation()) emit("chat:sent"); // The answer is followed as any other.
});
on("post:refused", (edit) => giveBack(edit, edit.answer.message));
on("post:dropped", (edit) => giveBack(edit, worded("not-sent")));
on("post:waiting", ({ client_msg_id, isSent }) => {
  queueMicrotask(() => {
    const form = document.querySelector(`.edit-form[data-client="${client_msg_id}"]`);
    if (form) wait(form, isSent);
  });
});
