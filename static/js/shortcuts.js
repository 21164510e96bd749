// Keys that work everywhere on the page. While a dialog is open, only the key that leads to the
// search works.

import { goBeside } from "./beside.js";
import { stop } from "./composer.js";
import { on, onClick } from "./events.js";
import { isCommand, isMac, nameKeys } from "./platform.js";
import { closeAll, showSearch, toggleSidebar } from "./sidebar.js";
import * as view from "./view.js";

const writes = (element) => element.matches("input, textarea, select, [contenteditable]");
/** Escape in a field, a menu or a dialog is meant for that. */
const isOfChat = (target) =>
  !document.querySelector("dialog[open], details.menu[open]") &&
  (target.id === "text" || target.matches("body, #main") || isButtonOfChat(target));
const isButtonOfChat = (target) => Boolean(target.closest(".chat")) && !writes(target);
/** The answer that Stop ends: one that is being written, or waits for a decision. */
const isUnderWay = () => view.isBusy() || view.waiting();

const isBehind = () => document.querySelector("dialog[open]");

/** With Ctrl, or with Command on a Mac. */
const KEYS = {
  k: showSearch,
  i: () => document.querySelector(".panel-toggle")?.click(),
  b: toggleSidebar,
  "/": showShortcuts,
};

document.addEventListener("keydown", (event) => {
  const { key: pressed, shiftKey, altKey, target } = event;
  const key = pressed.length > 1 ? pressed : pressed.toLowerCase();
  const isFor = isCommand(event);
  if (key === "Escape" && isUnderWay() && isOfChat(target)) stop();
  else if (key === " " && target.matches("a[role=button]")) take(event, () => target.click());
  else if (isBehind()) leaveFor(event, key);
  else if (isFor && key in KEYS && (!shiftKey || key === "/")) take(event, KEYS[key]);
  else if (isFor && shiftKey && key === "o") take(event, newChat);
  else if (isFor && shiftKey && key === "c" && newest(ANSWER)) take(event, () => newest(ANSWER).click());
  else if (isFor && key === "z" && !shiftKey && undoing(target)) take(event, () => undoing(target).click());
  else if (isFor && key === "End") showLatest(event);
  else if (altKey && key === "ArrowUp" && !movesIn(event)) take(event, () => goBeside(-1));
  else if (altKey && key === "ArrowDown" && !movesIn(event)) take(event, () => goBeside(1));
  else if (event.ctrlKey || event.metaKey || altKey) return;
  else if (key === "ArrowUp" && !shiftKey && isUnused(target) && newest(OWN)) take(event, () => newest(OWN).click());
  else if (writes(target)) return;
  else if (key === "/") take(event, showSearch);
  else if (key === "?") take(event, showShortcuts);
});

/** Before anything else that Escape does. */
document.addEventListener(
  "keydown",
  (event) => {
    if (event.key !== "Escape" || !event.shiftKey || isBehind()) return;
    event.stopImmediatePropagation();
    take(event, write);
  },
  { capture: true },
);

/** As Escape would leave it: a dialog with something unsaved asks first. */
function leaveFor(event, key) {
  if (key !== "k" || !isCommand(event) || event.shiftKey) return;
  for (const dialog of document.querySelectorAll("dialog[open]")) {
    if (dialog.dispatchEvent(new Event("cancel", { cancelable: true }))) dialog.close();
  }
  take(event, () => isBehind() || showSearch());
}

const OWN = "[data-action=edit]";
const ANSWER = ".answer [data-action=copy]";
/** The button of the newest message that has it. */
const newest = (button) => [...document.querySelectorAll(`#transcript ${button}`)].at(-1);
/** Nothing is written or attached that an edit would hide. */
const isUnused = (element) => element.id === "text" && !element.value && !element.form.querySelector(".attachment");

function write() {
  closeAll();
  document.getElementById("text")?.focus();
}

/** In a text the browser leads to its end, too. */
function showLatest(event) {
  if (!writes(event.target)) event.preventDefault();
  document.getElementById("latest")?.click();
}

/** Whether the arrow moves in what is written or chosen there. */
const movesIn = ({ target, ctrlKey, metaKey, shiftKey }) =>
  ctrlKey || metaKey || shiftKey || target.matches("select") || (isMac && writes(target) && target.value);

function take(event, act) {
  event.preventDefault();
  act();
}

/** The button that undoes what was just done, unless the browser could undo what was typed there. What was
 *  applied to the chat stays undoable for long, so not even an emptied field is left for it. */
function undoing(element) {
  const done = document.querySelector("#toasts [data-undo]:not([hidden])");
  if (done) return writes(element) && element.value ? null : done;
  const applied = document.querySelector("#what-if-result .taken [type=submit]");
  return !writes(element) && applied?.checkVisibility() ? applied : null;
}
async function showShortcuts() {
  (await import("./keys.js")).showShortcuts();
}
onClick("[data-shortcuts]", (button) => {
  const menu = button.closest("details");
  menu?.removeAttribute("open");
  menu?.querySelector("summary").focus(); // It gets the focus back.
  showShortcuts();
});
const newChat = () => document.querySelector(".new-chat").click();
on("chat:shown", () => nameKeys(document));
