// Opens the chat above or below the open one in the list, or in what a search found.

import { on } from "./events.js";

const LINKS = "#chats :is(.chat-entry > a, .found-chat)";
let aimed = null; // The address of the chat that the keys lead to, while one is on its way.

/** By address: a search may list a chat by its title, and again by its messages. */
function linksByChat() {
  const links = new Map();
  for (const link of document.querySelectorAll(LINKS)) {
    if (link.checkVisibility() && !links.has(link.pathname)) links.set(link.pathname, link);
  }
  return links;
}

/** `step`: 1 leads down, to the first one if none of them is open; -1 up. */
export function goBeside(step) {
  const links = linksByChat();
  const chats = [...links.keys()];
  const at = chats.indexOf(aimed ?? location.pathname);
  const next = links.get(chats[at + step]);
  if (!next) return;
  const isUnderWay = aimed !== null;
  aimed = next.pathname;
  next.scrollIntoView({ block: "nearest" });
  if (!isUnderWay) next.click(); // Or two answers might cross.
}

const end = () => (aimed = null);

on("chat:shown", () => {
  const next = aimed !== location.pathname && linksByChat().get(aimed);
  if (next) next.click();
  else end();
});
for (const failure of ["htmx:error", "htmx:response:error"]) document.addEventListener(failure, end);
