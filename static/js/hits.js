// A bar in the chat that a search led to: it leads to the next and the previous message that was found,
// in the list's order, so that nobody has to go back to the list, which a phone hides.

import { on, onClick } from "./events.js";
import { piece } from "./html.js";
import { current, TEXT } from "./results.js";
import { searchedFor } from "./searched.js";
import { worded } from "./texts.js";
import * as view from "./view.js";

let isWanted = false; // A message was opened from the list, and the bar was not closed since.
let stepping = 0; // The button that was pressed: a move to another chat takes it away.

const bar = () => document.querySelector(".hits");
const hits = () => [...document.querySelectorAll(TEXT)];
const button = (step) => bar()?.querySelector(`[data-hit="${step}"]`);

/** Say which one of how many is shown; nothing, once the chat shows something else. */
function show() {
  const all = hits();
  const place = isWanted && searchedFor() ? all.indexOf(current()) : -1;
  if (place < 0) return bar()?.remove();
  if (!bar()) document.querySelector(".composer-area > .column")?.prepend(piece("hits"));
  const more = document.querySelector("#chats :is(.found-more, .found-older)") ? "+" : "";
  bar().querySelector("output").textContent = worded("hit", { number: place + 1, count: `${all.length}${more}` });
  for (const step of [-1, 1]) button(step).ariaDisabled = all[place + step] ? null : "true";
  if (stepping && !bar().contains(document.activeElement)) button(stepping).focus();
}

/** The row stays in sight in the list, for whoever sees that too. */
function go(step) {
  const all = hits();
  const next = all[all.indexOf(current()) + step];
  if (!next) return;
  stepping = step;
  next.scrollIntoView({ block: "nearest" });
  next.click();
}

/** The focus goes back to the row in the list, if that can be seen. */
function close() {
  const row = current();
  isWanted = false;
  show();
  if (row?.checkVisibility({ visibilityProperty: true })) row.focus();
  else view.writing()?.focus();
}

document.addEventListener("click", ({ target, isTrusted }) => {
  if (target.closest?.(TEXT)) isWanted = true;
  if (isTrusted && !target.closest?.(".hits")) stepping = 0;
});
onClick("[data-hit]", ({ dataset }) => go(Number(dataset.hit)));
onClick("[data-hits-close]", close);
for (const change of ["chat:shown", "message:reached", "search:shown"]) on(change, show);
document.addEventListener("htmx:after:swap", ({ detail: { ctx } }) => ctx.target?.closest?.("#chats") && show());
