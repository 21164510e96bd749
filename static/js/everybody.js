// A try for everybody who chats with the agent: a dialog says whom it affects, the server does it and
// offers to undo it. What was pressed is replaced by what came of it, and the focus goes on there.

import { onClick } from "./events.js";

const dialog = () => document.getElementById("everybody-dialog");

onClick("[data-everybody]", async ({ dataset }) => {
  dialog().replaceChildren();
  await htmx.ajax("GET", dataset.everybody, { target: "#everybody-dialog", swap: "innerHTML" });
  if (dialog().childElementCount) dialog().showModal(); // A refusal is told elsewhere.
});

document.addEventListener("htmx:after:swap", ({ detail }) => {
  if (detail.ctx.target?.id !== "what-if-result") return;
  const places = [...document.querySelectorAll("#what-if-result [data-focus]")];
  places[0]?.scrollIntoView({ block: "center" });
  places.at(-1)?.focus({ preventScroll: true });
});
