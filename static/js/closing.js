// Escape closes the inspector from anywhere within it. On a phone its button gets the focus, however it
// was closed; elsewhere static/js/coming.js leads back.

import { on, onClick } from "./events.js";
import { covers } from "./sheet.js";

const INSIDE = "#panel, .panel-edge";
const FIRST = "dialog[open], details.menu[open], [data-more-menu], [data-drawer=open]"; // Closed before it.
const FIELDS = "textarea, select, input:not([type=range], [type=checkbox], [type=radio])"; // They need the key.
const toggle = () => document.querySelector(".panel-toggle");
let closing = false;

/** With a sheet over the chat, the page itself has the focus only by chance. */
function isWithin(target) {
  if (target.closest?.(INSIDE)) return !target.matches(FIELDS);
  return covers() && target.matches?.("body, #main");
}

// This comes before the Escape that stops an answer.
document.addEventListener(
  "keydown",
  (event) => {
    if (event.key !== "Escape" || !toggle() || document.querySelector(FIRST)) return;
    if (!document.getElementById("panel") || !isWithin(event.target)) return;
    event.stopPropagation();
    toggle().click();
  },
  { capture: true },
);
onClick(".panel-toggle", () => (closing ||= covers() || isLow()));
on("chat:shown", () => {
  if (closing && !document.getElementById("panel")) toggle()?.focus({ preventScroll: true });
  closing = false;
});

const isLow = () => Boolean(document.querySelector("#panel[data-low]"));
