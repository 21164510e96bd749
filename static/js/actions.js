// Actions on a message: copy, edit, answer again, continue.

import { emit, onClick } from "./events.js";
import { copy } from "./clipboard.js";
import { needed } from "./needed.js";
import { send } from "./socket.js";
import { worded } from "./texts.js";
import * as view from "./view.js";

const messageOf = (element) => element.closest(".message");
export const sourceOf = (message) => message.querySelector("template.source").content.textContent;

function again(type, message) {
  const { generation, turn } = message.dataset;
  const which = generation ? { type, generation } : { type: "answer_again", turn };
  if (!send({ ...which, conversation: view.conversation(), query: location.search })) {
    emit("chat:unreachable", worded("not-asked-again"));
    return;
  }
  view.writing()?.focus({ preventScroll: true }); // The button goes.
}

const actions = {
  copy: (button, message) => copy(button, sourceOf(message)),
  edit: async (_, message) => {
    const editing = await needed(() => import("./editing.js"));
    editing?.edit(message, sourceOf(message));
  },
  retry: (_, message) => again("retry", message),
  continue: (_, message) => again("continue", message),
};

onClick("[data-action]", (button) => actions[button.dataset.action](button, messageOf(button)));
onClick("[data-copy-result]", (button) => {
  copy(button, button.closest("dl").querySelector("[data-result]").textContent);
});
