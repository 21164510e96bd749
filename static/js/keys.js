// The sheet of shortcuts. It comes from the server when it is first wanted, and shows the keys of what
// is on the page then.

import { emit } from "./events.js";
import { elementsOf } from "./html.js";
import { nameKeys } from "./platform.js";
import { added } from "./sheets.js";
import { worded } from "./texts.js";

export async function showShortcuts() {
  const dialog = document.getElementById("shortcuts-dialog") ?? (await loaded());
  if (!dialog || dialog.open) return;
  for (const place of dialog.querySelectorAll("[data-needs]")) {
    place.hidden = !document.querySelector(place.dataset.needs);
  }
  dialog.showModal();
}

async function loaded() {
  try {
    const response = await fetch("/shortcuts");
    if (!response.ok) throw new Error(`${response.status}`);
    const [sheet, dialog] = elementsOf(await response.text());
    await added(sheet);
    nameKeys(dialog);
    document.body.append(dialog);
    return dialog;
  } catch {
    emit("chat:unreachable", worded("unreachable"));
    return null;
  }
}
