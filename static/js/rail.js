// The rail beside the transcript, which shows for each message whether it was in the newest
// request.

import { emit, on } from "./events.js";
import { worded } from "./texts.js";
import * as view from "./view.js";

const WIDE = 20; // Pixels from a message's edge that belong to the rail.
const RUN = /^(\d+)-(\d+):(\w+)$/;

/** The runs that the gauge names, as {first, last, fate}. */
export const runsOf = (text) =>
  text
    .split(" ")
    .map((run) => RUN.exec(run))
    .filter(Boolean)
    .map(([, first, last, fate]) => ({ first: Number(first), last: Number(last), fate }));

/** What became of these positions: one word for all, `partly` if they differ, or nothing yet. */
export function fateOf(runs, first, last) {
  const met = runs.filter((run) => run.first <= last && first <= run.last);
  const [one = "", ...others] = new Set(met.map(({ fate }) => fate));
  return others.length ? "partly" : one;
}

export function show() {
  const runs = runsOf(document.getElementById("gauge")?.dataset.rail ?? "");
  for (const message of view.transcript()?.querySelectorAll(".message[data-position]") ?? []) {
    const { position, last } = message.dataset;
    const fate = fateOf(runs, Number(position), Number(last ?? position));
    if (message.dataset.fate === fate) continue;
    message.dataset.fate = fate;
    if (fate) message.setAttribute("aria-description", worded(`fate-${fate}`));
    else message.removeAttribute("aria-description");
  }
}

/** The message whose rail is at a pointer. */
function railAt({ target, clientX }) {
  if (!target.matches?.(".message[data-fate]:not([data-fate=''])")) return null;
  const { left, right } = target.getBoundingClientRect();
  const isRtl = getComputedStyle(target).direction === "rtl";
  return (isRtl ? right - clientX : clientX - left) <= WIDE ? target : null;
}

const meaningOf = (message) => message.getAttribute("aria-description");

document.addEventListener("pointermove", (event) => {
  const { target } = event;
  if (railAt(event)) target.title = meaningOf(target);
  else if (target.matches?.(".message[title]")) target.removeAttribute("title");
});

/** Fingers get no tooltip. */
document.addEventListener("click", (event) => {
  const message = railAt(event);
  if (message) emit("chat:notice", { sentence: meaningOf(message) });
});

export { show as begin };
for (const name of ["chat:plan", "answer:ended"]) on(name, show);
document.addEventListener("htmx:after:swap", show);
