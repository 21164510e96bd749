// Somebody without an account gets a session with the first message; somebody who only reads leaves
// no trace.

import { emit, on } from "./events.js";
import { tell } from "./server.js";
import { connect } from "./socket.js";
import { isNewVisitor } from "./view.js";

const tabs = new BroadcastChannel("visitor"); // The other tabs of this browser.
let introduction = null; // The request, while it is on its way.
let begins = false;

on("visitor:needed", async () => {
  const refusal = await ready();
  if (refusal?.isUnreachable) emit("visitor:unreachable");
  else if (refusal) emit("visitor:refused", refusal.sentence);
});

/** Be known to the server: nothing once it is so, else the problem. */
export function ready() {
  if (!isNewVisitor()) return Promise.resolve(null);
  introduction ??= introduce();
  return introduction;
}

async function introduce() {
  const refusal = await tell("/visitor");
  introduction = null;
  if (refusal) return refusal;
  begins = true;
  meet();
  return null;
}

function meet() {
  delete document.body.dataset.newVisitor;
  connect();
}

on("chat:begun", () => {
  if (begins) tabs.postMessage("met");
  begins = false;
});

tabs.addEventListener("message", () => {
  if (!isNewVisitor()) return;
  meet();
  emit("visitor:met");
});
