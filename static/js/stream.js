// A generation's numbered events become elements of the transcript. Everything settled is rendered
// by the server; only the open end of a running answer is made here.

import { codeFocusIn } from "./code_focus.js";
import { emit, on } from "./events.js";
import { elementsOf, enliven } from "./html.js";
import { send } from "./socket.js";
import { growTail, showTail } from "./tail.js";
import * as thinking from "./thinking.js";
import * as view from "./view.js";

const seen = new WeakMap(); // transcript -> Map(generation -> newest event's number)

/** A page that came with an answer that waits has seen all of it. */
function numbers() {
  const transcript = view.transcript();
  const { waiting, seq } = transcript.dataset;
  if (!seen.has(transcript)) seen.set(transcript, new Map(waiting ? [[waiting, Number(seq)]] : []));
  return seen.get(transcript);
}

/** Ask for what this page has not seen, and for all that follows. */
function subscribe() {
  const conversation = view.conversation();
  if (!conversation) return;
  const generation = view.generation() ?? view.waiting();
  send({ type: "subscribe", conversation, generation, after_seq: numbers().get(generation) ?? 0, follow_up: true });
}

function receive(frame) {
  if (frame.conversation !== view.conversation()) return;
  if (frame.seq <= (numbers().get(frame.generation) ?? 0)) return;
  numbers().set(frame.generation, frame.seq);
  if (moving && frame.kind === "end") missed = frame;
  apply[frame.kind]?.(frame.data, frame.generation);
}

const answerOf = (generation) =>
  view.transcript().querySelector(`.answer[data-generation="${CSS.escape(generation)}"]`);

const apply = {
  started({ html, client_msg_id, base, before }, generation) {
    const transcript = view.transcript();
    for (const message of view.beyond(base, elementsOf(html).at(-1))) message.remove();
    answerOf(generation)?.remove();
    transcript.querySelector(`[data-client="${CSS.escape(client_msg_id ?? "none")}"]`)?.remove();
    transcript.querySelector(".welcome")?.remove();
    append(transcript, html);
    if (before) showTail(answerOf(generation).querySelector(".tail"), before);
    setGeneration(generation);
    emit("answer:started");
  },

  plan({ html, url, step, asked }, generation) {
    thinking.ask(answerOf(generation), asked);
    showPlan(html);
    emit("chat:plan", { url, step, generation });
  },

  thinking({ text }, generation) {
    thinking.think(answerOf(generation), text);
    emit("answer:grew");
  },

  thought: ({ ms }, generation) => thinking.thought(answerOf(generation), ms),

  delta({ text }, generation) {
    const answer = answerOf(generation);
    thinking.speak(answer);
    const tail = answer?.querySelector(".tail");
    if (tail) growTail(tail, text);
    emit("answer:grew");
  },

  block({ html, tail, is_plain }, generation) {
    const answer = answerOf(generation);
    if (!answer) return;
    const refocus = codeFocusIn(answer);
    append(answer.querySelector(".settled"), html);
    showTail(answer.querySelector(".tail"), tail, is_plain);
    refocus(answer);
  },

  calls({ html }, generation) {
    const answer = answerOf(generation);
    if (!answer) return;
    thinking.speak(answer);
    settleTail(answer);
    append(answer.querySelector(".settled"), html);
  },

  result: replaceCard,
  call: replaceCard,

  waiting({ html }, generation) {
    const [answer] = elementsOf(html);
    replaceAnswer(answerOf(generation), answer);
    setGeneration("", generation);
    emit("answer:asks", { answer });
  },

  resumed(_, generation) {
    const answer = answerOf(generation);
    if (answer) answer.dataset.status = "running";
    setGeneration(generation);
    emit("answer:started");
  },

  end({ html, status, words, plan, url }, generation) {
    const [answer] = elementsOf(html);
    const others = view.generation() === generation ? "" : (view.generation() ?? "");
    const shell = answerOf(generation);
    if (!answer || !shell) {
      setGeneration(others);
      return view.reload();
    }
    replaceAnswer(shell, answer);
    if (plan) showPlan(plan);
    if (url) emit("chat:plan", { url, generation });
    setGeneration(others);
    emit("answer:ended", { answer, status, words });
  },
};

function append(parent, html) {
  for (const element of elementsOf(html)) {
    parent.append(element);
    enliven(element);
  }
}

