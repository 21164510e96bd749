// Commands that were sent and are not yet acknowledged. They are sent again with the same id when the
// socket is back, and the server carries each out once.

import { emit, on } from "./events.js";
import { newId } from "./ids.js";
import { isSignedOut, send } from "./socket.js";
import { worded } from "./texts.js";
import { isNewVisitor } from "./view.js";

const waiting = new Map(); // client_msg_id -> {frame, from}

/** Send a frame that the server acknowledges. `from` is passed on with the outcome. */
export function post(frame, from) {
  const client_msg_id = newId();
  const whole = { ...frame, client_msg_id };
  waiting.set(client_msg_id, { frame: whole, from });
  if (isNewVisitor()) emit("visitor:needed");
  else if (isSignedOut()) drop();
  else if (!send(whole)) emit("post:waiting", { client_msg_id });
  return client_msg_id;
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
on("visitor:refused", (message) => {
  for (const client_msg_id of [...waiting.keys()]) {
    settle("post:refused", { client_msg_id, message });
  }
});
on("socket:signed-out", drop);
on("socket:open", () => {
  for (const { frame } of waiting.values()) send(frame);
});
