// Zone 5's real answers: ask the model, show what it writes, stop it. The server keeps their
// records, so a page that is loaded later shows the same answers.

import { onClick } from "./events.js";
import { ask, complain } from "./server.js";

const AGAIN = 1000; // Milliseconds between looks at an answer that is being written.
const list = () => document.getElementById("what-if-experiments");
let looking = 0;

onClick("[data-ask]:not([aria-disabled])", (button) =>
  act(button, button.dataset.ask, JSON.parse(button.dataset.body)).then((done) => done && showNewest()),
);

onClick("[data-stop-experiment]:not([aria-disabled])", (button) =>
  act(button, button.dataset.stopExperiment, {}),
);

/** Give a command, and show the list as it is then. Return whether it was done. */
async function act(button, address, body) {
  button.ariaDisabled = true;
  const { done, problem } = await ask(address, body);
  button.ariaDisabled = null;
  if (!done) complain(problem);
  else await show("#what-if-experiments");
  return done;
}

const showNewest = () => list()?.querySelector(".experiment")?.scrollIntoView({ block: "nearest" });

/** Fetch one element of the list again; what is unchanged keeps its focus and what was opened. */
async function show(selector) {
  if (!list()) return;
  const { address } = list().dataset;
  await htmx.ajax("GET", address, { target: selector, select: selector, swap: "outerMorph" });
}

/** Look again, as long as an answer is being written. */
function watch() {
  clearTimeout(looking);
  if (!list()?.querySelector("[data-asking]")) return;
  looking = setTimeout(async () => {
    for (const { id } of list()?.querySelectorAll("[data-asking]") ?? []) await show(`#${id}`);
    watch();
  }, AGAIN);
}

document.addEventListener("htmx:after:swap", watch);
watch();
