// The one place where text becomes elements. Only what our server rendered may come here.

import { showTimes } from "./times.js";

const policy = globalThis.trustedTypes?.createPolicy("app", { createHTML: (html) => html });

/** The elements of server-rendered HTML, not yet in the page. */
export function elementsOf(html) {
  const template = document.createElement("template");
  template.innerHTML = policy ? policy.createHTML(html) : html;
  return [...template.content.children];
}

/** Prepare new elements: htmx attributes, and times in the reader's own time zone. */
export function enliven(element) {
  htmx.process(element);
  showTimes(element);
}

/** A copy of one of the pieces in includes/pieces.html. */
export const piece = (name) =>
  document.getElementById(`piece-${name}`).content.firstElementChild.cloneNode(true);
