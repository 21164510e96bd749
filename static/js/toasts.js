// What went wrong, where no other place shows it; and the state of the connection.

import { on } from "./events.js";
import { piece } from "./html.js";

const STAYS_MS = 8_000;
const PATIENCE_MS = 1_200; // A short break is nobody's business.
let late = 0;

function toast(sentence) {
  const element = piece("toast");
  element.querySelector("span").textContent = sentence;
  element.querySelector("button").addEventListener("click", () => element.remove());
  setTimeout(() => element.remove(), STAYS_MS);
  document.getElementById("toasts").replaceChildren(element);
}

function connection(text) {
  const line = document.getElementById("connection");
  if (!line) return;
  line.textContent = text;
  line.hidden = !text;
}

const stateOf = () =>
  navigator.onLine ? "Reconnecting…" : "You are offline. Reconnecting when the network is back…";

on("socket:closed", () => {
  late ||= setTimeout(() => connection(stateOf()), PATIENCE_MS);
});
on("socket:open", () => {
  clearTimeout(late);
  late = 0;
  connection("");
});
on("socket:signed-out", () => {
  connection("You are signed out. Reload the page to go on.");
});
on("chat:problem", toast);

const TOLD = { 404: "That is no longer there.", 403: "You may not do that. If you signed in or out in another tab, reload this one." };
document.addEventListener("htmx:response:error", (event) => {
  const { status, raw } = event.detail.ctx.response;
  const ours = raw.headers.get("content-type")?.startsWith("text/plain");
  toast(ours ? event.detail.ctx.text : (TOLD[status] ?? "The server could not do that."));
});
document.addEventListener("htmx:error", (event) => {
  const isOwnIdea = event.detail.ctx?.sourceElement.id === "chats"; // The list tries again anyway.
  if (!isOwnIdea) toast("The server could not be reached.");
});
