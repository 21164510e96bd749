// `/config`: the settings of this chat in a dialog. None of it is sent to a model.

import { emit, on } from "./events.js";
import { elementsOf, piece } from "./html.js";
import { worded } from "./texts.js";
import * as view from "./view.js";

const dialog = () => document.getElementById("config-dialog");
const body = () => dialog().querySelector("[role=tabpanel]");

async function open() {
  const conversation = view.conversation();
  const shown = conversation
    ? await ask(`/chat/${conversation}/memory${location.search}`)
    : [piece("memory-new")];
  if (!shown) return;
  body().replaceChildren(...shown);
  dialog().showModal();
}

async function save(form) {
  const shown = await ask(form.action, { method: "POST", body: new FormData(form) });
  if (!shown) return;
  body().replaceChildren(...shown);
  body().querySelector("[aria-invalid=true], [data-focus]")?.focus();
  emit("memory:saved");
}

/** The server's elements; nothing, with a message, if it did not answer with any. */
async function ask(url, options) {
  try {
    const response = await fetch(url, options);
    if (response.ok && !response.redirected) return elementsOf(await response.text());
    emit("chat:problem", worded("no-settings"));
  } catch {
    emit("chat:problem", worded("unreachable"));
  }
}

on("composer:config", open);
document.addEventListener("submit", (event) => {
  if (!event.target.matches("[data-memory]")) return;
  event.preventDefault();
  save(event.target);
});

/** A closed dialog gives the focus back, but in Chromium not the caret: typing would do nothing. */
document.addEventListener(
  "close",
  ({ target }) => {
    const { activeElement: field } = document;
    if (target === dialog()) field.setSelectionRange?.(field.value.length, field.value.length);
  },
  { capture: true },
);
