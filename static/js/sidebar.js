// The list of conversations: open and closed, and which one is shown.

import { emit, on, onClick } from "./events.js";
import { needed } from "./needed.js";
import { send } from "./socket.js";
import { short, worded } from "./texts.js";
import * as view from "./view.js";

const root = document.documentElement;
const isNarrow = matchMedia("(max-width: 63.99rem)"); // The sidebar is a drawer.
const list = () => document.getElementById("chats");
let watcher = null; // Of the way back, while the drawer is open.
let left = null; // The conversation that was deleted while it was shown.
let deleting = []; // Those that are being deleted from this tab, which says so itself.

function toggle() {
  if (!isNarrow.matches) fold(root.dataset.sidebar === "open");
  else if (root.dataset.drawer === "open") closeDrawer();
  else drawer(true);
}

/** The button that was pressed is gone: the focus goes to the other one. */
function fold(closed) {
  keep(closed ? "closed" : "open");
  focusToggle(closed ? "#main" : "#sidebar");
}

const focusToggle = (within) => document.querySelector(`${within} [data-sidebar-toggle]`)?.focus();

function keep(state) {
  root.dataset.sidebar = state;
  localStorage.setItem("sidebar", state);
}

function drawer(open) {
  root.dataset.drawer = open ? "open" : "closed";
  document.getElementById("main").inert = open;
  watcher?.destroy();
  watcher = open ? watched() : null;
  if (open) focusToggle("#sidebar");
}

/** A phone's way back closes the drawer and leaves the chat where it is, if its browser can tell. */
function watched() {
  if (!window.CloseWatcher) return null;
  return Object.assign(new CloseWatcher(), { onclose: closeDrawer });
}

/** Without a move to another chat: the focus goes back to where it came from. */
function closeDrawer() {
  drawer(false);
  focusToggle("#main");
}

/** By a key: the focus stays where it is, unless that is hidden. */
export function toggleSidebar() {
  if (isNarrow.matches) return toggle();
  keep(root.dataset.sidebar === "open" ? "closed" : "open");
  const isHidden = root.dataset.sidebar === "closed" && document.activeElement.closest("#sidebar");
  if (isHidden) view.writing()?.focus();
}

/** Close what is open above the chat. */
export function closeAll() {
  for (const menu of document.querySelectorAll("details.menu[open]")) menu.open = false;
  if (root.dataset.drawer === "open") drawer(false);
}

export function showSearch() {
  if (isNarrow.matches) drawer(true);
  else keep("open");
  document.getElementById("chat-search").focus();
}

/** Mark the conversation that is shown, or one of its turns; an open panel stays open on the way to another one. */
function mark() {
  const debug = ["true", "1"].includes(new URLSearchParams(location.search).get("debug"));
  for (const link of list().querySelectorAll("a")) {
    link.search = debug ? "?debug=true" : "";
    const isShown = link.matches(".chat-entry > *") && `${location.pathname}/`.startsWith(`${link.pathname}/`);
    if (isShown) link.setAttribute("aria-current", link.pathname === location.pathname ? "page" : "true");
    else link.removeAttribute("aria-current");
  }
}

/** Whoever looks at a chat sees its newest answer. */
function see() {
  const conversation = view.conversation();
  if (!conversation || document.visibilityState !== "visible") return;
  for (const sign of news()) sign.remove();
  send({ type: "seen", conversation });
}

const news = () => list().querySelectorAll(`[id$="${view.conversation()}"] .new-answer`);

/** A new chat gets its title from the server, through the list. */
function takeTitle() {
  const title = list().querySelector("a[aria-current]")?.textContent;
  if (!title || !view.conversation()) return;
  document.getElementById("title").textContent = title;
  document.title = `${title} · Vitrine`;
}

/** It was deleted, perhaps elsewhere, which nobody in front of this tab need know: go on with a new chat. */
function leave() {
  if (left === view.conversation()) return;
  left = view.conversation();
  if (!deleting.includes(left)) tellOfDeletion(document.getElementById("title").textContent);
  htmx.ajax("GET", "/chat", { target: "#main", select: "#main", swap: "outerHTML", push: "true" });
}

const tellOfDeletion = (title) =>
  emit("chat:notice", { sentence: worded("deleted-elsewhere", { title: short(title) }) });

onClick("[data-sidebar-toggle]", toggle);
onClick("[data-import]", async (button) => {
  const menu = button.closest(".menu");
  menu.open = false;
  (await needed(() => import("./importing.js")))?.open(menu.querySelector("summary"));
});
onClick("#drawer-shade", closeDrawer);
onClick("dialog [data-close]", (button) => button.closest("dialog").close());
document.addEventListener("keydown", (event) => {
  if (event.key !== "Escape" || root.dataset.drawer !== "open") return;
  if (document.querySelector("#sidebar details.menu[open]")) return; // It is closed first.
  closeDrawer();
  event.stopImmediatePropagation();
});
on("chats:deleting", (chats) => (deleting = chats));
on("chats:deleted", (chats) => {
  if (chats.includes(view.conversation())) leave();
});
on("socket:gone", ({ conversation }) => {
  if (conversation === view.conversation()) leave();
});
document.addEventListener("htmx:after:request", (event) => {
  const dialog = event.detail.ctx.sourceElement.closest?.("dialog:not(#import-dialog)");
  if (dialog && event.detail.ctx.response.status < 400) dialog.close();
});
document.addEventListener("htmx:after:swap", (event) => {
  const { target } = event.detail.ctx;
  if (!target?.closest?.("#chats, .more-chats, li.found, .found-text")) return; // More of what was found replaces these.
  mark();
  takeTitle();
  if (news().length) see();
});
/** A new chat is with the same agent, wherever one begins it. */
function keepAgent() {
  const here = document.querySelector(".new-here");
  if (here) document.querySelector(".new-chat").search = here.search;
}

on("chat:shown", () => {
  left = null;
  drawer(false);
  keepAgent();
  mark();
  see();
});
const refresh = () => htmx.trigger(document.body, "chat:list");
on("chat:begun", () => {
  mark();
  refresh();
});
on("socket:list", refresh);
on("socket:open", () => list().querySelector(".answering, .waits, .new-answer") && refresh()); // It may have ended meanwhile.
on("socket:renewed", refresh); // The list may be another person's by now.
on("visitor:met", refresh);
on("answer:ended", refresh);
document.addEventListener("visibilitychange", () => {
  if (document.visibilityState === "visible") refresh();
});
for (const name of ["socket:open", "answer:ended", "visibilitychange"]) on(name, see);
