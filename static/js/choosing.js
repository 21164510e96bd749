// Chooses several chats of the list, with the pointer or by keyboard, to archive or delete them at
// once.

import { emit } from "./events.js";
import { piece } from "./html.js";
import { worded } from "./texts.js";

const MOVES = { ArrowDown: 1, ArrowUp: -1 };
const sidebar = document.getElementById("sidebar");
const list = document.getElementById("chats");
const selection = new Set();
const boxes = () => [...list.querySelectorAll(".choose")];
const boxOfAll = () => bar.querySelector("[data-choose-all]");
const chatOf = (element) => element.closest(".chat-entry").dataset.chat;
let bar = null;
let last = null; // The box that was switched last: a range begins there.

/** Begin to choose, with this chat if one is given. */
export function choose(chat) {
  if (chat) selection.add(chat);
  if (!bar) begin();
  show();
  (boxes().find((box) => box.checked) ?? boxes()[0])?.focus();
}

function begin() {
  bar = piece("choosing");
  list.after(bar);
  sidebar.dataset.choosing = "";
  bar.addEventListener("click", act);
}

function end() {
  const hadFocus = sidebar.contains(document.activeElement);
  for (const box of boxes()) box.remove();
  bar.remove();
  bar = last = null;
  delete sidebar.dataset.choosing;
  selection.clear();
  if (hadFocus) sidebar.querySelector(".chats-top summary").focus();
}

/** Each entry has a box. A list that was replaced has lost them, and perhaps chosen chats too. */
function show() {
  const focused = document.activeElement?.matches?.(".choose") && chatOf(document.activeElement);
  for (const entry of list.querySelectorAll(".chat-entry")) entry.querySelector(".choose") ?? add(entry);
  const present = new Set(boxes().map(chatOf));
  for (const chat of selection) if (!present.has(chat)) selection.delete(chat);
  for (const box of boxes()) box.checked = selection.has(chatOf(box));
  if (focused) list.querySelector(`#entry-${focused} > .choose`)?.focus();
  count();
}

function add(entry) {
  const box = document.createElement("input");
  box.type = "checkbox";
  box.className = "choose";
  box.ariaLabel = worded("choose", { title: entry.querySelector("a").textContent });
  entry.prepend(box);
}

/** Tell how many are chosen; while the list has more than it shows, none of the words may say "all". */
function count() {
  const isArchive = document.getElementById("chats-archived") !== null;
  const isCut = list.querySelector(".more-chats") !== null;
  const areAll = selection.size > 0 && selection.size === boxes().length;
  bar.querySelector("[role=status]").textContent = worded(areAll && isCut ? "chosen-shown" : "chosen", {
    count: selection.size,
  });
  boxOfAll().nextElementSibling.textContent = worded(isCut ? "choose-shown" : "choose-all");
  boxOfAll().checked = areAll; // Then a click takes the choice back, however it looks.
  boxOfAll().indeterminate = selection.size > 0 && (isCut || !areAll);
  for (const button of bar.querySelectorAll("[data-chosen]")) button.disabled = selection.size === 0;
  bar.querySelector("[data-chosen=archive]").hidden = isArchive;
  bar.querySelector("[data-chosen=unarchive]").hidden = !isArchive;
}

/** Set a box, and with Shift all between it and the one before. */
function set(box, checked, isRange) {
  const all = boxes();
  const [from, to] = [all.indexOf(last), all.indexOf(box)].sort((a, b) => a - b);
  setEach(isRange && from >= 0 ? all.slice(from, to + 1) : [box], checked);
  last = box;
}

function setEach(these, checked) {
  for (const box of these) {
    box.checked = checked;
    if (checked) selection.add(chatOf(box));
    else selection.delete(chatOf(box));
  }
  count();
}

function act({ target }) {
  if (target === boxOfAll()) setEach(boxes(), target.checked);
  const button = target.closest("[data-chosen], [data-chosen-end]");
  if (!button) return;
  const chats = [...selection];
  end();
  if (button.dataset.chosen) emit("chats:shelve", { act: button.dataset.chosen, chats });
}

/** A click on an entry chooses it, and does not open the chat. */
list.addEventListener(
  "click",
  (event) => {
    const entry = event.target.closest(".chat-entry");
    if (!bar || !entry || event.target.closest(".menu")) return;
    const box = entry.querySelector(".choose");
    const isBox = event.target === box;
    if (!isBox) event.preventDefault();
    event.stopPropagation();
    set(box, isBox ? box.checked : !box.checked, event.shiftKey);
  },
  { capture: true },
);
document.addEventListener(
  "keydown",
  (event) => {
    if (!bar || !sidebar.contains(event.target)) return;
    if (event.key === "Escape") end();
    else if (!event.target.matches(".choose")) return;
    else if (MOVES[event.key]) boxes().at((boxes().indexOf(event.target) + MOVES[event.key]) % boxes().length).focus();
    else if (event.key === "a" && (event.ctrlKey || event.metaKey)) setEach(boxes(), true);
    else return;
    event.preventDefault();
    event.stopImmediatePropagation();
  },
  { capture: true },
);
document.addEventListener("htmx:after:swap", ({ detail: { ctx } }) => {
  const isMore = ctx.target?.matches?.(".more-chats"); // The button has gone from the list.
  if (bar && (isMore || ctx.target === list || list.contains(ctx.target))) show();
});
