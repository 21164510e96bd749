// For screen readers: a status while an answer is written, then the answer itself, once.

import { on } from "./events.js";
import { worded } from "./texts.js";
import { thinkingTime } from "./thinking.js";
import * as view from "./view.js";

const EVERY_MS = 7_000;
// What it thought is not read out, nor are tools, whose state was told.
const SAID = ".settled > :not(.thought, .tool), .tail > *";
const spoken = (element) => element.querySelector(":scope > pre") ?? element; // Code without its button.
const ENDINGS = ["stopped", "passed_over", "interrupted", "failed"];
let timer = 0;
let writing = null; // The generation whose writing was told, and whose end was not.

const say = (text) => {
  document.getElementById("status").textContent = text;
};

/** What is read out. Before it has been in view it is not laid out, and would have no words. */
function textOf(answer) {
  answer.style.contentVisibility = "visible";
  const parts = [...answer.querySelectorAll(`${SAID}, .ending p`)];
  const text = parts.map((element) => spoken(element).innerText).join("\n");
  answer.removeAttribute("style");
  return text.trim();
}

/** How many words it says so far. */
const countIn = (answer) =>
  [...(answer?.querySelectorAll(SAID) ?? [])].flatMap(({ textContent }) => textContent.match(/\S+/g) ?? []).length;

function tellEnd(answer, status, count) {
  clearInterval(timer);
  writing = null;
  say(worded(`ended-${ENDINGS.includes(status) ? status : "done"}`, { count }));
  document.getElementById("final").textContent = textOf(answer);
}

/** The transcript came anew, perhaps after a crash: nobody may wait for an answer that has ended. */
function lookAgain() {
  clearInterval(timer);
  if (!writing || view.generation() === writing) return;
  const answer = view.transcript()?.querySelector(`.answer[data-generation="${CSS.escape(writing)}"]`);
  if (answer) return tellEnd(answer, answer.dataset.status, countIn(answer));
  writing = null;
  say("");
}

function stillWriting() {
  if (view.isLost()) return;
  const time = thinkingTime();
  const answer = view.transcript()?.querySelector(".answer:last-of-type .answer-body");
  say(time ? worded("thinking-for", { time }) : worded("writing", { count: countIn(answer) }));
}

on("chat:say", say);
on("tool:changed", ({ card }) => {
  const [name, state] = [".name", ".state"].map((part) => card.querySelector(part).textContent);
  say(`${name}: ${state.trim()}`);
});
on("answer:asks", ({ answer }) => {
  clearInterval(timer);
  writing = null;
  const asking = [...answer.querySelectorAll(".tool:has([data-decide]) .name")];
  say(worded("asks", { tools: asking.map(({ textContent }) => textContent).join(", ") }));
});
on("answer:started", () => {
  writing = view.generation();
  say(worded("generating"));
  clearInterval(timer);
  timer = setInterval(stillWriting, EVERY_MS);
});
on("answer:ended", ({ answer, status, words }) => tellEnd(answer, status, words));
on("socket:signed-out", () => {
  clearInterval(timer);
  writing = null;
  say("");
});
on("chat:shown", lookAgain);
