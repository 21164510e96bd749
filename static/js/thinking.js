// What a model thinks, shown while it thinks: folded above its answer, with the time it has taken
// so far. If the model shows nothing of it, there is only the line, which says that it is at work.

import { on } from "./events.js";
import { piece } from "./html.js";
import { worded } from "./texts.js";
import * as view from "./view.js";

const SILENT_SECONDS = 3; // So long an answer may take to begin without a word about it.
const LIVE = ".thought[data-live]";
let skew = 0; // How far this clock is ahead of the server's, in milliseconds.
let timer = 0;

const textOf = (thought) => thought.querySelector("pre");
const liveIn = (answer) => answer.querySelector(`.settled > ${LIVE}`);
const secondsOf = (answer) =>
  Math.max(0, Math.round((Date.now() - skew - Number(answer.dataset.asked)) / 1000));

function lasted(seconds) {
  const time = { minutes: Math.floor(seconds / 60), seconds: seconds % 60 };
  return worded(time.minutes ? "minutes" : "seconds", time);
}

const label = (thought, name, seconds) => {
  thought.querySelector(".label").textContent = worded(name, { time: lasted(seconds) });
};

/** A request was sent at this moment of the server's clock. */
export function ask(answer, moment) {
  if (!answer) return;
  answer.dataset.asked = moment;
  clearInterval(timer);
  timer = setInterval(tick, 1000);
}

/** The model thinks on. */
export function think(answer, text) {
  if (answer) textOf(liveIn(answer) ?? shown(answer)).append(text);
}

/** It is done with that, after so many milliseconds. */
export function thought(answer, ms) {
  const live = answer && liveIn(answer);
  if (!live) return;
  label(live, "thought-for", Math.round(ms / 1000));
  delete live.dataset.live;
}

/** It says something: where it showed nothing of its thinking, nothing is left of it. */
export function speak(answer) {
  if (!answer) return;
  delete answer.dataset.asked;
  const live = liveIn(answer);
  if (live && !textOf(live).textContent) live.remove();
}

/** Keep open what somebody opened, and the focus on it. Return whether it had the focus. */
export function keepThoughts(old, answer) {
  const before = [...(old?.querySelectorAll(".settled > .thought") ?? [])];
  const after = [...answer.querySelectorAll(".settled > .thought")];
  before.forEach(({ open }, place) => after[place] && (after[place].open = open));
  return after[before.findIndex((each) => each.contains(document.activeElement))];
}

/** How long the newest answer has been thought about; null if it is not. */
export function thinkingTime() {
  const live = view.transcript()?.querySelector(LIVE);
  return live && lasted(secondsOf(live.closest(".answer")));
}

function shown(answer) {
  const thought = piece("thought");
  answer.querySelector(".settled").append(thought);
  label(thought, "thinking-for", secondsOf(answer));
  return thought;
}

function tick() {
  if (view.isLost()) return;
  const answers = [...document.querySelectorAll(".answer[data-asked]")];
  if (!answers.length) clearInterval(timer);
  for (const answer of answers) {
    const seconds = secondsOf(answer);
    const live = liveIn(answer) ?? (seconds >= SILENT_SECONDS ? shown(answer) : null);
    if (live) label(live, "thinking-for", seconds);
  }
}

on("connection:lost", () => {
  for (const live of document.querySelectorAll(LIVE)) {
    label(live, "thinking-lost", secondsOf(live.closest(".answer")));
  }
});
on("socket:signed-out", () => {
  for (const answer of document.querySelectorAll(".answer[data-asked]")) delete answer.dataset.asked;
});
on("chat:shown", () => {
  const now = Number(view.transcript()?.dataset.now);
  if (now) skew = Date.now() - now;
});
