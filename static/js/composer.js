// The composer: it keeps a text until it is sent, shows it at once, stops answers, and gives the text
// back if sending fails.

import * as attachments from "./attachments.js";
import { isCommand, run } from "./commands.js";
import * as unsent from "./unsent.js";
import { emit, on, onClick } from "./events.js";
import { piece } from "./html.js";
import { post } from "./posting.js";
import { send } from "./socket.js";
import { worded } from "./texts.js";
import * as view from "./view.js";

const form = () => document.getElementById("composer");
const field = () => document.getElementById("text");

let waitsForFiles = false; // The message was sent while some were still being uploaded.

function submit() {
  const text = field().value;
  if (isCommand(text)) return obey(text);
  if (!isWritten() || view.isBusy() || view.transcript().querySelector(".sending")) return;
  const refused = attachments.refused().join(", ");
  if (refused) return problem(worded("attach-refused", { names: refused }));
  waitsForFiles = attachments.areUploading();
  if (waitsForFiles) return tellBelow(problemBox(), worded("attach-waits"), { isCalm: true });
  const files = attachments.take();
  const { agent, network } = view.transcript().dataset;
  const model = form().querySelector("[name=model]")?.value;
  const place = { conversation: view.conversation(), agent, network, model };
  const frame = { type: "send", ...place, text, head: view.head(), query: location.search };
  const ids = files.map(({ id }) => id);
  const whole = ids.length ? { ...frame, attachments: ids } : frame;
  say(post(whole, { transcript: view.transcript(), files }), text, files);
}

const isWritten = () => Boolean(field().value.trim()) || attachments.areAny();

function obey(text) {
  write("");
  keepUnsent();
  problem("");
  run(text, { typed: true });
}

/** Show the message at once; the server's own replaces it. */
function say(client, text, files) {
  const bubble = piece("sending");
  bubble.dataset.client = client;
  bubble.querySelector(".bubble").innerText = text;
  bubble.querySelector(".bubble").hidden = !text.trim();
  const names = bubble.querySelector(".sending-files");
  names.textContent = files.map(({ name }) => name).join(", ");
  names.hidden = !files.length;
  view.transcript().querySelector(".welcome")?.setAttribute("hidden", "");
  view.transcript().append(bubble);
  write("");
  problem("");
  emit("chat:sent");
}

/** Put text into the field, as if it had been typed. */
function write(text) {
  field().value = text;
  changed();
  emit("composer:written");
}

function changed() {
  const box = field();
  if (!CSS.supports("field-sizing", "content")) {
    box.style.height = "auto";
    box.style.height = `${box.scrollHeight}px`;
  }
  form().querySelector(".send").disabled = !isWritten();
}

const keepUnsent = () => unsent.keep(view.conversation(), field().value);

const problemBox = () => document.getElementById("problem");
const problem = (sentence) => tellBelow(problemBox(), sentence);

/** Say it in a form's box. What `isCalm` is no problem: nothing need be done. */
export function tellBelow(box, sentence, { isCalm = false } = {}) {
  box.querySelector("span").textContent = sentence;
  box.toggleAttribute("data-calm", isCalm);
  box.hidden = !sentence;
}

/** Give a chat that has just begun its own address, and leave everything else as it is. */
function adopt(transcript, { conversation, url }) {
  if (transcript.dataset.conversation || !transcript.isConnected) return;
  transcript.dataset.conversation = conversation;
  history.replaceState({ htmx: true }, "", url + location.search);
  emit("chat:begun");
}

on("post:done", ({ frame, from, answer }) => {
  if (frame.type !== "send") return;
  if (from.transcript) adopt(from.transcript, answer);
  if (unsent.of(frame.conversation) === frame.text) unsent.keep(frame.conversation, "");
  if (from.files) attachments.forget(frame, from.files);
  document.querySelector(`[data-client="${frame.client_msg_id}"] .send-state`)?.remove();
});

on("command:taken", (command) => {
  write(command);
  keepUnsent();
});

on("post:refused", ({ frame, from, answer }) => {
  if (frame.type !== "send") return;
  problem(answer.message);
  if (from.isCommand && !from.typed) return;
  const bubble = document.querySelector(`.sending[data-client="${frame.client_msg_id}"]`);
  unsent.keep(frame.conversation, frame.text);
  bubble?.remove();
  view.transcript().querySelector(".welcome")?.removeAttribute("hidden");
  if (!field().value) write(frame.text);
  if (from.files && view.conversation() === frame.conversation) attachments.giveBack(from.files);
  if (answer.code === "moved_on") view.reload();
});

function tell(client_msg_id, sentence) {
  queueMicrotask(() => {
    const state = document.querySelector(`[data-client="${client_msg_id}"] .send-state`);
    if (state) state.textContent = sentence;
  });
}

on("post:waiting", ({ client_msg_id }) => {
  tell(client_msg_id, worded("send-later"));
});
/** The draft stays stored, and comes back with the page. */
on("post:dropped", ({ frame }) => tell(frame.client_msg_id, worded("not-sent")));

// Refusals of commands without an id: retry, continue, stop. A refused extra tab is not one of them.
on("socket:error", (frame) => {
  if (!frame.client_msg_id && frame.code !== "too_many_tabs") problem(frame.message);
});

/** A message that waited for its files goes with the last of them. */
on("attachments:changed", () => {
  if (!form()) return;
  form().querySelector(".send").disabled = !isWritten();
  if (!waitsForFiles || attachments.areUploading()) return;
  waitsForFiles = false;
  problem("");
  submit();
});

on("chat:busy", showState);

on("chat:shown", () => {
  if (!form()) return;
  showState();
  write(unsent.of(view.conversation()));
});

/** A delegated task is read-only: it has no form. */
function showState() {
  if (!form()) return;
  Object.assign(form().dataset, { busy: view.isBusy(), asks: Boolean(view.waiting()) });
}

export function stop() {
  const conversation = view.conversation();
  const generation = view.generation() ?? view.waiting();
  if (generation) send({ type: "stop", conversation, generation });
}

/** Send on Enter, unless an input method uses it to choose a word. */
export const sends = (event) =>
  event.key === "Enter" && !event.shiftKey && !event.isComposing && event.keyCode !== 229;

document.addEventListener("input", (event) => {
  if (event.target !== field()) return;
  waitsForFiles = false;
  changed();
  keepUnsent();
  problem("");
});
document.addEventListener("keydown", (event) => {
  if (event.target !== field() || !sends(event)) return;
  event.preventDefault();
  submit();
});
document.addEventListener("submit", (event) => {
  if (event.target !== form()) return;
  event.preventDefault();
  submit();
});
onClick(".stop", stop);
onClick("[data-starter]", (starter) => {
  write(starter.textContent.trim());
  submit();
});
