// Says how many answers are ahead of one that waits for a free place on the server.

import { emit, on } from "./events.js";
import { piece } from "./html.js";
import * as view from "./view.js";

on("socket:place", ({ conversation, generation, text }) => {
  if (conversation !== view.conversation()) return;
  const answer = answerOf(generation) ?? added(generation);
  lineIn(answer).textContent = text;
  if (view.generation() === generation) return;
  Object.assign(view.transcript().dataset, { generation, waiting: "" });
  emit("chat:busy", { busy: true });
});

const answerOf = (generation) =>
  view.transcript().querySelector(`.answer[data-generation="${CSS.escape(generation)}"]`);

/** The server's own element replaces it when the answer begins. */
function added(generation) {
  const answer = piece("queued");
  answer.dataset.generation = generation;
  view.transcript().append(answer);
  emit("answer:grew");
  return answer;
}

function lineIn(answer) {
  const own = answer.querySelector(".place");
  if (own) return own;
  const line = Object.assign(document.createElement("p"), { className: "place" });
  line.setAttribute("role", "status");
  answer.querySelector(".answer-body").prepend(line);
  return line;
}
