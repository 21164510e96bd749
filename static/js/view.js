// What the page shows now. A move to another chat swaps #main, so all of it is read from elements.

export const transcript = () => document.getElementById("transcript");
export const conversation = () => transcript()?.dataset.conversation || null;
export const generation = () => transcript()?.dataset.generation || null;
/** The generation that waits for a person's decision. */
export const waiting = () => transcript()?.dataset.waiting || null;
export const isBusy = () => Boolean(generation());

/** Whether the connection has been away for a moment: nobody knows whether an answer goes on. */
export const isLost = () => "lost" in document.body.dataset;

/** Whether this is somebody without an account who has sent nothing: the server doesn't know them. */
export const isNewVisitor = () => "newVisitor" in document.body.dataset;

const touch = matchMedia("(pointer: coarse)");

/** Where the focus goes when its element is gone. On a touch screen it is not the field: a keyboard
 *  would hide the page. */
export const writing = () => document.getElementById(touch.matches ? "main" : "text");

/** The newest position shown; -1 for none. A message still on its way has none. */
export function head() {
  const messages = [...(transcript()?.querySelectorAll("[data-position]") ?? [])];
  const own = messages.filter((message) => !isEmptyAnswer(message));
  return Math.max(-1, ...own.map((message) => Number(message.dataset.last ?? message.dataset.position)));
}

/** A place was reserved for it, but nothing was stored there. */
function isEmptyAnswer(message) {
  if (!message.matches(".answer")) return false;
  return !message.querySelector(".settled > :not([data-live])");
}

/** The messages beyond that place, without answers of turns before the new one's that failed with
 *  no message: they have no place of their own. */
export function beyond(base, { dataset: { turn } }) {
  const messages = [...transcript().querySelectorAll(".message[data-position]")];
  const isFailed = (message) =>
    isEmptyAnswer(message) && Number(message.dataset.turn) < Number(turn);
  return messages.filter((message) => Number(message.dataset.position) > base && !isFailed(message));
}

/** Read the page again from the server, in place: the transcript there is the truth. Nobody has moved. */
export async function reload() {
  await import("./staying.js").catch(() => {});
  return htmx.ajax("GET", location.pathname + location.search, {
    target: "#main",
    select: "#main",
    swap: "outerHTML",
    isSamePlace: true,
  });
}
