// Ways to load a module when it is first needed.

import { emit } from "./events.js";
import { worded } from "./texts.js";

/** The module, or nothing, with a message, if the server cannot be reached. */
export async function needed(load) {
  try {
    return await load();
  } catch {
    emit("chat:problem", worded("unreachable"));
  }
}

/** The click waits for the module that listens for it. */
export function loadAtClick(selector, load) {
  const first = async (event) => {
    const element = event.target.closest?.(selector);
    if (!element) return;
    event.preventDefault();
    event.stopImmediatePropagation();
    if (!(await needed(load))) return;
    document.removeEventListener("click", first, { capture: true });
    element.click();
  };
  document.addEventListener("click", first, { capture: true });
}

/** The module's function gets what the event tells; from then on it listens for itself. */
export function loadAtEvent(name, load, handler) {
  const first = async ({ detail }) => {
    const module = await needed(load);
    if (!module) return;
    document.removeEventListener(name, first);
    module[handler](detail);
  };
  document.addEventListener(name, first);
}

/** Writing goes on meanwhile: the module's function reads what has been written when it comes. */
export function loadAtInput(isWanted, load, handler) {
  const first = async ({ target }) => {
    if (!isWanted(target)) return;
    const module = await needed(load);
    if (!module) return;
    document.removeEventListener("input", first);
    module[handler](target);
  };
  document.addEventListener("input", first);
}

/** What is about to be pressed: then the module is there when somebody types at once. */
export function loadBefore(selector, load) {
  for (const name of ["pointerover", "focusin"]) {
    const first = ({ target }) => {
      if (!target.closest?.(selector)) return;
      document.removeEventListener(name, first);
      load().catch(() => {}); // The click tries again, and says so.
    };
    document.addEventListener(name, first);
  }
}

/** Keys that are pressed in the element before the module is there wait for it. */
export function loadForKeys(selector, load, handler) {
  let pressed = [];
  const keep = (event) => event.target.matches?.(selector) && pressed.push(event);
  const first = async ({ type, target }) => {
    if (!target.closest?.(selector)) return;
    const module = await (type === "focusin" ? needed(load) : load().catch(() => {}));
    const waiting = pressed;
    pressed = [];
    if (!module) return;
    document.removeEventListener("keydown", keep);
    for (const name of ["pointerover", "focusin"]) document.removeEventListener(name, first);
    for (const event of waiting) module[handler](event);
  };
  document.addEventListener("keydown", keep);
  for (const name of ["pointerover", "focusin"]) document.addEventListener(name, first);
}
