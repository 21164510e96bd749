// Events on the document, by which modules tell each other what has happened, and clicks.

export const emit = (name, detail) => document.dispatchEvent(new CustomEvent(name, { detail }));

export const on = (name, handler) =>
  document.addEventListener(name, (event) => handler(event.detail, event));

/** Call `handler(element, event)` for clicks on, or within, elements that match. */
export function onClick(selector, handler) {
  document.addEventListener("click", (event) => {
    const element = event.target.closest?.(selector);
    if (element) handler(element, event);
  });
}
