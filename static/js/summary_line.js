// A line below the messages that a new summary stands for, until a request includes the summary.

import { emit, on } from "./events.js";
import { elementsOf, enliven } from "./html.js";
import * as view from "./view.js";

const line = () => view.transcript()?.querySelector(".summary-line");

export async function fetchLine() {
  const conversation = view.conversation();
  offerNoUndo();
  try {
    const response = await fetch(`/chat/${conversation}/summaries/next`);
    const [line] = response.ok ? elementsOf(await response.text()) : [];
    if (conversation === view.conversation()) show(line);
  } catch {
    // The next news of a summary brings it.
  }
}

/** The cut line speaks of a summary that was undone, or is no longer the newest. */
function offerNoUndo() {
  const button = view.transcript()?.querySelector(".cut > p > [data-command^='/undo']");
  if (!button) return;
  const hadFocus = button === document.activeElement;
  button.previousSibling.remove(); // The dot before it.
  button.remove();
  if (hadFocus) view.writing()?.focus({ preventScroll: true });
}

function remove() {
  const hadFocus = line()?.contains(document.activeElement);
  line()?.remove();
  if (hadFocus) view.writing()?.focus({ preventScroll: true });
}

function show(line) {
  remove();
  const place = line && after(Number(line.dataset.after));
  if (!place) return;
  place.after(line);
  enliven(line);
  emit("chat:say", line.querySelector("summary > span").textContent.trim());
}

/** The last message that it stands for, if that is on the page. */
const after = (position) =>
  [...view.transcript().querySelectorAll(".message[data-position]")].find(
    ({ dataset }) => dataset.position <= position && position <= (dataset.last ?? dataset.position),
  );

on("summary:changed", fetchLine);
on("chat:plan", remove);
