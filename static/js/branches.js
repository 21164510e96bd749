// Shows that an experiment has made a branch beside the open one: the message where the two part
// gets a switcher, or its switcher is replaced.

import { on } from "./events.js";
import { elementsOf, enliven } from "./html.js";
import * as view from "./view.js";

function show({ conversation, html }) {
  const [switcher] = elementsOf(html);
  if (!switcher || conversation !== view.conversation()) return;
  const message = messageAt(Number(switcher.dataset.at));
  const old = message?.querySelector("[data-switcher]");
  const focused = old?.contains(document.activeElement) && document.activeElement.ariaLabel;
  if (old) old.replaceWith(switcher);
  else message?.querySelector(".message-actions")?.prepend(switcher);
  enliven(switcher);
  if (focused) switcher.querySelector(`[aria-label="${CSS.escape(focused)}"]:enabled`)?.focus();
}

/** An answer takes the places of all its messages. */
const messageAt = (place) =>
  [...view.transcript().querySelectorAll(".message[data-position]")].find(
    ({ dataset: { position, last = position } }) => position <= place && place <= last,
  );

on("socket:switcher", show);
