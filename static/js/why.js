// From a "why?" in the chat to the place in the inspector that answers it.

import { emit, on, onClick } from "./events.js";
import { leadTo, reasonIn } from "./reason.js";
import { worded } from "./texts.js";

let placeToShow = null; // The place to show once the panel is there, with the zones unfolded that one left so.

const panel = () => document.getElementById("panel");

/** Open the panel if it is closed. Draft and stream go on: it is the same page, fetched again. */
export function openInspector(place = "") {
  if (!panel()) {
    placeToShow = place;
    document.querySelector(".panel-toggle").click();
  } else if (place) {
    show(place);
  } else {
    emit("chat:notice", { sentence: worded("inspector-open") });
  }
}

function show(place) {
  const target = place === "reason" ? reasonIn(panel()) : rowAt(Number(place));
  if (target) leadTo(target);
}

/** The row of a message, or of the folded run that contains it. */
function rowAt(position) {
  const rows = [...panel().querySelectorAll(".map .row[data-position]")];
  return rows.findLast(({ dataset }) => Number(dataset.position) <= position);
}

onClick("[data-why]", (link, event) => {
  if (event.ctrlKey || event.metaKey || event.shiftKey) return; // It opens in a new tab.
  event.preventDefault();
  openInspector(link.dataset.why);
});
on("inspector:filled", () => {
  if (placeToShow) show(placeToShow);
  placeToShow = null;
});
