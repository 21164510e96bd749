// The composer: it keeps a text until it is sent, shows it at once, stops answers, and gives the text
// back if sending fails.

import * as attachments from "./attachments.js";
import { isCommand, run, unknownIn } from "./commands.js";
import { emit, on, onClick } from "./events.js";
import { begin } from "./leaving.js";
import { needed } from "./needed.js";
import { post } from "./posting.js";
import { showSending } from "./sending.js";
import { whyTooLong } from "./size.js";
import { send } from "./socket.js";
import { worded } from "./texts.js";
import * as unsent from "./unsent.js";
import * as view from "./view.js";

const form = () => document.getElementById("composer");
const field = () => document.getElementById("text");

let waitsForFiles = false; // The message was sent while some were still being uploaded.
let insisted = ""; // The text that is to be sent though it begins like a command.

function submit() {
  const text = field().value;
  const unknown = text === insisted ? null : unknownIn(text);
  if (unknown) return problem(worded(unknown.near ? "near-command" : "unknown-command", unknown), { canInsist: true });
  if (isCommand(text)) return obey(text);
  if (!isWritten()) return;
  const why = whyTooLong(text);
  if (why) return problem(why);
  if (view.isBusy()) return follow(text);
  if (view.transcript().querySelector(".sending")) {
    return problem(worded("send-first"), { passes: true, isCalm: true });
  }
  const refused = attachments.refused().join(", ");
  if (refused) return problem(worded("attach-refused", { names: refused }));
  waitsForFiles = attachments.areUploading();
  if (waitsForFiles) return problem(worded("attach-waits"), { isCalm: true });
  const files = attachments.take();
  const { agent, network } = view.transcript().dataset;
  const place = { conversation: view.conversation(), agent, network, model: model() };
  const frame = { type: "send", ...place, text, head: view.head(), query: location.search };
  const ids = files.map(({ id }) => id);
  const whole = ids.length ? { ...frame, attachments: ids } : frame;
  say(post(whole, { transcript: view.transcript(), files }), text, files);
}

const model = () => form().querySelector("[name=model]")?.value;

/** Send it when the answer that is being written is done. */
async function follow(text) {
  if (!view.conversation()) return;
  if (attachments.areAny()) {
    problem(worded("follow-up-files"), { passes: true, isCalm: true });
    return;
  }
  const followUps = await needed(() => import("./follow_up.js"));
  if (!followUps || field().value !== text) return;
  write("");
  problem("");
  followUps.keep(text, model());
}

/** Put a text back above what was written since. */
function takeIn({ text, problem: sentence = "" }) {
  write([text, field().value].filter(Boolean).join("\n\n"));
  keepUnsent();
  problem(sentence);
  field().focus();
}

const isWritten = () => Boolean(field().value.trim()) || attachments.areAny();

function obey(text) {
  write("");
  keepUnsent();
  problem("");
  run(text, { typed: true });
}

/** Send what begins like a command as a message. A slash more keeps the server from obeying it. */
function insist() {
  if (isCommand(field().value)) write(`/${field().value.trimStart()}`);
  insisted = field().value;
  keepUnsent();
  submit();
  view.writing()?.focus(); // The button is gone.
}

function say(client, text, files) {
  showSending(client, text, files);
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

const pass = () => problemBox()?.hasAttribute("data-passes") && problem("");

/** `passes`: it is over when a message has arrived, or the answer is done. `canInsist`: with a button. */
function problem(sentence, { passes = false, isCalm = false, canInsist = false } = {}) {
  tellBelow(problemBox(), sentence, { isCalm });
  problemBox().toggleAttribute("data-passes", passes);
  problemBox().querySelector("[data-insist]").hidden = !canInsist;
}

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
  begin(url);
  emit("chat:begun");
}

on("post:done", ({ frame, from, answer }) => {
  if (frame.type !== "send") return;
  pass();
  if (from.transcript) adopt(from.transcript, answer);
  if (unsent.of(frame.conversation) === frame.text) unsent.keep(frame.conversation, "");
  if (from.files) attachments.forget(frame, from.files);
});

on("composer:give", takeIn);
on("composer:problem", (sentence) => problem(sentence));
on("follow-up:kept", ({ conversation, text }) => {
  if (unsent.of(conversation) === text) unsent.keep(conversation, "");
});

on("composer:set", (text) => {
  write(text);
  keepUnsent();
});

on("post:refused", ({ frame, from, answer }) => {
  if (frame.type !== "send") return;
  problem(answer.message, { passes: answer.code === "busy", canInsist: answer.code === "unknown_command" });
  if (from.isCommand && !from.typed) return;
  const bubble = document.querySelector(`.sending[data-client="${frame.client_msg_id}"]`);
  unsent.keep(frame.conversation, frame.text);
  bubble?.remove();
  view.transcript().querySelector(".welcome")?.removeAttribute("hidden");
  if (view.conversation() === frame.conversation && !field().value) write(frame.text);
  if (from.files && view.conversation() === frame.conversation) attachments.giveBack(from.files);
  if (answer.code === "moved_on") view.reload();
});

// Refusals of commands without an id: retry, continue, stop. A refused extra tab is not one of them.
on("socket:error", (frame) => {
  if (frame.client_msg_id || frame.code === "too_many_tabs") return;
  problem(frame.message, { passes: frame.code === "busy" });
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

on("chat:busy", ({ busy }) => {
  showState();
  if (!busy) pass();
});

on("chat:shown", () => {
  if (!form()) return;
  showState();
  const draft = unsent.take(view.conversation());
  const typed = field().value; // Before the scripts were there.
  write(typed === draft ? draft : [draft, typed].filter(Boolean).join("\n\n"));
  if (typed) keepUnsent();
});

/** A delegated task is read-only: it has no form. */
function showState() {
  if (!form()) return;
  Object.assign(form().dataset, { busy: view.isBusy(), asks: Boolean(view.waiting()) });
}

export function stop() {
  const conversation = view.conversation();
  const generation = view.generation() ?? view.waiting();
  if (!generation || send({ type: "stop", conversation, generation })) return;
  emit("chat:unreachable", worded("not-stopped"));
}

const phone = matchMedia("(hover: none) and (pointer: coarse)");

/** Send on Enter, unless an input method uses it to choose a word. Phones have no other new line. */
export const sends = (event) =>
  event.key === "Enter" && !event.shiftKey && !event.isComposing && event.keyCode !== 229 && !phone.matches;

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
onClick("[data-insist]", insist);
onClick("[data-starter]", (starter) => {
  write(starter.textContent.trim());
  submit();
  view.writing()?.focus(); // The starter is gone.
});
