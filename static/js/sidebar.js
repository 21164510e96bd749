// The list of conversations: open and closed, which one is shown, renaming and deleting.

import { on, onClick } from "./events.js";
import * as view from "./view.js";

const root = document.documentElement;
const isPhone = matchMedia("(max-width: 47.99rem)");
const list = () => document.getElementById("chats");
let left = null; // The conversation that was deleted while it was shown.

function toggle() {
  if (isPhone.matches) drawer(root.dataset.drawer !== "open");
  else keep(root.dataset.sidebar === "open" ? "closed" : "open");
}

function keep(state) {
  root.dataset.sidebar = state;
  localStorage.setItem("sidebar", state);
}

function drawer(open) {
  root.dataset.drawer = open ? "open" : "closed";
  document.getElementById("main").inert = open;
  if (open) document.querySelector("#sidebar [data-sidebar-toggle]").focus();
}

export function showSearch() {
  if (isPhone.matches) drawer(true);
  else keep("open");
  document.getElementById("chat-search").focus();
}

/** Mark the conversation that is shown; an open panel stays open on the way to another one. */
function mark() {
  const debug = new URLSearchParams(location.search).get("debug") === "true";
  for (const link of list().querySelectorAll("a")) {
    link.search = debug ? "?debug=true" : "";
    if (link.matches(".chat-entry > *") && link.pathname === location.pathname) link.setAttribute("aria-current", "page");
    else link.removeAttribute("aria-current");
  }
}

/** A new chat gets its title from the server, through the list. */
function takeTitle() {
  const title = list().querySelector("a[aria-current]")?.textContent;
  if (!title || !view.conversation()) return;
  document.getElementById("title").textContent = title;
  document.title = `${title} · Vitrine`;
}

function ask(kind, button) {
  const dialog = document.getElementById(`${kind}-dialog`);
  const title = button.closest(".chat-entry").querySelector("a").textContent;
  button.closest("details").open = false;
  dialog.querySelector("form").setAttribute("hx-post", button.dataset[kind]);
  const field = dialog.querySelector("input");
  if (field) field.value = title;
  else dialog.querySelector("[data-title]").textContent = title;
  dialog.showModal();
  field?.select();
}

function afterDeletion(event) {
  const path = event.target.getAttribute("hx-post") ?? "";
  if (path.startsWith(`/chat/${view.conversation()}/`)) leave();
}

/** It was deleted, perhaps in another tab: go on with a new chat. */
function leave() {
  if (left === view.conversation()) return;
  left = view.conversation();
  htmx.ajax("GET", "/chat", { target: "#main", select: "#main", swap: "outerHTML", push: "true" });
}

onClick("[data-sidebar-toggle]", toggle);
onClick("#drawer-shade", () => drawer(false));
onClick("[data-rename]", (button) => ask("rename", button));
onClick("[data-delete]", (button) => ask("delete", button));
onClick("dialog [data-close]", (button) => button.closest("dialog").close());
document.addEventListener("keydown", (event) => {
  if (event.key !== "Escape" || root.dataset.drawer !== "open") return;
  drawer(false);
  event.stopImmediatePropagation();
});
document.addEventListener("chat:deleted", afterDeletion);
on("socket:gone", ({ conversation }) => {
  if (conversation === view.conversation()) leave();
});
document.addEventListener("htmx:after:request", (event) => {
  const dialog = event.detail.ctx.sourceElement.closest?.("dialog");
  if (dialog && event.detail.ctx.response.status < 400) dialog.close();
});
document.addEventListener("htmx:after:swap", (event) => {
  const { target } = event.detail.ctx;
  if (target?.id !== "chats" && !target?.closest?.("#chats")) return;
  mark();
  takeTitle();
});
on("chat:shown", () => {
  drawer(false);
  mark();
});
const refresh = () => htmx.trigger(document.body, "chat:list");
on("chat:begun", () => {
  mark();
  refresh();
});
on("socket:list", refresh);
on("socket:renewed", refresh); // The list may be another person's by now.
on("visitor:met", refresh);
on("answer:ended", refresh);
document.addEventListener("visibilitychange", () => {
  if (document.visibilityState === "visible") refresh();
});
