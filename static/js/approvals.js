// A person's decision on a call that needs approval. The server shows the outcome in every tab.

import { onClick } from "./events.js";
import { ask, complain } from "./server.js";
import * as view from "./view.js";

async function decide(button) {
  const box = button.closest(".approval");
  const { call } = box.closest(".tool").dataset;
  const { generation } = box.closest(".answer").dataset;
  const words = box.querySelector("[data-words]").value;
  const approved = button.dataset.decide === "approve";
  enable(box, false);
  const address = `/api/conversations/${view.conversation()}/generations/${generation}/decisions`;
  const { done, answer, problem } = await ask(address, { call, approved, words: approved ? "" : words });
  if (done) return;
  enable(box, true);
  complain(problem);
  if (answer.code) view.reload(); // Somebody else decided first, or it no longer waits.
}

/** Keep the focus where it is, so that the next card can take it over. */
function enable(box, enabled) {
  for (const control of box.querySelectorAll("button")) control.ariaDisabled = !enabled;
  box.toggleAttribute("data-sent", !enabled);
}

onClick(".approval:not([data-sent]) [data-decide]", decide);
