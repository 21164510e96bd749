// Keys that work everywhere on the page.

import { stop } from "./composer.js";
import { showSearch } from "./sidebar.js";
import * as view from "./view.js";

const writes = (element) => element.matches("input, textarea, select, [contenteditable]");
/** The answer that Stop ends: one that is being written, or waits for a decision. */
const isUnderWay = () => view.isBusy() || view.waiting();

document.addEventListener("keydown", (event) => {
  const command = event.ctrlKey || event.metaKey;
  const key = event.key.toLowerCase();
  if (key === "escape" && isUnderWay() && !document.querySelector("dialog[open]")) stop();
  else if (command && key === "k") take(event, showSearch);
  else if (command && event.shiftKey && key === "o") take(event, newChat);
  else if (key === "/" && !command && !writes(event.target)) take(event, showSearch);
});

function take(event, act) {
  event.preventDefault();
  act();
}

const newChat = () => document.querySelector(".new-chat").click();
