// Ways to load a module when it is first needed.

import { emit } from "./events.js";
import { worded } from "./texts.js";

/** The module, or nothing, with a message, if the server cannot be reached. */
export async function needed(load) {
  try {
    return await load();
  } catch {
    emit("chat:unreachable", worded("unreachable"));
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

/** The module's function gets what the event tells, or `failed` does, if the module cannot come; from then
 *  on it listens for itself. */
export function loadAtEvent(name, load, handler, failed = () => {}) {
  const first = async ({ detail }) => {
    const module = await needed(load);
    if (!module) return failed(detail);
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

/** Keys that are pressed in the element before the module is there wait for it. If it cannot come, the
 *  next key or the next look asks again: what is typed goes to the server, and fails there in sight. */
export function loadForKeys(selector, load, handler) {
  const begins = ["pointerover", "focusin", "keydown"];
  let pressed = [];
  const first = async (event) => {
    if (!event.target.closest?.(selector)) return;
    if (event.type === "keydown") pressed.push(event);
    const module = await load().catch(() => {});
    const waiting = pressed;
    pressed = [];
    if (!module) return;
    for (const name of begins) document.removeEventListener(name, first);
    for (const key of waiting) module[handler](key);
  };
  for (const name of begins) document.addEventListener(name, first);
}
