// Keys that work everywhere on the page.

import { stop } from "./composer.js";
import { onClick } from "./events.js";
import { showSearch } from "./sidebar.js";
import * as view from "./view.js";

const writes = (element) => element.matches("input, textarea, select, [contenteditable]");
/** Escape in a field, a menu or a dialog is meant for that. */
const isOfChat = (target) =>
  !document.querySelector("dialog[open], details.menu[open]") &&
  (target.id === "text" || target.matches("body, #main") || isButtonOfChat(target));
const isButtonOfChat = (target) => Boolean(target.closest(".chat")) && !writes(target);
/** The answer that Stop ends: one that is being written, or waits for a decision. */
const isUnderWay = () => view.isBusy() || view.waiting();

document.addEventListener("keydown", (event) => {
  const command = event.ctrlKey || event.metaKey;
  const key = event.key.toLowerCase();
  if (key === "escape" && isUnderWay() && isOfChat(event.target)) stop();
  else if (command && key === "k") take(event, showSearch);
  else if (command && event.shiftKey && key === "o") take(event, newChat);
  else if (command && key === "z" && offered() && isFree(event.target)) take(event, () => offered().click());
  else if (key === " " && event.target.matches("a[role=button]")) take(event, () => event.target.click());
  else if (command || writes(event.target)) return;
  else if (key === "/") take(event, showSearch);
  else if (key === "?") take(event, showShortcuts);
});

function take(event, act) {
  event.preventDefault();
  act();
}

/** What was just done can be undone. */
const offered = () => document.querySelector("#toasts [data-undo]:not([hidden])");
/** Nothing is typed there that the browser could undo. */
const isFree = (element) => !writes(element) || !element.value;
const showShortcuts = async () => (await import("./keys.js")).showShortcuts();
onClick("[data-shortcuts]", (button) => {
  const menu = button.closest("details");
  menu?.removeAttribute("open");
  menu?.querySelector("summary").focus(); // It gets the focus back.
  showShortcuts();
});
const newChat = () => document.querySelector(".new-chat").click();
