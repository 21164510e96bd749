// What the page shows now. #main is swapped when one moves, so nothing is kept but the elements.

export const transcript = () => document.getElementById("transcript");
export const conversation = () => transcript()?.dataset.conversation || null;
export const generation = () => transcript()?.dataset.generation || null;
/** The generation that waits for a person's word. */
export const waiting = () => transcript()?.dataset.waiting || null;
export const isBusy = () => Boolean(generation());

/** Somebody without an account who has sent nothing yet: the server knows nothing of them. */
export const isNewVisitor = () => "newVisitor" in document.body.dataset;

const touch = matchMedia("(pointer: coarse)");

/** Where the focus goes when what had it is gone: a keyboard on a touch screen would hide the page. */
export const writing = () => document.getElementById(touch.matches ? "main" : "text");

/** The newest position shown; -1 for none. A message still on its way has none. */
export function head() {
  const shown = [...(transcript()?.querySelectorAll("[data-position]") ?? [])];
  const own = shown.filter((message) => !isEmptyAnswer(message));
  return Math.max(-1, ...own.map((message) => Number(message.dataset.last ?? message.dataset.position)));
}

/** A place was reserved for it, but nothing was stored there. */
function isEmptyAnswer(message) {
  if (!message.matches(".answer")) return false;
  return !message.querySelector(".settled > *");
}

/** Read the page again from the server, in place: the transcript there is the truth. */
export const reload = () =>
  htmx.ajax("GET", location.pathname + location.search, {
    target: "#main",
    select: "#main",
    swap: "outerHTML",
  });
