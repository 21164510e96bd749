// Lets people export a chat that has just begun, although the page was loaded before it began.

import { on } from "./events.js";
import * as view from "./view.js";

export function offerExports() {
  for (const link of document.querySelectorAll("[data-export]")) {
    link.href = `/chat/${view.conversation()}/export?${link.dataset.export}`;
    link.parentElement.hidden = false;
  }
}

on("chat:begun", offerExports);
