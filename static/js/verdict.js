// "Seen by the model?": what became of a message in the newest request, below the message.

import { on, onClick } from "./events.js";
import { piece } from "./html.js";
import { buttonBeside, closeMore } from "./more.js";
import * as view from "./view.js";

let count = 0; // For ids: a card is named by the row of the button that opened it.

const cardOf = (row) => row && document.getElementById(row.dataset.card);
const rowOf = (card) => document.querySelector(`[data-card="${card.id}"]`);
const addressOf = ({ dataset }) => `/chat/${view.conversation()}/messages/${dataset.places}/verdict`;

async function open(row) {
  const card = piece("verdict");
  card.id = `verdict-${++count}`;
  row.dataset.card = card.id;
  row.after(card);
  await fill(card, row);
  if (!card.childElementCount) return close(card);
  card.querySelector("h3").focus({ preventScroll: true });
  card.scrollIntoView({ block: "nearest" });
}

const fill = (card, row) =>
  htmx.ajax("GET", addressOf(row), { source: card, target: card, swap: "innerHTML" });

function close(card) {
  const row = rowOf(card);
  card.remove();
  delete row.dataset.card;
  buttonBeside(row).focus({ preventScroll: true });
}

function refresh() {
  for (const card of document.querySelectorAll(".verdict-slot")) fill(card, rowOf(card));
}

onClick("[data-asks-verdict]", (entry) => {
  const row = entry.closest("[data-places]");
  closeMore();
  if (cardOf(row)) close(cardOf(row));
  else open(row);
});
onClick("[data-verdict-close]", (button) => close(button.closest(".verdict-slot")));

// This comes before anything else that Escape does.
document.addEventListener(
  "keydown",
  (event) => {
    if (event.key !== "Escape" || document.querySelector("[data-more-menu]")) return;
    const card = event.target.closest?.(".verdict-slot") ?? cardOf(event.target.closest?.("[data-card]"));
    if (!card) return;
    event.stopPropagation();
    close(card);
  },
  { capture: true },
);
on("chat:plan", refresh);
on("marks:changed", refresh);
