// What keys are called, and which key is pressed together with a letter: Command on a Mac, Ctrl
// elsewhere.

const NAMES = { Ctrl: "⌘", Alt: "⌥", Shift: "⇧" };
const NAMED = /\b(Ctrl|Alt|Shift)\+/g;

export const isMac = /^(Mac|iP)/.test(navigator.platform);

/** Whether the key that makes a letter a command is held, and not a third one, as for a sign. */
export const isCommand = (event) => (isMac ? event.metaKey : event.ctrlKey) && !event.altKey;

/** Call the keys there what this machine calls them. */
export function nameKeys(root) {
  for (const note of root.querySelectorAll("[data-key-note]")) note.remove();
  if (!isMac) return;
  for (const key of root.querySelectorAll("kbd")) key.textContent = NAMES[key.textContent] ?? key.textContent;
  for (const element of root.querySelectorAll("[title*='+']")) {
    element.title = element.title.replace(NAMED, (_, name) => NAMES[name]);
  }
}
