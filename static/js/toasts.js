// Messages without another place: what went wrong, what was done and how to undo it, and the state of
// the connection.

import { emit, on } from "./events.js";
import { piece } from "./html.js";
import { isSignedOut } from "./socket.js";
import { worded } from "./texts.js";

const STAYS_MS = 8_000;
const STAYS_WITH_UNDO_MS = 20_000;
const PATIENCE_MS = 1_200; // A short break is not worth a message.
let late = 0;

function toast(sentence) {
  const element = piece("toast");
  element.querySelector(".sentence").textContent = sentence;
  element.querySelector("[data-dismiss]").addEventListener("click", () => element.remove());
  document.getElementById("toasts").replaceChildren(element);
  return element;
}

function notice({ sentence, undo }) {
  const element = toast(sentence);
  element.classList.add("done");
  element.querySelector("use").setAttribute("href", "#icon-check");
  const button = element.querySelector("[data-undo]");
  button.hidden = !undo;
  button.addEventListener("click", () => {
    element.remove();
    undo();
  });
  leave(element, undo ? STAYS_WITH_UNDO_MS : STAYS_MS);
}

/** Do not remove it under the pointer, or while it has the focus. */
function leave(element, after) {
  setTimeout(() => {
    if (element.matches(":hover, :focus-within")) leave(element, after);
    else element.remove();
  }, after);
}

function connection(text, ...controls) {
  clearTimeout(late);
  late = 0;
  const line = document.getElementById("connection");
  if (!line) return;
  line.replaceChildren(text, ...controls);
  line.hidden = !text;
}

const stateOf = () => worded(navigator.onLine ? "reconnecting" : "offline");

let whyNot = "";

on("socket:error", ({ code, message }) => {
  if (code === "too_many_tabs") whyNot = message;
});
on("socket:closed", ({ tooMany }) => {
  if (tooMany) connection(whyNot || worded("too-many"));
  else late ||= setTimeout(() => connection(stateOf()), PATIENCE_MS);
});
on("socket:open", () => connection(""));

function signedOut() {
  const button = piece("reload");
  button.addEventListener("click", () => location.reload());
  connection(worded("signed-out"), button);
}

on("socket:signed-out", signedOut);
on("chat:shown", () => {
  if (isSignedOut()) signedOut();
});
on("chat:problem", (sentence) => leave(toast(sentence), STAYS_MS));
on("chat:notice", notice);

const TOLD = { 403: "forbidden", 404: "gone" };
document.addEventListener("htmx:response:error", (event) => {
  const { status, raw } = event.detail.ctx.response;
  const ours = raw.headers.get("content-type")?.startsWith("text/plain");
  emit("chat:problem", ours ? event.detail.ctx.text : worded(TOLD[status] ?? "failed"));
});
document.addEventListener("htmx:error", ({ detail: { ctx, error } }) => {
  const isAnswered = !ctx || ctx.text !== undefined;
  const isOwnIdea = ctx?.sourceElement.id === "chats"; // The list tries again anyway.
  if (isAnswered) reportError(error);
  else if (!isOwnIdea) emit("chat:problem", worded("unreachable"));
});
