// For screen readers: a status while an answer is written, then the answer itself, once.

import { on } from "./events.js";
import { worded } from "./texts.js";
import { thinkingTime } from "./thinking.js";
import * as view from "./view.js";

const EVERY_MS = 7_000;
const SAID = ".settled > :not(.thought), .tail > *"; // What it thought is not read out.
const ENDINGS = ["stopped", "interrupted", "failed"];
let timer = 0;

const say = (text) => {
  document.getElementById("status").textContent = text;
};

const words = (text) => text.split(/\s+/).filter(Boolean).length;

function stillWriting() {
  const time = thinkingTime();
  const answer = view.transcript()?.querySelector(".answer:last-of-type .answer-body");
  const said = [...(answer?.querySelectorAll(SAID) ?? [])];
  const count = words(said.map(({ textContent }) => textContent).join(" "));
  say(time ? worded("thinking-for", { time }) : worded("writing", { count }));
}

on("chat:say", say);
on("tool:changed", ({ card }) => {
  const [name, state] = [".name", ".state"].map((part) => card.querySelector(part).textContent);
  say(`${name}: ${state.trim()}`);
});
on("answer:asks", ({ answer }) => {
  clearInterval(timer);
  const asking = [...answer.querySelectorAll(".tool:has([data-decide]) .name")];
  say(worded("asks", { tools: asking.map(({ textContent }) => textContent).join(", ") }));
});
on("answer:started", () => {
  say(worded("generating"));
  clearInterval(timer);
  timer = setInterval(stillWriting, EVERY_MS);
});
on("answer:ended", ({ answer, status, words: count }) => {
  clearInterval(timer);
  say(worded(`ended-${ENDINGS.includes(status) ? status : "done"}`, { count }));
  const text = [...answer.querySelectorAll(SAID)].map(({ innerText }) => innerText).join("\n");
  const problem = answer.querySelector(".ending p")?.innerText ?? "";
  document.getElementById("final").textContent = `${text} ${problem}`.trim();
});
on("socket:signed-out", () => {
  clearInterval(timer);
  say("");
});
on("chat:shown", () => clearInterval(timer));
