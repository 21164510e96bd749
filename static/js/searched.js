// Knows for which search the sidebar's list shows the results. If a search cannot be made, the list
// says so in place of results, and tries again once the server can be reached; results that are
// there stay. While a search takes long, the list is marked as busy.

import { emit, on, onClick } from "./events.js";
import { piece } from "./html.js";
import { worded } from "./texts.js";

const PATIENCE_MS = 300; // A shorter search shows no sign of work.
let query = ""; // What was searched for.
let asking = null; // The request for a list that is under way.
let late = 0; // A timer, until the list is marked as busy.

const field = () => document.getElementById("chat-search");
const list = () => document.getElementById("chats");
const notice = () => list().querySelector(".unsearched");
const typed = () => asInAddress(field().value);

/** A text as it comes back from an address. */
const asInAddress = (text) => new URLSearchParams({ q: text }).get("q").trim();

/** What the list shows the results of; nothing: all chats. */
export const searchedFor = () => query;
export const isShown = () => query === typed();

/** Search for what is typed, without a delay. */
export const search = () => htmx.trigger(field(), "search");

/** Whether a request was for what the list shows. */
const isForList = ({ sourceElement, target }) =>
  target?.id === "chats" && (sourceElement === field() || sourceElement === target);

function fail(why) {
  const was = notice()?.textContent;
  if (!notice()) list().prepend(piece("unsearched"));
  const others = query ? worded("unsearched-others", { search: query }) : "";
  notice().querySelector(".sentence").textContent = why;
  notice().querySelector(".others").textContent = others;
  notice().toggleAttribute("data-alone", !query); // All chats would look like results.
  list().scrollTop = 0;
  if (notice().textContent !== was) emit("chat:say", `${why} ${others}`.trim());
  emit("search:failed");
}

const clear = () => notice()?.remove();
const unreachable = () => worded(navigator.onLine ? "search-unreachable" : "search-offline");
const again = () => notice() && search();

/** Tell there that a request brought nothing, if it was for the list; false: it is told elsewhere.
 *  What the list shows already needs no word, and it is asked for again anyway. */
export function tellInList(ctx, refusal) {
  if (!isForList(ctx)) return false;
  if (!isShown()) fail(refusal ?? unreachable());
  else clear();
  return !isShown() || !refusal;
}

const soughtBy = ({ request }) => asInAddress(new URL(request.action, location).searchParams.get("q") ?? "");

let aside = null; // Pages of older results, while the list is refreshed, which has only the first.

function setAside() {
  const pages = [...list().querySelectorAll(":scope > [data-older]")];
  const focused = document.activeElement.closest("#chats > [data-older]") && document.activeElement;
  aside = pages.length ? { pages, focused, top: list().scrollTop } : null;
  for (const page of pages) page.remove();
}

/** In place of the button that led to them. A chat that the first page has by now is there once. */
function putBack() {
  const button = aside && list().querySelector(":scope > .found-older");
  if (!button) return;
  const { pages, focused, top } = aside;
  aside = null;
  for (const chat of pages.flatMap((page) => [...page.querySelectorAll(".found")])) {
    if (document.getElementById(chat.id)) chat.remove();
  }
  button.replaceWith(...pages);
  list().scrollTop = top;
  focused?.focus({ preventScroll: true });
}

/** A refresh of the same results keeps all of a chat's messages that somebody has had shown: see the
 *  configuration of htmx in base.html. */
document.addEventListener("htmx:before:swap", ({ detail: { ctx } }) => {
  if (!isForList(ctx)) return;
  if (soughtBy(ctx) === query) return setAside();
  aside = null;
  for (const chat of list().querySelectorAll("[data-whole]")) delete chat.dataset.whole;
});
document.addEventListener("htmx:after:swap", ({ detail: { ctx } }) => {
  if (!isForList(ctx)) return;
  putBack();
  if (ctx.response.status >= 400) return; // Of a refusal nothing is swapped.
  const before = query;
  query = soughtBy(ctx);
  clear();
  emit("search:shown", { isNew: ctx.sourceElement === field() || query !== before });
});

/** The old list must not look like the result of a new search. */
function showWork() {
  late ||= setTimeout(() => {
    if (!isShown()) list().ariaBusy = "true";
  }, PATIENCE_MS);
}

function endWork() {
  clearTimeout(late);
  asking = null;
  late = 0;
  list().ariaBusy = null;
}

document.addEventListener("htmx:before:request", ({ detail: { ctx } }) => {
  if (!isForList(ctx)) return;
  asking = ctx;
  showWork();
});
document.addEventListener("htmx:finally:request", ({ detail: { ctx } }) => {
  if (ctx === asking) endWork(); // Else a newer one has taken its place.
});
on("socket:open", again);
addEventListener("online", again);
onClick("[data-search-again]", () => {
  field().focus(); // The button goes with the notice.
  search();
});
