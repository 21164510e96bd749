// The transcript's scrolling: it opens at its end and stays there by its layout alone (reversed
// scroller), so this only shows the way back down, and keeps the place where older messages come in.

import { emit, on, onClick } from "./events.js";
import * as view from "./view.js";

const FAR = 160;
const NEAR = 4_000;
const UPWARDS = new Set(["ArrowUp", "PageUp", "Home"]);
const scroller = () => document.getElementById("scroller");
const latest = () => document.getElementById("latest");
let remembered = null; // Where a change of branch was made, and with which button.
let follows = false; // Somebody wants to stay at the end, and has not scrolled up since.

const toEnd = (behavior = "auto") => scroller().scrollTo({ top: 0, behavior });

function watch() {
  follows = false;
  scroller()?.addEventListener("scroll", showWayDown, { passive: true });
  scroller()?.addEventListener("scrollend", keepUp);
  showWayDown();
  if (remembered !== null) showMessage(remembered);
  remembered = null;
}

function showWayDown() {
  latest().hidden = scroller().scrollTop > -FAR;
}

/** The browser keeps what is in sight in its place while text arrives; the end moves away. */
function keepUp() {
  if (follows && scroller().scrollTop < 0) toEnd();
}

function follow() {
  follows = true;
  toEnd(view.isBusy() || scroller().scrollTop < -NEAR ? "auto" : "smooth");
}

const letGo = () => (follows = false);

/** Show the changed message, with the focus where it was, so that the next branch is one key away. */
function showMessage({ at, label }) {
  const message = view.transcript().querySelector(`[data-position="${CSS.escape(at)}"]`);
  message?.scrollIntoView({ block: "center" });
  const buttons = [...(message?.querySelectorAll("[data-switcher] button:enabled") ?? [])];
  const same = buttons.find((button) => button.ariaLabel === label);
  const button = same ?? buttons[0];
  button?.focus({ preventScroll: true });
  if (button) emit("chat:say", button.form.dataset.said);
}

on("chat:shown", () => scroller() && watch());
on("chat:sent", () => toEnd());
on("answer:grew", () => {
  keepUp();
  showWayDown();
});
on("message:reached", letGo);
onClick("#latest", follow);
document.addEventListener("wheel", ({ deltaY }) => deltaY < 0 && letGo(), { passive: true });
for (const name of ["touchmove", "pointerdown"]) {
  document.addEventListener(name, ({ target }) => target.closest?.("#scroller") && letGo(), {
    passive: true,
  });
}
document.addEventListener("keydown", ({ key }) => UPWARDS.has(key) && letGo());
document.addEventListener("submit", (event) => {
  if (!event.target.matches("[data-switcher]")) return;
  remembered = { at: event.target.dataset.at, label: event.submitter?.ariaLabel };
});
