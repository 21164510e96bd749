// The inspector's zones: folded at first, and later as the person left them while the tab is open.
// Links lead to them below the head, which stays in sight and shows in which zone the person is.

import { emit, onClick } from "./events.js";
import { unfold } from "./folds.js";
import { leadTo, measure, reasonIn } from "./reason.js";

const KEY = "inspector-zones";
const FADED = 40; // Pixels at an edge of the links that fade if there are more.
const NEAR = 24; // Pixels below the links: what is led to lies at most so far from them.
const FOLDS = "#panel .zone > details";
const root = () => document.querySelector(".inspector");
const scroller = () => document.getElementById("panel") ?? document.querySelector(".inspector-page");

function opened() {
  try {
    return new Set(JSON.parse(sessionStorage.getItem(KEY) ?? "[]"));
  } catch {
    return new Set(); // Storage may be forbidden.
  }
}

function keep({ open, dataset }) {
  const names = opened();
  if (open) names.add(dataset.keep);
  else names.delete(dataset.keep);
  try {
    sessionStorage.setItem(KEY, JSON.stringify([...names]));
  } catch {
    // They are folded again after a reload.
  }
}

/** As much as fits of a zone that somebody unfolds. */
function showWhole(fold) {
  if (fold.open) fold.parentElement.scrollIntoView({ block: "nearest" });
  wasLed = fold.open;
  opening = null;
}

function restore() {
  const names = opened();
  for (const fold of document.querySelectorAll(FOLDS)) fold.open ||= names.has(fold.dataset.keep);
}

export function goTo(zone) {
  leadTo(zone);
  wasLed = true;
  soon();
}

onClick("[data-reason]", (link, event) => {
  if (event.ctrlKey || event.metaKey || event.shiftKey) return; // It opens in a new tab.
  event.preventDefault();
  goTo(reasonIn(root()));
});

onClick("[data-zone]", (link, event) => {
  if (event.ctrlKey || event.metaKey || event.shiftKey) return; // It opens in a new tab.
  const zone = document.querySelector(link.hash)?.closest(".zone");
  if (!zone) return;
  event.preventDefault(); // The address stays the chat's.
  goTo(zone);
});

const headingOf = ({ hash }) => document.querySelector(hash);
const boxOf = (link) => headingOf(link).closest(".zone").getBoundingClientRect();

/** The last zones are too short to reach the head: one that was gone to or unfolded is the current one. */
function isFocused(link) {
  return wasLed && document.activeElement?.closest(".zone")?.contains(headingOf(link));
}

/** The first unfolded zone from this line to the middle; if there is none, the one that has reached the line. */
function shownAt(line, links) {
  const middle = (line + innerHeight) / 2;
  const isShown = (link) => boxOf(link).bottom > line && boxOf(link).top < middle;
  const unfolded = links.filter((link) => headingOf(link).closest("details")?.open ?? true);
  return unfolded.find(isShown) ?? links.findLast((link) => boxOf(link).top < line);
}

/** Mark the zone below the head, and keep the links out of sight on the first screen: until a zone
 *  has reached the place where links lead to. */
function follow() {
  const inspector = root();
  const head = inspector?.querySelector(".inspector-head");
  if (!head) return;
  const { bottom: line } = head.getBoundingClientRect();
  const nav = inspector.querySelector(".zone-links");
  const landing = Math.max(line, nav?.getBoundingClientRect().bottom ?? 0) + NEAR;
  const first = inspector.querySelector(".first");
  inspector.toggleAttribute("data-below", !first || first.getBoundingClientRect().bottom < landing);
  const links = [...inspector.querySelectorAll(".zone-links a")];
  const current = links.find(isFocused) ?? shownAt(line + 64, links);
  for (const link of links) {
    if (link === current) link.setAttribute("aria-current", "true");
    else link.removeAttribute("aria-current");
  }
  if (!nav) return;
  if (current && current !== followed) showLink(nav.firstElementChild, current);
  followed = current;
  fade(nav.firstElementChild);
}

/** On a phone the links scroll sideways: the current one stays in sight, clear of the fading edges. */
function showLink(row, { offsetLeft, offsetWidth }) {
  const most = offsetLeft - FADED, least = offsetLeft + offsetWidth + FADED - row.clientWidth;
  row.scrollLeft = Math.min(most, Math.max(least, row.scrollLeft));
}

/** At which edges of the row the links go on. */
function fade(row) {
  const beyond = row.scrollWidth - row.clientWidth, at = Math.abs(row.scrollLeft);
  row.toggleAttribute("data-before", at > 1);
  row.toggleAttribute("data-after", at < beyond - 1);
}

let wasLed = false; // By a link or by unfolding, and nobody has scrolled since.
let opening = null; // The zone that somebody just unfolded or folded.
let followed = null; // The link that was brought into sight: from then on a finger may move the row.
let due = false;

function soon() {
  if (due) return;
  due = true;
  requestAnimationFrame(() => {
    due = false;
    follow();
  });
}

const sizes = new ResizeObserver(() => {
  if (root()) measure(root());
  soon();
});

/** After each swap there is another head. */
function watch() {
  sizes.disconnect();
  for (const part of document.querySelectorAll(".inspector-head, .zone-links")) sizes.observe(part);
}

const moves = (target) => target === scroller() || target.matches?.(".zone-links > div");
document.addEventListener("scroll", ({ target }) => moves(target) && soon(), {
  capture: true,
  passive: true,
});
onClick(`${FOLDS} > summary`, (summary) => (opening = summary.parentElement));
for (const moved of ["wheel", "touchmove", "pointerdown", "keydown"]) {
  document.addEventListener(moved, () => (wasLed = false), { capture: true, passive: true });
}
document.addEventListener(
  "toggle",
  ({ target }) => {
    if (target.matches(FOLDS)) keep(target);
    if (target === opening) showWhole(target);
    soon();
  },
  { capture: true }, // It does not bubble.
);
document.addEventListener("htmx:after:swap", ({ detail }) => {
  restore();
  watch();
  soon();
  if (detail.ctx.target?.id === "panel") emit("inspector:filled");
});
restore();
watch();
soon();
