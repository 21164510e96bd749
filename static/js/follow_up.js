// A message that is sent while an answer is being written waits on the server until that is done. It
// is shown above the field in every tab of the chat, to be edited or taken back. Until the server has
// it, it is shown as any other message on its way.

import { emit, on, onClick } from "./events.js";
import { elementsOf, enliven } from "./html.js";
import { messages, post, tellWaiting } from "./posting.js";
import { showSending } from "./sending.js";
import { isOpen } from "./socket.js";
import { worded } from "./texts.js";
import * as view from "./view.js";

const box = () => document.getElementById("follow-up");
const field = () => document.getElementById("text");
const isAhead = () => view.isBusy() || view.waiting();
let edited = null; // The waiting message that is being edited: as it was, and what was written beside it.

/** Leave a text with the server until the answer is done. */
export function keep(text, model) {
  const conversation = view.conversation();
  const frame = { type: "follow_up", conversation, text, query: location.search };
  endEdit();
  post(model ? { ...frame, model } : frame, { followUp: true });
  if (!isOpen()) showUnsent();
}

const bubbleOf = (client) => document.querySelector(`.sending[data-client="${client}"]`);

function showUnsent() {
  for (const { frame } of messages()) {
    if (frame.type !== "follow_up" || frame.conversation !== view.conversation()) continue;
    if (!bubbleOf(frame.client_msg_id)) showSending(frame.client_msg_id, frame.text);
    tellWaiting(frame);
  }
}

export function show({ conversation, html }) {
  if (conversation !== view.conversation()) return;
  if (!box()) return;
  const before = count();
  const hadFocus = box().contains(document.activeElement);
  box().replaceChildren(...elementsOf(html));
  box().hidden = !html;
  enliven(box());
  if (hadFocus) view.writing()?.focus({ preventScroll: true });
  if (count() > before && isAhead()) emit("chat:say", worded(before ? "follow-up-joined" : "follow-up-waits"));
}

/** How many messages wait, to be sent as one. */
const count = () => Number(box().querySelector("[data-count]")?.dataset.count ?? 0);

function edit(text) {
  edited = { text, beside: field().value };
  document.getElementById("composer").dataset.edits = "";
  emit("composer:give", { text });
}

function endEdit() {
  edited = null;
  document.getElementById("composer")?.removeAttribute("data-edits");
}

/** Escape leaves it waiting as it was; it stops the answer only when nothing is edited. */
function leaveEdit(event) {
  if (event.key !== "Escape" || !edited || event.target !== field() || !isAhead()) return;
  event.stopImmediatePropagation();
  const { text, beside } = edited;
  emit("composer:set", beside);
  keep(text);
}

const ask = (type, from) => post({ type, conversation: view.conversation() }, from);

function removed(text) {
  emit("chat:notice", { sentence: worded("follow-up-removed"), undo: () => keep(text) });
}

on("socket:follow_up", show);
on("socket:closed", showUnsent);
on("chat:shown", () => isOpen() || showUnsent());
for (const over of ["chat:shown", "chat:sent"]) on(over, endEdit);
on("chat:busy", () => isAhead() || endEdit());
document.addEventListener("keydown", leaveEdit, { capture: true });
for (const end of ["done", "refused"]) {
  on(`post:${end}`, ({ frame }) => frame.type === "follow_up" && bubbleOf(frame.client_msg_id)?.remove());
}
on("post:done", ({ frame, from, answer }) => {
  if (frame.type === "follow_up") emit("follow-up:kept", frame);
  if (frame.type !== "take_back") return;
  if (from.edits) edit(answer.text);
  else removed(answer.text);
  view.writing()?.focus();
});
on("post:refused", ({ frame, answer }) => {
  if (frame.type === "follow_up") emit("composer:give", { text: frame.text, problem: answer.message });
  else if (["take_back", "send_now"].includes(frame.type)) emit("chat:problem", answer.message);
});
onClick("button[data-follow-up]", ({ dataset }) => {
  const edits = dataset.followUp === "edit";
  ask(dataset.followUp === "send_now" ? "send_now" : "take_back", { edits });
});
