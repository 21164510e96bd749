// Actions on a message: copy, edit, answer again, continue.

import { emit, onClick } from "./events.js";
import { copyText } from "./clipboard.js";
import { edit } from "./editing.js";
import { send } from "./socket.js";
import { worded } from "./texts.js";
import * as view from "./view.js";

const messageOf = (element) => element.closest(".message");
const sourceOf = (message) => message.querySelector("template.source").content.textContent;

async function copy(button, text) {
  try {
    await copyText(text);
  } catch {
    emit("chat:problem", worded("copy-refused"));
    return;
  }
  emit("chat:say", worded("copied"));
  showDone(button);
}

function showDone(button) {
  const use = button.querySelector("use");
  const before = use ? use.getAttribute("href") : button.textContent;
  const show = (icon, text) => (use ? use.setAttribute("href", icon) : (button.textContent = text));
  show("#icon-check", worded("copied"));
  setTimeout(() => show(before, before), 1_500);
}

function again(type, message) {
  const frame = { type, conversation: view.conversation(), query: location.search };
  if (!send({ ...frame, generation: message.dataset.generation })) {
    emit("chat:problem", worded("no-connection"));
  }
}

const actions = {
  copy: (button, message) => copy(button, sourceOf(message)),
  edit: (_, message) => edit(message, sourceOf(message)),
  retry: (_, message) => again("retry", message),
  continue: (_, message) => again("continue", message),
};

onClick("[data-action]", (button) => actions[button.dataset.action](button, messageOf(button)));
onClick("[data-copy-result]", (button) => {
  copy(button, button.closest("dl").querySelector("[data-result]").textContent);
});
onClick("figure.code [data-copy]", (button) => {
  copy(button, button.closest("figure").querySelector("pre").textContent);
});
