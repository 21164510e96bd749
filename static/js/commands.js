// Commands, typed instead of a message, in upper or lower case. The page carries out some of them,
// and the server the others.

import { emit, onClick } from "./events.js";
import { post } from "./posting.js";
import * as view from "./view.js";
import { openInspector } from "./why.js";

const KNOWN = ["/context", "/config", "/compact", "/undo", "/help"];
const COMMAND = /^\/(?:(?:context|config|compact|undo|help)\s[^]+|\s+(?:context|config|compact|undo|help)|[a-z][\w-]*)$/i;
const NAMED = /^(\/[a-z][\w-]*)(?:\s|$)|^\/\s/i;
const LONGEST = 40; // Characters of a name.
const NEAR = 0.7; // How much of a name must be right to be taken for another's misspelling.

/** Whether a text is a command: a slash with a word; the server refuses what a known one doesn't take. */
export const isCommand = (text) => COMMAND.test(text.trim());

/** The command that there isn't, with which a text begins, and the one that may be meant:
 *  {command, near}. */
export function unknownIn(text) {
  const typed = text.trim();
  const match = NAMED.exec(typed);
  if (!match || !(match[1] || isCommand(typed))) return null;
  const command = (match[1] ?? typed).slice(0, LONGEST);
  if (KNOWN.includes(command.toLowerCase())) return null;
  const [likeness, near] = KNOWN.map((name) => [alike(command.toLowerCase(), name), name]).sort().at(-1);
  return { command, near: likeness < NEAR ? "" : near };
}

/** From 0 to 1, as the server compares names. */
const alike = (a, b) => (2 * common(a, b)) / (a.length + b.length);

/** The letters of the longest piece that both have, and of those before it and after it. */
function common(a, b) {
  let [size, from, to] = [0, 0, 0];
  for (let i = 0; i < a.length; i++) {
    for (let j = 0; j < b.length; j++) {
      let length = 0;
      while (i + length < a.length && a[i + length] === b[j + length]) length++;
      if (length > size) [size, from, to] = [length, i, j];
    }
  }
  if (!size) return 0;
  return size + common(a.slice(0, from), b.slice(0, to)) + common(a.slice(from + size), b.slice(to + size));
}

const own = {
  "/context": () => openInspector(),
  "/config": (typed) => emit("composer:config", { typed }),
  "/help": () => document.getElementById("help-dialog").showModal(),
};

/** Put a command that could not be carried out where it was typed. */
export const giveBack = (typed) => typed && emit("composer:give", { text: typed });

/** `typed`: its text goes back into the field if the server refuses it. */
export function run(text, { typed = false } = {}) {
  const command = text.trim().toLowerCase();
  if (Object.hasOwn(own, command)) own[command](typed ? text : "");
  else post({ type: "send", text, conversation: view.conversation() }, { isCommand: true, typed });
}

onClick("[data-command]", (button) => {
  const fold = button.closest("details"); // A menu closes, a zone of the inspector doesn't.
  if (fold?.matches(".menu")) fold.open = false;
  fold?.querySelector("summary").focus(); // It gets the focus back from a dialog.
  run(button.dataset.command);
});