/** Focus that was in it stays in its code, or moves to a call that needs approval, or to the composer. */
function replaceAnswer(old, answer) {
  const hadFocus = old?.contains(document.activeElement);
  const refocus = codeFocusIn(old);
  const thought = thinking.keepThoughts(old, answer);
  cardsStayOpen(old, answer);
  old?.replaceWith(answer);
  enliven(answer);
  if (thought) thought.querySelector("summary").focus({ preventScroll: true });
  else if (hadFocus && !refocus(answer)) goOn(answer);
}

/** Show a call as it is now. After a decision by keyboard the focus moves to the next one. */
function replaceCard({ call, html }, generation) {
  const card = answerOf(generation)?.querySelector(`[data-call="${CSS.escape(call)}"]`);
  if (!card) return;
  const [changed] = elementsOf(html);
  const hadFocus = card.contains(document.activeElement);
  if (changed.matches(".hand-over")) return replaceByHandOver(card, changed);
  const approval = card.querySelector(".approval");
  stayOpen(card, changed);
  card.replaceWith(changed);
  enliven(changed);
  if (hadFocus && approval) goOn(changed.closest(".answer"));
  else if (hadFocus) changed.querySelector("summary").focus();
  emit("tool:changed", { card: changed });
}

/** Keep open what somebody opened, but fold a call that was decided. */
function stayOpen(card, changed) {
  changed.open ||= card.open && !card.querySelector(".approval");
  const details = changed.querySelector(":scope > .asked");
  if (details) details.open = Boolean(card.querySelector(":scope > .asked")?.open);
}

function cardsStayOpen(before, answer) {
  for (const card of before?.querySelectorAll(".settled > .tool") ?? []) {
    const call = CSS.escape(card.dataset.call);
    const same = answer.querySelector(`.settled > .tool[data-call="${call}"]`);
    if (same) stayOpen(card, same);
  }
}

/** Put it after the round's last call: what follows is written by the agent that takes over. */
function replaceByHandOver(card, line) {
  const answer = card.closest(".answer");
  const hadFocus = card.contains(document.activeElement);
  answer.querySelector(".settled").append(line);
  card.remove();
  if (hadFocus) goOn(answer);
}

const goOn = (answer) =>
  (answer.querySelector("[data-decide]") ?? view.writing())?.focus({ preventScroll: true });

/** A tool is called: the text before it is over. The answer's end brings it rendered. */
function settleTail(answer) {
  const tail = answer.querySelector(".tail");
  const refocus = codeFocusIn(answer);
  answer.querySelector(".settled").append(...tail.childNodes);
  showTail(tail, "");
  refocus(answer);
}

function showPlan(html) {
  view.transcript().querySelector(".cut")?.remove();
  for (const element of elementsOf(html)) {
    if (element.id === "gauge") document.getElementById("gauge").replaceWith(element);
    else placeCut(element);
    enliven(element);
  }
}

/** Before the message in which the window starts, if that is in sight. */
function placeCut(line) {
  const messages = [...view.transcript().querySelectorAll(".message[data-position]")];
  const before = Number(line.dataset.cutBefore);
  const first = messages.find(({ dataset }) => Number(dataset.last ?? dataset.position) >= before);
  if (first && Number(messages[0].dataset.position) <= before) first.before(line);
}

function setGeneration(generation, waiting = "") {
  Object.assign(view.transcript().dataset, { generation, waiting });
  emit("chat:busy", { busy: Boolean(generation) });
}

// A swap of #main that is under way already brings what a reload would.
let moving = 0;
let missed = null; // An answer's end meanwhile: the page that comes may be from before it.
const movesMain = (event) => (event.detail.ctx.target?.id === "main" ? 1 : 0);
document.addEventListener("htmx:before:request", (event) => (moving += movesMain(event)));
document.addEventListener("htmx:finally:request", (event) => {
  moving = Math.max(0, moving - movesMain(event));
});

function catchUp() {
  const frame = missed;
  missed = null;
  if (frame?.conversation === view.conversation() && !answerOf(frame.generation)) view.reload();
}

/** No more events come; the page gets the rest when the same person is back. */
function giveUp() {
  for (const tail of document.querySelectorAll(".answer .tail")) {
    tail.previousElementSibling?.append(...tail.childNodes);
    tail.remove(); // With the caret.
  }
  if (view.transcript()) setGeneration("");
}

on("socket:signed-out", giveUp);
on("socket:renewed", ({ wasSignedOut }) => wasSignedOut && view.reload());
on("socket:event", receive);
on("socket:open", subscribe);
on("chat:shown", subscribe);
on("chat:shown", catchUp);
on("socket:reload", (frame) => {
  if (frame.conversation === view.conversation() && !moving) view.reload();
});
