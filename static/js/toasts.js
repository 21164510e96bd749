// Messages without another place: what went wrong, what was done and how to undo it, and the state of
// the connection.

import { emit, on } from "./events.js";
import { piece } from "./html.js";
import { tellInList } from "./searched.js";
import { isSignedOut, reconnect } from "./socket.js";
import { worded } from "./texts.js";
import { isLost, writing } from "./view.js";

const STAYS_MS = 8_000;
const STAYS_WITH_UNDO_MS = 20_000;
const PATIENCE_MS = 1_200; // A short break is not worth a message.
let late = 0;

/** Above the composer, and over nothing that a sentence may speak of. */
function place() {
  const area = document.querySelector(".composer-area")?.getBoundingClientRect();
  const { style } = document.querySelector(".toasts");
  const above = document.getElementById("latest")?.hidden === false ? 52 : 8;
  style.bottom = area ? `${innerHeight - area.top + above}px` : "";
  style.left = area ? `${area.left}px` : "";
  style.right = area ? `${innerWidth - area.right}px` : "";
}

const clear = () => document.querySelectorAll("#toasts > div").forEach((region) => region.replaceChildren());

/** A problem interrupts a screen reader; what was done, it tells in its turn. */
function toast(sentence, kind) {
  const element = piece("toast");
  element.querySelector(".sentence").textContent = sentence;
  element.querySelector("[data-dismiss]").addEventListener("click", () => close(element));
  clear();
  document.querySelector(`[data-toasts=${kind}]`).append(element);
  place();
  return element;
}

function problem(sentence) {
  const element = toast(sentence, "problem");
  leave(element, STAYS_MS);
  return element;
}

/** Its buttons go with it. */
function close(element) {
  const hadFocus = element.contains(document.activeElement);
  element.remove();
  if (hadFocus) writing()?.focus({ preventScroll: true });
}

function notice({ sentence, undo }) {
  const element = toast(sentence, "done");
  element.classList.add("done");
  const use = element.querySelector("use");
  use.setAttribute("href", use.getAttribute("href").replace(/#.*/, "#icon-check"));
  const button = element.querySelector("[data-undo]");
  button.hidden = !undo;
  button.addEventListener("click", () => {
    close(element);
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
  const hadFocus = line.contains(document.activeElement);
  line.replaceChildren(text, ...controls);
  line.hidden = !text;
  if (hadFocus) (controls[0] ?? writing())?.focus();
}

/** Nobody is told of a problem that is over. */
function forgetUnreachable() {
  const toast = document.querySelector("#toasts [data-unreachable]");
  if (toast) close(toast);
}

const stateOf = () => worded(navigator.onLine ? "reconnecting" : "offline");

function tellOfLoss() {
  if (!navigator.onLine) return connection(stateOf());
  const button = piece("reconnect");
  button.addEventListener("click", reconnect);
  connection(stateOf(), button);
}

function lost() {
  tellOfLoss();
  if (isLost()) return;
  emit("chat:say", stateOf());
  document.body.dataset.lost = "";
  emit("connection:lost");
}

addEventListener("online", forgetUnreachable);
for (const change of ["online", "offline"]) addEventListener(change, () => isLost() && tellOfLoss());

let whyNot = "";

on("socket:error", ({ code, message }) => {
  if (code === "too_many_tabs") whyNot = message;
});
on("socket:closed", ({ tooMany }) => {
  if (tooMany) connection(whyNot || worded("too-many"));
  else late ||= setTimeout(lost, PATIENCE_MS);
});
on("socket:open", () => {
  if (isLost()) emit("chat:say", worded("reconnected"));
  delete document.body.dataset.lost;
  forgetUnreachable();
  connection("");
});

function signedOut() {
  const button = piece("reload");
  button.addEventListener("click", () => location.reload());
  connection(worded("signed-out"), button);
}

on("socket:signed-out", signedOut);
on("chat:shown", () => {
  if (isSignedOut()) signedOut();
});
on("chat:problem", problem);
on("chat:unreachable", (sentence) => problem(sentence).toggleAttribute("data-unreachable", true));
on("chat:notice", notice);
on("chat:sent", clear);

const sizes = new ResizeObserver(place); // The composer grows with its text.
on("chat:shown", () => {
  sizes.disconnect();
  const area = document.querySelector(".composer-area");
  if (area) sizes.observe(area);
});

const TOLD = { 403: "forbidden", 404: "gone" };
document.addEventListener("htmx:response:error", ({ detail: { ctx } }) => {
  const { status, raw } = ctx.response;
  const ours = raw.headers.get("content-type")?.startsWith("text/plain");
  const refusal = ours ? ctx.text : worded(TOLD[status] ?? "failed");
  if (!tellInList(ctx, refusal)) emit("chat:problem", refusal);
});
document.addEventListener("htmx:error", ({ detail: { ctx, error } }) => {
  const isAnswered = !ctx || ctx.text !== undefined;
  if (isAnswered) reportError(error);
  else if (!tellInList(ctx)) emit("chat:unreachable", worded("unreachable"));
});
