// What a page loads when it first shows an element that needs it: a module, and the stylesheets in the
// template that `sheets` names. If the module has a `begin`, it is called then, and after each later move.

import { on } from "./events.js";
import { looks } from "./sheets.js";

const FEATURES = [
  { shown: "#panel, .inspector-page", sheets: "inspector-styles", load: () => import("./inspector.js") },
  { shown: ".address-notices", load: () => import("./address_notices.js") },
  { shown: ".connect", load: () => import("./dismissing.js") },
  { shown: ".bubble[data-long]", load: () => import("./folding.js") },
  { shown: ".summary-line", load: () => import("./summary_line.js") },
  { shown: ".message[data-position]", load: () => import("./rail.js") },
];

const loading = new Map(); // The module of each feature, once both it and its looks are there.

function showWanted() {
  for (const feature of FEATURES) {
    const element = document.querySelector(feature.shown);
    if (element) begin(feature, element);
  }
}

async function begin(feature, element) {
  if (!loading.has(feature)) loading.set(feature, loaded(feature, element));
  try {
    (await loading.get(feature)).begin?.();
  } catch (error) {
    loading.delete(feature); // The next move tries again.
    element.ariaBusy = null;
    throw error;
  }
}

/** Nothing of the element is seen before it looks as it should. */
async function loaded({ sheets, load }, element) {
  if (!sheets) return load();
  element.style.visibility = "hidden";
  try {
    const [module] = await Promise.all([load(), looks(sheets)]);
    return module;
  } finally {
    element.style.visibility = "";
  }
}

on("chat:shown", showWanted);
