// Brings a message into view, however far up it is, and lights it for a moment: for rows of the
// panel, and for addresses such as /chat/…#at-12, which search leads to.

import { emit, on } from "./events.js";
import { worded } from "./texts.js";
import * as view from "./view.js";

const ADDRESS = /^#at-(\d+)$/;
let latest = null; // The position that is to be reached.
let awaited = null; // The form that opens the branch in which a message is to be reached.

export async function reach(position) {
  latest = position;
  const message = at(position) ?? (await loaded(position));
  if (latest !== position) return; // Another one since.
  if (!message) {
    emit("chat:problem", worded("not-here"));
    return;
  }
  emit("message:reached", { message, position });
  message.scrollIntoView({ block: "center" });
  message.classList.remove("found");
  message.getBoundingClientRect(); // Or a second light would not begin.
  message.classList.add("found");
}

const at = (position) =>
  [...(view.transcript()?.querySelectorAll("[data-position]") ?? [])].find(
    ({ dataset }) => dataset.position <= position && position <= (dataset.last ?? dataset.position),
  );

/** Load the stretch with that position in place of the button that stands for it. */
async function loaded(position) {
  const button = [...(view.transcript()?.querySelectorAll(".unloaded") ?? [])].find(
    ({ dataset }) => dataset.since <= position && position < dataset.before,
  );
  if (!button) return null;
  const { since, before } = button.dataset;
  const query = new URLSearchParams({ position, since, before });
  const address = `/chat/${view.conversation()}/around?${query}`;
  await htmx.ajax("GET", address, { source: button, target: button, swap: "outerHTML" });
  return at(position);
}

function reachAddressed() {
  const match = ADDRESS.exec(location.hash);
  if (!match || !view.conversation()) return;
  history.replaceState(history.state, "", location.pathname + location.search);
  reach(Number(match[1]));
}

on("chat:shown", () => {
  if (awaited?.getAttribute("action") === `/chat/${view.conversation()}/branch`) reach(Number(awaited.dataset.reach));
  else reachAddressed();
  awaited = null;
});
window.addEventListener("hashchange", reachAddressed);
reachAddressed(); // The page may have been there before this module.
document.addEventListener("submit", ({ target }) => {
  if (target.matches("[data-reach]")) awaited = target;
});
