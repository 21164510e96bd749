// "Seen by the model?": what became of a message in the newest request, below the message.

import { on, onClick } from "./events.js";
import { piece } from "./html.js";
import * as view from "./view.js";

let count = 0; // For ids: a card is labelled by the button that opened it.

const cardOf = (button) => document.getElementById(button.getAttribute("aria-controls"));
const buttonOf = (card) => document.querySelector(`[aria-controls="${card.id}"]`);
const addressOf = ({ dataset }) =>
  `/chat/${view.conversation()}/messages/${dataset.asksVerdict}/verdict`;

async function open(button) {
  const card = piece("verdict");
  card.id = `verdict-${++count}`;
  button.setAttribute("aria-controls", card.id);
  button.setAttribute("aria-expanded", "true");
  button.parentElement.after(card);
  await fill(card, button);
  if (!card.childElementCount) return close(card);
  card.querySelector("h3").focus({ preventScroll: true });
  card.scrollIntoView({ block: "nearest" });
}

const fill = (card, button) =>
  htmx.ajax("GET", addressOf(button), { source: card, target: card, swap: "innerHTML" });

function close(card) {
  const button = buttonOf(card);
  card.remove();
  button.setAttribute("aria-expanded", "false");
  button.removeAttribute("aria-controls");
  button.focus({ preventScroll: true });
}

function refresh() {
  for (const card of document.querySelectorAll(".verdict-slot")) fill(card, buttonOf(card));
}

onClick("[data-asks-verdict]", (button) => {
  const card = cardOf(button);
  if (card) close(card);
  else open(button);
});
onClick("[data-verdict-close]", (button) => close(button.closest(".verdict-slot")));

// This comes before anything else that Escape does.
document.addEventListener(
  "keydown",
  (event) => {
    const button = event.target.closest?.("[data-asks-verdict][aria-controls]");
    const card = event.target.closest?.(".verdict-slot") ?? (button && cardOf(button));
    if (event.key !== "Escape" || !card) return;
    event.stopPropagation();
    close(card);
  },
  { capture: true },
);
on("chat:plan", refresh);
on("marks:changed", refresh);
