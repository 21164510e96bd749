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
    time.textContent = shownTime(moment);
    time.title = written(moment, "full");
  }
}

/** As the reader's browser writes it; of today the time alone. */
export function shownTime(moment) {
  const isToday = moment.toDateString() === new Date().toDateString();
  return written(moment, isToday ? undefined : "medium");
}

const written = (moment, dateStyle) => moment.toLocaleString([], { dateStyle, timeStyle: "short" });

/** A copy of one of the pieces in includes/pieces.html. */
export const piece = (name) =>
  document.getElementById(`piece-${name}`).content.firstElementChild.cloneNode(true);
