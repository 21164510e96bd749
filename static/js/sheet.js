// On phones the inspector is a sheet over the whole chat, and a dialog. When it leads to a message,
// it moves down so that the message can be seen; a button raises it again.

import { on, onClick } from "./events.js";

const isPhone = matchMedia("(max-width: 47.99rem), (max-height: 30rem)");
const BEHIND = "#main > .chat, .skip"; // The sidebar is hidden, or a drawer above the sheet.
const panel = () => document.getElementById("panel");

/** Whether it is over all of the chat. */
export const covers = () => isPhone.matches && Boolean(panel()) && !("low" in panel().dataset);

/** What is behind the sheet can neither be seen nor focused. */
function cover() {
  const covered = covers();
  for (const element of document.querySelectorAll(BEHIND)) element.inert = covered;
  if (!panel()) return;
  panel().role = covered ? "dialog" : "complementary";
  panel().ariaModal = covered ? "true" : null;
  if (covered) enter();
}

/** Somebody who came into the dialog is at its heading, unless they were led to a place in it. */
function enter() {
  const heading = panel().querySelector("h2");
  if (!heading || panel().querySelector(":focus") || isElsewhere()) return;
  heading.tabIndex = -1;
  heading.focus({ preventScroll: true });
}

const isElsewhere = () => Boolean(document.activeElement?.closest("dialog, #sidebar, .toasts"));

function set(low) {
  panel()?.toggleAttribute("data-low", low);
  cover();
}

on("inspector:leads", () => isPhone.matches && set(true));
onClick("[data-panel-raise]", () => set(false));
on("chat:shown", cover);
/** Beside the chat, too, whoever is at the heading stays there when it comes anew. */
let isAtHead = false;
const isPanel = ({ ctx }) => ctx.target?.id === "panel";
document.addEventListener("htmx:before:swap", ({ detail }) => {
  if (isPanel(detail)) isAtHead = document.activeElement.matches("#panel h2");
});
document.addEventListener("htmx:after:swap", ({ detail }) => {
  if (isPanel(detail) && (covers() || isAtHead)) enter();
});
isPhone.addEventListener("change", cover);
cover();
