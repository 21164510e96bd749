// A document's page: the lists beside its text are unfolded where there is room, and its code can be copied.

import { on } from "./events.js";
import "./clipboard.js";
import { nameKeys } from "./platform.js";

const WIDE = "(width >= 60rem)";
for (const list of matchMedia(WIDE).matches ? document.querySelectorAll(".contents") : []) list.open = true;

function say(sentence, isProblem) {
  const status = document.getElementById("status");
  status.textContent = sentence;
  status.classList.toggle("unseen", !isProblem);
}

on("chat:say", (sentence) => say(sentence, false));
on("chat:problem", (sentence) => say(sentence, true));
nameKeys(document);
