// Shows advice for administrators to staff who may see the providers, and leads to them where an
// answer says that its model lacks a key. An answer is rendered once for all who watch, so neither
// is in it.

import { on } from "./events.js";
import { piece } from "./html.js";

function lead(root) {
  for (const sentence of root.querySelectorAll("[data-lacks-key]:not(:has(.providers))")) {
    sentence.append(" ", piece("providers"));
  }
  for (const advice of root.querySelectorAll("[data-advice]")) {
    Object.assign(advice.closest("details"), { hidden: false, open: true });
  }
}

on("chat:shown", () => lead(document));
on("answer:ended", ({ answer }) => lead(answer));
lead(document);
