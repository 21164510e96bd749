// Who opens the inspector, by key or click, comes into it. Who closes it from within is back where they
// came from.

import { on, onClick } from "./events.js";
import * as view from "./view.js";

const BUTTON = ".panel-toggle";
const WITHIN = `#panel, #panel *, .panel-edge, ${BUTTON}`;
const panel = () => document.getElementById("panel");

let isToggled = false; // What the next swap of the page shows.
let isLeft = false; // The focus is within the inspector, or at its button.
let fromButton = null; // With a key: else people come from the message's field. Nobody knows at first.
let waiting = null; // What has the focus while the inspector that somebody opened is still empty.

/** Whoever uses a key at a button goes on there; a click is no reason to leave the field. */
const isAtButton = () => document.activeElement.matches(":focus-visible:not(#text)");

onClick(BUTTON, () => {
  isToggled = true;
  isLeft = document.activeElement.matches(WITHIN);
  if (!panel() || fromButton === null) fromButton = isAtButton();
});

/** After a swap of the page. */
export function comeOrGoBack() {
  if (!isToggled) return;
  isToggled = false;
  if (panel()) come();
  else if (isLeft && !document.querySelector("#main :focus")) goBack();
}

function come() {
  panel().tabIndex = -1;
  panel().focus({ preventScroll: true }); // In vain until its style sheets are there: the field gets it.
  queueMicrotask(() => (waiting = document.activeElement));
}

/** To the heading, unless a "why?" has led to another place, or people have gone on meanwhile. */
on("inspector:filled", () => {
  const heading = document.querySelector("#panel h2");
  if (heading && waiting === document.activeElement) {
    heading.tabIndex = -1;
    heading.focus({ preventScroll: true });
  }
  waiting = null;
});

function goBack() {
  const place = fromButton ? document.querySelector(BUTTON) : view.writing();
  fromButton = null;
  place?.focus({ preventScroll: true });
}
