// Folds a person's long messages. One unfolds when the browser finds, focuses or scrolls to
// something in it.

import { on, onClick } from "./events.js";
import { worded } from "./texts.js";

const FOLDED = ".bubble[data-long]:not([data-whole])";

function set(bubble, whole) {
  bubble.toggleAttribute("data-whole", whole);
  bubble.scrollTop = 0;
  const button = bubble.parentElement.querySelector(":scope > [data-unfold]");
  if (!button) return;
  button.textContent = worded(whole ? "show-less" : "show-more");
  button.ariaExpanded = whole;
}

const unfold = (bubble) => bubble && set(bubble, true);

onClick("[data-unfold]", (button) => {
  const bubble = button.parentElement.querySelector(":scope > .bubble");
  const whole = !bubble.hasAttribute("data-whole");
  set(bubble, whole);
  if (!whole) bubble.scrollIntoView({ block: "nearest" });
});
export const reached = ({ message }) => unfold(message.querySelector(`:scope > ${FOLDED}`));

on("message:reached", reached);
document.addEventListener(
  "scroll",
  ({ target }) => {
    if (target.matches?.(FOLDED) && target.scrollTop) unfold(target);
  },
  { capture: true, passive: true }, // It does not bubble.
);
