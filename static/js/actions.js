// Actions on a message: copy, edit, answer again, continue.

import { emit, onClick } from "./events.js";
import { copyText } from "./clipboard.js";
import { sends } from "./composer.js";
import { piece } from "./html.js";
import { post } from "./posting.js";
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

function edit(message) {
  if (view.isBusy()) return emit("chat:problem", worded("answer-first"));
  const form = piece("edit");
  const text = form.querySelector("textarea");
  text.value = sourceOf(message);
  hide(message, true);
  message.append(form);
  text.focus();
  form.querySelector("[data-cancel]").addEventListener("click", () => leave(message, form));
  form.addEventListener("keydown", (event) => {
    if (event.key === "Escape") leave(message, form);
    if (event.target === text && sends(event)) {
      event.preventDefault();
      form.requestSubmit();
    }
    event.stopPropagation();
  });
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    if (text.value.trim()) resend(message, text.value);
    leave(message, form);
  });
}

function resend(message, text) {
  const id = Number(message.dataset.message);
  const conversation = view.conversation();
  post({ type: "edit", conversation, message: id, text, query: location.search }, {});
}

function leave(message, form) {
  form.remove();
  hide(message, false);
  message.querySelector("[data-action=edit]")?.focus();
}

function hide(message, hidden) {
  for (const part of message.querySelectorAll(".bubble, .message-actions")) part.hidden = hidden;
}

function again(type, message) {
  const frame = { type, conversation: view.conversation(), query: location.search };
  if (!send({ ...frame, generation: message.dataset.generation })) {
    emit("chat:problem", worded("no-connection"));
  }
}

const actions = {
  copy: (button, message) => copy(button, sourceOf(message)),
  edit: (_, message) => edit(message),
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
