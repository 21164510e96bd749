// The transcript's scrolling: it opens at its end and stays there by its layout alone (reversed
// scroller), so this only shows the way back down, and keeps the place where older messages come in.

import { on, onClick } from "./events.js";
import * as view from "./view.js";

const FAR = 160;
const scroller = () => document.getElementById("scroller");
const latest = () => document.getElementById("latest");
let remembered = null; // Where a change of branch was made, and with which button.

const toEnd = (behavior = "auto") => scroller().scrollTo({ top: 0, behavior });

function watch() {
  scroller()?.addEventListener("scroll", showWayDown, { passive: true });
  showWayDown();
  if (remembered !== null) showMessage(remembered);
  remembered = null;
}

function showWayDown() {
  latest().hidden = scroller().scrollTop > -FAR;
}

/** Show the changed message, with the focus where it was, so that the next branch is one key away. */
function showMessage({ at, label }) {
  const message = view.transcript().querySelector(`[data-position="${CSS.escape(at)}"]`);
  message?.scrollIntoView({ block: "center" });
  const buttons = [...(message?.querySelectorAll("[data-switcher] button:enabled") ?? [])];
  const same = buttons.find((button) => button.ariaLabel === label);
  (same ?? buttons[0])?.focus({ preventScroll: true });
}

on("chat:shown", () => scroller() && watch());
on("chat:sent", () => toEnd());
on("answer:grew", () => showWayDown());
onClick("#latest", () => toEnd(scroller().scrollTop > -4_000 ? "smooth" : "auto"));
document.addEventListener("submit", (event) => {
  if (!event.target.matches("[data-switcher]")) return;
  remembered = { at: event.target.dataset.at, label: event.submitter?.ariaLabel };
});
