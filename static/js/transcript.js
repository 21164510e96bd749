// The transcript's scrolling. By its layout (a reversed scroller) it opens at its end and stays
// there. This module shows the way back down, follows growing text for somebody who went down that
// way, shows the message where somebody changed the branch, and keeps a field in sight while
// somebody writes in the transcript.

import { emit, on, onClick } from "./events.js";
import * as view from "./view.js";

const FAR = 160;
const NEAR = 4_000;
const UPWARDS = new Set(["ArrowUp", "PageUp", "Home"]);
const scroller = () => document.getElementById("scroller");
const latest = () => document.getElementById("latest");
let remembered = null; // Where a change of branch was made, and with which button.
let follows = false; // Somebody wants to stay at the end, and has not scrolled up since.

const isAtEnd = () => scroller().scrollTop > -1;
const toEnd = (behavior = "auto") => scroller().scrollTo({ top: 0, behavior });

/** A message that is being edited, or words for a decision. */
const fieldInUse = () => document.activeElement?.closest("#transcript :is(textarea, input)");

/** With its buttons, if there is room: a keyboard on the screen takes half of it. A step away from the
 *  end, the layout doesn't follow that. */
function keepFieldInSight() {
  const field = fieldInUse();
  if (!field) return;
  follows = false;
  for (const part of [field.form, field]) part?.scrollIntoView({ block: "nearest" });
  if (isAtEnd()) scroller().scrollTop = -1;
}

const sizes = new ResizeObserver(keepFieldInSight);

function watch() {
  follows = false;
  sizes.disconnect();
  sizes.observe(scroller());
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
  if (isAtEnd()) keepFieldInSight();
  else if (follows) toEnd();
}

/** Whoever leaves a field for the end by a key leaves it for the message's field: it would be brought back
 *  into sight. */
function follow() {
  if (fieldInUse()) view.writing()?.focus({ preventScroll: true });
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
document.addEventListener("focusin", keepFieldInSight);
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
