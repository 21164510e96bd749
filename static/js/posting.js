// Commands that were sent and are not yet acknowledged. They are sent again with the same id when
// the socket is back, and the server carries out each only once.

import { emit, on } from "./events.js";
import { newId } from "./ids.js";
import { backoff, isOpen, isSignedOut, send } from "./socket.js";
import { worded } from "./texts.js";
import { isNewVisitor } from "./view.js";

const waiting = new Map(); // client_msg_id -> {frame, from, isSent}: sent, perhaps into a dead line.
const PATIENCE_MS = 2_000; // So long a new visitor's first message may take without a word.
let attempt = 0; // To become known to the server.

/** Send a frame that the server acknowledges. `from` is passed on with the outcome. */
export function post(frame, from) {
  const client_msg_id = newId();
  const whole = { ...frame, client_msg_id };
  const entry = { frame: whole, from, isSent: false };
  waiting.set(client_msg_id, entry);
  if (isNewVisitor()) introduce(whole);
  else if (isSignedOut()) drop();
  else if (!dispatch(entry)) tellWaiting(whole);
  return client_msg_id;
}

/** False if it could not be sent now. */
function dispatch(entry) {
  const isGone = send(entry.frame);
  entry.isSent ||= isGone;
  return isGone;
}

/** The server may be away without refusing to connect. */
function introduce(frame) {
  emit("visitor:needed");
  setTimeout(() => isNewVisitor() && waiting.has(frame.client_msg_id) && tellWaiting(frame), PATIENCE_MS);
}

export const tellWaiting = ({ client_msg_id, type }) =>
  emit("post:waiting", { client_msg_id, type, isSent: waiting.get(client_msg_id)?.isSent });

const MESSAGES = ["send", "follow_up", "edit"];

/** The messages and edits on their way, not other commands: {frame, from, isSent}. */
export const messages = () => [...waiting.values()].filter(({ frame }) => MESSAGES.includes(frame.type));

/** Send what an earlier page could not, with the id it had. */
export function resume(frame, from, isSent = false) {
  const entry = { frame, from, isSent };
  waiting.set(frame.client_msg_id, entry);
  if (isNewVisitor()) introduce(frame);
  else dispatch(entry);
}

/** Whether it waits for a connection, and the server cannot have it yet. */
export const isUnsent = (client_msg_id) => !isOpen() && waiting.get(client_msg_id)?.isSent === false;

/** Take back what waits for a connection; nothing if it may have been sent. */
export function withdraw(client_msg_id) {
  if (!isUnsent(client_msg_id)) return null;
  const { frame } = waiting.get(client_msg_id);
  settle("post:withdrawn", frame);
  return frame;
}

/** Forget everything when a session has ended: the next one may be somebody else's. */
function drop() {
  for (const client_msg_id of [...waiting.keys()]) settle("post:dropped", { client_msg_id });
}

function settle(name, frame) {
  const entry = waiting.get(frame.client_msg_id);
  if (!entry) return;
  waiting.delete(frame.client_msg_id);
  emit(name, { ...entry, answer: frame });
}

on("socket:ack", (frame) => settle("post:done", frame));
on("socket:notice", (frame) => settle("post:noticed", frame));
on("socket:error", (frame) => settle("post:refused", frame));
// No server takes this frame: sent again, it would close each new socket, too.
on("socket:too-long", () => {
  const size = ({ frame }) => JSON.stringify(frame).length;
  const longest = [...waiting.values()].reduce((a, b) => (size(b) > size(a) ? b : a), { frame: {} });
  const { client_msg_id } = longest.frame;
  settle("post:refused", { client_msg_id, message: worded("too-long") });
});
on("visitor:unreachable", () => {
  for (const { frame } of waiting.values()) tellWaiting(frame);
  setTimeout(() => waiting.size && emit("visitor:needed"), backoff(attempt++, Math.random()));
});
on("visitor:refused", (message) => {
  for (const client_msg_id of [...waiting.keys()]) {
    settle("post:refused", { client_msg_id, message });
  }
});
on("socket:signed-out", drop);
on("socket:closed", () => {
  for (const { frame } of messages()) tellWaiting(frame);
});
on("socket:open", () => {
  for (const entry of waiting.values()) dispatch(entry);
});
