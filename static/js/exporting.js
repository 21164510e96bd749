// Lets people export a chat that has just begun, although the page was loaded before it began.

import { on } from "./events.js";
import * as view from "./view.js";

on("chat:begun", () => {
  for (const link of document.querySelectorAll("[data-export]")) {
    link.href = `/chat/${view.conversation()}/export?${link.dataset.export}`;
    link.parentElement.hidden = false;
  }
});
