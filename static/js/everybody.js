// Applies a what-if's settings to every chat with the agent: a dialog says whom this affects, the
// server makes the change and offers to undo it. The outcome replaces the button, and gets the
// focus.

import { onClick } from "./events.js";

const dialog = () => document.getElementById("everybody-dialog");

onClick("[data-everybody]", async ({ dataset }) => {
  dialog().replaceChildren();
  await htmx.ajax("GET", dataset.everybody, { target: "#everybody-dialog", swap: "innerHTML" });
  if (dialog().childElementCount) dialog().showModal(); // Refusals are shown elsewhere.
});

document.addEventListener("htmx:after:swap", ({ detail }) => {
  if (detail.ctx.target?.id !== "what-if-result") return;
  if (document.querySelector("#what-if-result .whatif-said")) document.querySelector(".advice")?.remove();
  const places = [...document.querySelectorAll("#what-if-result [data-focus]")];
  places[0]?.scrollIntoView({ block: "center" });
  places.at(-1)?.focus({ preventScroll: true });
});
