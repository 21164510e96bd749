// Somebody without an account gets a session with the first message: reading alone leaves no trace.

import { emit, on } from "./events.js";
import { tell } from "./server.js";
import { connect } from "./socket.js";
import { isNewVisitor } from "./view.js";

const tabs = new BroadcastChannel("visitor"); // The other tabs of this browser.
let asked = false;
let begins = false;

on("visitor:needed", async () => {
  if (asked) return;
  asked = true;
  const refusal = await tell("/visitor");
  asked = false;
  if (refusal) {
    emit("visitor:refused", refusal);
    return;
  }
  begins = true;
  meet();
});

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
