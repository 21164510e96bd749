// Commands, typed instead of a message. The page carries out some of them; the server answers all
// others, including unknown ones.

import { emit, onClick } from "./events.js";
import { post } from "./posting.js";
import * as view from "./view.js";
import { openInspector } from "./why.js";

const COMMAND = /^\/(?:(?:context|config|compact|undo|help)\s[^]+|[A-Za-z][\w-]*)$/;

const NAMED = /^(\/[A-Za-z][\w-]*)\s/;

/** Whether a text is a command: a slash with a word; the server refuses what a known one doesn't take. */
export const isCommand = (text) => COMMAND.test(text.trim());

/** The name of a command that there isn't, with which a longer text begins: perhaps a misspelt one. */
export const unknownIn = (text) => (isCommand(text) ? null : (NAMED.exec(text.trim())?.[1] ?? null));

const own = {
  "/context": () => openInspector(),
  "/config": () => emit("composer:config"),
  "/help": () => document.getElementById("help-dialog").showModal(),
};

/** `typed`: its text goes back into the field if the server refuses it. */
export function run(text, { typed = false } = {}) {
  const command = text.trim();
  if (Object.hasOwn(own, command)) own[command]();
  else post({ type: "send", text, conversation: view.conversation() }, { isCommand: true, typed });
}

onClick("[data-command]", (button) => {
  const menu = button.closest("details");
  menu?.removeAttribute("open");
  menu?.querySelector("summary").focus(); // It gets the focus back from a dialog.
  run(button.dataset.command);
});
