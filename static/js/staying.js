// Whoever reads or writes while their chat is read again from the server stays where they are: with the
// same message in sight, and with the focus and the caret in the same place.

import * as view from "./view.js";

let place = null; // The first message in sight, and how far below the upper edge it begins.
let focused = null; // What has the focus within the part of the page that is replaced.

const scroller = () => document.getElementById("scroller");
const messages = () => [...(view.transcript()?.querySelectorAll(".message[data-position]") ?? [])];
/** How far below the upper edge of what is in sight. */
const depthOf = (message) => message.getBoundingClientRect().top - scroller().getBoundingClientRect().top;
const lengthOf = (message) => message.getBoundingClientRect().height;

/** Just before the page is replaced. */
function remember() {
  place = placeNow();
  focused = focusNow();
}

/** The end is no place to remember: the page opens there. */
function placeNow() {
  if (!scroller() || scroller().scrollTop > -1) return null;
  const message = messages().find((each) => depthOf(each) + lengthOf(each) > 0);
  return message && { at: Number(message.dataset.position), depth: depthOf(message) };
}

function focusNow() {
  const element = document.querySelector("#main :focus");
  if (!element) return null;
  const { id, localName, ariaLabel, selectionStart: start, selectionEnd: end } = element;
  return { element, id, localName, ariaLabel, start, end, at: positionOf(element), panel: element.closest("#panel") };
}

const positionOf = (element) => element.closest("[data-position]")?.dataset.position;

/** Once the new page is whole. */
function stay() {
  if (focused) focusAgain();
  if (place) scrollAgain();
}

/** An element that has no equal on the new page leaves the focus to what was around it, never to a
 *  field: what is typed on is meant for no other. */
function focusAgain() {
  const { element, start, end, panel } = focused;
  const same = element.isConnected ? element : equal(focused);
  const around = document.getElementById(panel ? "panel" : "main");
  if (!same && around) around.tabIndex = -1;
  (same ?? around)?.focus({ preventScroll: true });
  if (same && Number.isInteger(start)) same.setSelectionRange(start, end);
}

function equal({ id, localName, ariaLabel, at }) {
  if (id) return document.getElementById(id);
  const isEqual = (element) => element.ariaLabel === ariaLabel && positionOf(element) === at;
  return ariaLabel ? [...document.querySelectorAll(`#main ${localName}:enabled`)].find(isEqual) : null;
}

/** Messages out of sight have only estimated heights: all are laid out until the place is found. */
function scrollAgain() {
  const message = messages().findLast(({ dataset }) => dataset.position <= place.at);
  if (!message) return reachAgain(place.at);
  view.transcript().dataset.whole = "";
  scroller().scrollTop += depthOf(message) - place.depth;
  requestAnimationFrame(() => setTimeout(() => delete view.transcript()?.dataset.whole));
}

/** It is far above what the new page has. */
async function reachAgain(position) {
  (await import("./reaching.js")).reach(position);
}

document.addEventListener("htmx:before:swap", ({ detail: { ctx } }) => ctx.isSamePlace && remember());
document.addEventListener("htmx:after:swap", ({ detail: { ctx } }) => ctx.isSamePlace && stay());
