// What people do with chats of the list, or with the open one: rename, pin, archive and delete
// them. Deleting and archiving can be undone.

import { emit, on, onClick } from "./events.js";
import { piece } from "./html.js";
import { complain, tell } from "./server.js";
import { short, worded } from "./texts.js";
import { offerUndo } from "./undoable.js";
import * as view from "./view.js";

const UNDONE_BY = { archive: "unarchive", unarchive: "archive", delete: "restore" };
const OFFERED_MS = 20_000; // The server restores a deleted chat for a little longer.
const list = () => document.getElementById("chats");
const header = () => document.querySelector(".chat-menu");
const entryOf = (chat) => document.getElementById(`entry-${chat}`);
const linkOf = (chat) => entryOf(chat)?.querySelector("a");
/** The chat that a menu is about: its entry's, or in the header the open one. */
const chatOf = (element) => element.closest(".chat-entry")?.dataset.chat ?? view.conversation();
const titleOf = (chat) => (linkOf(chat) ?? document.getElementById("title")).textContent;
/** What gets the focus back when the list is replaced. */
let focusBack = () => null;

/** Do it to these chats, all or none; the page follows. */
async function shelve(act, chats) {
  const title = titleOf(chats[0]);
  const openChat = view.conversation();
  if (act === "delete") emit("chats:deleting", chats);
  const problem = await change(act, chats);
  if (problem) return complain(problem);
  if (act === "delete") emit("chats:deleted", chats);
  const sentence = said(act, chats.length, title);
  if (sentence) offer({ sentence, act, chats, openChat, until: Date.now() + OFFERED_MS });
  else if (act === "unpin") emit("chat:say", worded("unpinned", { title: short(title) }));
}

/** Offer to undo it, also after a reload. */
function offer(done) {
  sessionStorage.undo = JSON.stringify(done);
  emit("chat:notice", { sentence: done.sentence, undo: () => undo(done) });
}

async function undo({ act, chats, openChat }) {
  delete sessionStorage.undo;
  const problem = await change(UNDONE_BY[act], chats);
  if (problem) return complain(act === "delete" ? { sentence: worded("too-late") } : problem);
  emit("chat:say", worded("undone"));
  if (act === "delete" && chats.includes(openChat)) {
    htmx.ajax("GET", `/chat/${openChat}`, { target: "#main", select: "#main", swap: "outerHTML", push: "true" });
  }
}

async function change(act, chats) {
  const body = new URLSearchParams({ act });
  for (const chat of chats) body.append("chat", chat);
  const problem = await tell("/chats/change", body);
  if (!problem && chats.includes(view.conversation())) note(act);
  htmx.trigger(document.body, "chat:list");
  return problem;
}

/** What the open chat is from now on: a chat is pinned or archived, or neither. */
function note(act) {
  const menu = header();
  menu?.toggleAttribute("data-pinned", act === "pin");
  menu?.toggleAttribute("data-archived", act === "archive");
  showArchived(act === "archive");
}

function showArchived(isArchived) {
  const mark = document.querySelector(".archived-mark");
  if (mark) mark.hidden = !isArchived;
}

/** A new message brings an archived chat back. */
on("post:done", ({ frame }) => {
  const isOpen = frame.conversation && frame.conversation === view.conversation();
  if (!isOpen || !["send", "edit"].includes(frame.type)) return;
  if (!header()?.hasAttribute("data-archived")) return;
  note("unarchive");
  htmx.trigger(document.body, "chat:list");
});

function said(act, count, title) {
  const name = { delete: "deleted", archive: "archived" }[act];
  if (!name) return "";
  return count === 1 ? worded(`${name}-one`, { title: short(title) }) : worded(name, { count });
}

/** What can be done with a chat that is pinned or archived, or neither. */
function entriesFor({ pinned, archived }) {
  const sheet = piece("chat-entries");
  const useless = [pinned === undefined ? "unpin" : "pin"];
  if (archived === undefined) useless.push("unarchive");
  else useless.push("archive", "pin");
  for (const act of useless) sheet.querySelector(`[data-shelve="${act}"]`)?.remove();
  return sheet;
}

