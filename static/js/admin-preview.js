// Shows what the typed values would result in: an agent's effective settings, and the newest turn
// of a chat under them. The server plans both from the form as it is; nothing is stored.

import { elementsOf } from "./html.js";
import { shownTime } from "./times.js";

const WAIT_MS = 350;
const SLOW_MS = 400; // What comes sooner needs no word that it is on its way.
const SIGNED_OUT = "signed out";
let slow = 0;

export function beginPreview(place) {
  const form = place.closest("form");
  let timer = 0;
  let running = null;

  async function refresh() {
    running?.abort();
    const mine = (running = new AbortController());
    showBusy(form, place, true);
    try {
      const html = await planned(place.dataset.preview, form, mine.signal);
      fill(form, html);
      mark(form, [...place.querySelectorAll(".preview-faults a")]);
    } catch (error) {
      if (error.name === "AbortError") return;
      form.querySelector('[data-part="model"]')?.replaceChildren(); // It was about another one.
      fail(place, error);
    } finally {
      if (running === mine) showBusy(form, place, false);
    }
  }

  const soon = () => {
    clearTimeout(timer);
    timer = setTimeout(refresh, WAIT_MS);
  };
  form.addEventListener("input", ({ target }) => !target.matches("[data-find-chat]") && soon());
  form.addEventListener("change", ({ target }) => !target.matches("[data-find-chat]") && soon());
  const find = place.querySelector("[data-find-chat]");
  if (find) {
    tellApart(place.querySelector("[data-chats]"));
    beginFinding(place, find, soon);
  }
  refresh();
}

/** Dim the old figures at once; say that new ones are calculated if that takes long. */
function showBusy(form, place, isBusy) {
  const words = place.querySelector("[data-preview-calculating]");
  for (const part of form.querySelectorAll("[data-part]")) part.ariaBusy = isBusy || null;
  if (!isBusy) words.textContent = "";
  clearTimeout(slow);
  if (isBusy) slow = setTimeout(() => (words.textContent = words.dataset.previewCalculating), SLOW_MS);
}

async function planned(address, form, signal) {
  return told(await fetch(address, { method: "POST", body: new FormData(form), signal }));
}

/** What the server answered, unless it is the page for signing in: the session has ended. */
function told(answer) {
  if (answer.redirected) throw new Error(SIGNED_OUT);
  if (!answer.ok) throw new Error(String(answer.status));
  return answer.text();
}

/** Put each part of the answer in its place: the sentence is announced, the rest is not. */
function fill(form, html) {
  const parts = elementsOf(html);
  for (const part of parts.filter(({ dataset }) => dataset.part)) {
    const into = form.querySelector(`[data-part="${part.dataset.part}"]`);
    const open = [...into.querySelectorAll("details")].map((fold) => fold.open);
    into.replaceChildren(...part.childNodes);
    for (const [at, fold] of into.querySelectorAll("details").entries()) fold.open = open[at] ?? fold.open;
  }
  for (const summary of parts.flatMap((part) => [...part.querySelectorAll("[data-summary]")])) {
    form.querySelector(`[data-set-here="${summary.dataset.summary}"]`)?.replaceChildren(...summary.childNodes);
  }
}

/** Mark the fields that links of faults lead to, and no others. */
function mark(form, links) {
  const wrong = links.map(({ hash }) => document.getElementById(hash.slice(1))).filter(Boolean);
  for (const field of form.querySelectorAll(".one-field")) {
    field.classList.toggle("errors", wrong.some((element) => field.contains(element)));
  }
  for (const field of form.querySelectorAll("[aria-invalid]")) field.removeAttribute("aria-invalid");
  for (const field of wrong) {
    if (field.matches("input, select, textarea")) field.setAttribute("aria-invalid", "true");
  }
}

/** Chats of one title differ by the time of their last message. */
function tellApart(list) {
  for (const option of list.querySelectorAll("[data-active]")) {
    option.append(` · ${shownTime(new Date(option.dataset.active))}`);
  }
}

function fail(place, { message }) {
  const kind = message === SIGNED_OUT ? "[data-preview-signed-out]" : "[data-preview-failed]";
  const words = place.querySelector(kind).textContent;
  place.querySelector('[data-part="said"]').textContent = words;
}

/** The search of a chat: Enter does not save the form, and the list follows what is typed. */
function beginFinding(place, field, changed) {
  const list = place.querySelector("[data-chats]");
  let timer = 0;
  let running = null;
  field.addEventListener("keydown", (event) => {
    if (event.key === "Enter") event.preventDefault();
  });
  field.addEventListener("input", () => {
    clearTimeout(timer);
    timer = setTimeout(find, WAIT_MS);
  });

  async function find() {
    running?.abort();
    running = new AbortController();
    const query = new URLSearchParams({ q: field.value, chosen: list.value });
    try {
      const html = await told(await fetch(`${place.dataset.chats}?${query}`, { signal: running.signal }));
      const before = list.value;
      list.replaceChildren(...elementsOf(html));
      tellApart(list);
      if (list.value !== before) changed();
    } catch (error) {
      if (error.name !== "AbortError") fail(place, error);
    }
  }
}
