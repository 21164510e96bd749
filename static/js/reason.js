// The place where the inspector says why messages were left out. Every "why?" leads to it.

import { unfold } from "./folds.js";

const NOT_AS_IT_IS = /[^K+]/; // A verdict on a message that was left out or changed.

/** The row that gives the reason: the last before the window's start, or else the first there is. If
 *  every message was sent as it is, the map, which says so. */
export function reasonIn(panel) {
  const rows = [...panel.querySelectorAll(".map .row:not([hidden])")];
  const reasons = rows.filter(({ dataset }) => NOT_AS_IT_IS.test(dataset.verdicts));
  const start = panel.querySelector(".map .start:not(.cache)");
  const isBefore = (row) => start && row.compareDocumentPosition(start) & Node.DOCUMENT_POSITION_FOLLOWING;
  return reasons.findLast(isBefore) ?? reasons[0] ?? panel.querySelector(".zone:has(#zone-map)");
}

/** Unfold a place, and scroll to it below what stays in sight. */
export function leadTo(place) {
  measure(place.closest(".inspector"));
  unfold(place);
  place.tabIndex = Math.max(place.tabIndex, -1); // Only elements with a tabindex can be focused.
  place.scrollIntoView({ block: "start" });
  place.focus({ preventScroll: true });
}

/** Tell the style sheets the height of the head with its links: what is led to stays clear of it. */
export function measure(inspector) {
  const head = inspector.querySelector(".inspector-head");
  const last = head.querySelector(".zone-links") ?? head;
  const height = last.getBoundingClientRect().bottom - head.getBoundingClientRect().top;
  inspector.style.setProperty("--head", `${Math.ceil(height)}px`);
}
