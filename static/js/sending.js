// Messages on their way: each is shown at once, and the server's own replaces it.

import { on } from "./events.js";
import { piece } from "./html.js";
import { worded } from "./texts.js";
import * as view from "./view.js";

export function showSending(client, text, files = []) {
  const bubble = piece("sending");
  bubble.dataset.client = client;
  bubble.querySelector(".bubble").innerText = text;
  bubble.querySelector(".bubble").hidden = !text.trim();
  bubble.querySelector(".bubble").toggleAttribute("data-long", text.length > 1_000);
  const names = bubble.querySelector(".sending-files");
  names.textContent = files.map(({ name }) => name).join(", ");
  names.hidden = !files.length;
  view.transcript().querySelector(".welcome")?.setAttribute("hidden", "");
  view.transcript().append(bubble);
}

const stateOf = (client) => document.querySelector(`[data-client="${client}"] .send-state`);

function tell(client, sentence) {
  queueMicrotask(() => {
    const state = stateOf(client);
    if (state) state.textContent = sentence;
  });
}

on("post:waiting", ({ client_msg_id, type, isSent }) => {
  tell(client_msg_id, worded(isSent ? "send-waits" : type === "follow_up" ? "follow-up-later" : "send-later"));
});
// The draft stays stored, and comes back with the page.
on("post:dropped", ({ frame }) => tell(frame.client_msg_id, worded("not-sent")));
on("post:done", ({ frame }) => stateOf(frame.client_msg_id)?.remove());
