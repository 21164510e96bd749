// Leads to the chat above or below the open one in the list, or in what a search found.

import { on } from "./events.js";

const LINKS = "#chats :is(.chat-entry > a, .found-chat)";
let aimed = null; // The address of the chat that is on its way.

/** `step`: 1 leads down, to the first one if none of them is open; -1 up. */
export function goBeside(step) {
  const links = [...document.querySelectorAll(LINKS)].filter((link) => link.checkVisibility());
  const at = links.findIndex(({ pathname }) => pathname === (aimed ?? location.pathname));
  const next = links[Math.max(at, -1) + step];
  if (!next || (at < 0 && step < 0)) return;
  aimed = next.pathname;
  next.scrollIntoView({ block: "nearest" });
  next.click();
}

on("chat:shown", () => (aimed = null));
document.addEventListener("htmx:error", () => (aimed = null));