/** A list has many of these menus, and few are ever opened: a click adds the entries. */
function fill(entry) {
  const menu = entry.querySelector(".menu");
  menu.querySelector(".sheet")?.remove();
  menu.append(entriesFor(entry.dataset));
}

/** The open chat's menu has more than those of the list; none of it concerns other chats. */
function fillHeader(menu) {
  offerUndo(menu);
  const sheet = menu.querySelector(".sheet");
  for (const old of sheet.querySelectorAll(":scope > :is([data-rename], [data-shelve])")) old.remove();
  const chat = view.conversation();
  if (!chat) return;
  const entries = entriesFor((entryOf(chat) ?? menu).dataset);
  entries.querySelector("[data-choose-chats]").remove();
  const last = entries.querySelector("[data-shelve=delete]");
  sheet.append(last);
  sheet.prepend(...entries.children);
}

function rename(button) {
  const dialog = document.getElementById("rename-dialog");
  const chat = chatOf(button);
  const menu = button.closest("details");
  menu.open = false;
  menu.querySelector("summary").focus(); // It gets the focus back.
  if (button.closest(".chat-entry")) {
    const back = () => (focusBack = () => entryOf(chat)?.querySelector(".menu > summary"));
    dialog.addEventListener("close", back, { once: true });
  }
  dialog.querySelector("form").setAttribute("hx-post", `/chat/${chat}/rename`);
  dialog.querySelector("input").value = titleOf(chat);
  dialog.showModal();
  dialog.querySelector("input").select();
}

/** An archived chat, or an old one, isn't in the list, which tells a new title otherwise. */
document.addEventListener("htmx:after:request", ({ detail: { ctx } }) => {
  const form = ctx.sourceElement.closest?.("#rename-dialog form");
  if (!form || ctx.response.status >= 400) return;
  if (form.getAttribute("hx-post") !== `/chat/${view.conversation()}/rename`) return;
  document.getElementById("title").textContent = form.elements.title.value;
});

/** Where the focus goes when this entry leaves the list: to the next one. */
function beside(entry) {
  const entries = [...list().querySelectorAll(".chat-entry")];
  const at = entries.indexOf(entry);
  return entries[at + 1] ?? entries[at - 1];
}

/** The focus stays in the list, at the chat or at its neighbour. */
function keepFocus(entry, act) {
  const stays = act.endsWith("pin");
  const chat = (stays ? entry : beside(entry))?.dataset.chat;
  focusBack = () => linkOf(chat);
  (linkOf(chat) ?? document.getElementById("chat-search")).focus();
}

onClick(".chat-entry > .menu > summary", (summary) => fill(summary.closest(".chat-entry")));
onClick(".chat-menu > summary", (summary) => fillHeader(summary.parentElement));
onClick("[data-rename]", rename);
onClick("[data-shelve]", (button) => {
  const menu = button.closest(".menu");
  const entry = button.closest(".chat-entry");
  menu.open = false;
  if (entry) keepFocus(entry, button.dataset.shelve);
  else menu.querySelector("summary").focus();
  shelve(button.dataset.shelve, [chatOf(button)]);
});
on("chats:shelve", ({ act, chats }) => shelve(act, chats));
onClick("[data-choose-chats]", async (button) => {
  const chat = button.closest(".chat-entry")?.dataset.chat;
  button.closest(".menu").open = false;
  const { choose } = await import("./choosing.js");
  choose(chat);
});
onClick("[data-archive-open], [data-archive-close]", () => {
  const summary = document.querySelector(".chats-top summary");
  summary.parentElement.open = false;
  summary.focus();
});
document.addEventListener("htmx:after:swap", ({ detail: { ctx } }) => {
  if (ctx.target?.id !== "chats") return;
  if (document.activeElement === document.body) focusBack()?.focus();
  focusBack = () => null;
  const entry = entryOf(view.conversation()); // Another tab may have changed it.
  if (!entry) return;
  header()?.toggleAttribute("data-archived", entry.hasAttribute("data-archived"));
  showArchived(entry.hasAttribute("data-archived"));
});

const left = sessionStorage.undo && JSON.parse(sessionStorage.undo);
if (left?.until > Date.now()) offer(left);
else delete sessionStorage.undo;
