// A slash opens the list of commands. Arrow keys choose one, Tab completes it, Enter or a touch
// runs it, and Escape closes the list. It offers only what is possible at the moment.

import { emit, on, onClick } from "./events.js";
import { worded } from "./texts.js";
import { hasSummary } from "./undoable.js";
import * as view from "./view.js";

const field = () => document.getElementById("text");
const list = () => document.getElementById("commands");
const options = () => [...list().querySelectorAll("[role=option]")];
const visible = () => options().filter((option) => !option.hidden);
const active = () => list().querySelector("[aria-selected=true]");
const typed = () => field().value;
let canUndo = null; // Asked each time a command is begun: summaries come and go.
const CAN = { "/compact": () => view.head() > 1, "/undo": () => canUndo }; // All others always.
const canDo = (command) => CAN[command]?.() ?? true;
const isOpen = () => Boolean(list() && !list().hidden);

/** The commands that a text may become; none unless it is a slash with the start of a word. */
export const matching = (text, commands) =>
  /^\/[a-z]*$/i.test(text) ? commands.filter((command) => command.startsWith(text.toLowerCase())) : [];

/** What a screen reader says about the open list. */
const countInWords = (count) => worded(count === 1 ? "one-command" : "commands", { count });

function complete() {
  const commands = options().map(({ dataset }) => dataset.complete);
  const matches = matching(typed(), commands.filter(canDo));
  for (const option of options()) option.hidden = !matches.includes(option.dataset.complete);
  expand(matches.length > 0);
  choose(visible()[0]);
}

function expand(open) {
  const before = isOpen();
  list().hidden = !open;
  document.getElementById("combobox").setAttribute("aria-expanded", open);
  if (open && !before) emit("chat:say", countInWords(visible().length));
  if (!open) choose(null);
}

function close() {
  canUndo = null;
  if (isOpen()) expand(false);
}

function choose(option) {
  for (const other of options()) other.setAttribute("aria-selected", other === option);
  if (option) field().setAttribute("aria-activedescendant", option.id);
  else field().removeAttribute("aria-activedescendant");
  option?.scrollIntoView({ block: "nearest" });
}

function move(steps) {
  const all = visible();
  choose(all[(all.indexOf(active()) + steps + all.length) % all.length]);
}

const take = (option) => emit("composer:set", option.dataset.complete);

function enter(option) {
  take(option);
  document.getElementById("composer").requestSubmit();
}

const KEYS = {
  ArrowDown: () => move(1),
  ArrowUp: () => move(-1),
  Tab: () => take(active()),
  Enter: () => enter(active()),
  Escape: () => close(),
};

// This comes before anything else that these keys do.
document.addEventListener(
  "keydown",
  (event) => {
    if (event.target !== field() || !isOpen() || event.isComposing) return;
    if (!(event.key in KEYS) || event.shiftKey || event.altKey) return;
    event.preventDefault();
    event.stopPropagation();
    KEYS[event.key]();
  },
  { capture: true },
);
document.addEventListener("focusout", (event) => {
  if (event.target === field()) close();
});
document.addEventListener("pointerdown", (event) => {
  if (event.target.closest?.("#commands")) event.preventDefault(); // The field keeps the focus.
});
onClick("#commands [role=option]", enter);
on("composer:written", close); // It was not typed.
document.addEventListener("input", ({ target }) => offer(target));

/** Offer the commands that the field's text may become. */
export function offer(target) {
  if (target !== field()) return;
  if (!typed().startsWith("/")) canUndo = null;
  else if (canUndo === null) lookForSummary();
  complete();
}

async function lookForSummary() {
  canUndo = false;
  const hasOne = await hasSummary(view.conversation());
  if (canUndo === null) return; // The list was closed meanwhile.
  canUndo = hasOne;
  complete();
}
