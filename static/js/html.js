// The one place where text becomes elements. Only what our server rendered may come here.

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

export function showTimes(root) {
  for (const time of root.querySelectorAll("time:not([title])")) {
    const moment = new Date(time.dateTime);
    time.textContent = moment.toLocaleTimeString([], { timeStyle: "short" });
    time.title = moment.toLocaleString([], { dateStyle: "full", timeStyle: "short" });
  }
}

/** A copy of one of the pieces in includes/pieces.html. */
export const piece = (name) =>
  document.getElementById(`piece-${name}`).content.firstElementChild.cloneNode(true);
