// Starts everything. A chat is "shown" after each load of the page and each swap of #main.

import { emit } from "./events.js";
import { showTimes } from "./html.js";
import { start } from "./socket.js";
import * as view from "./view.js";
import "./posting.js";
import "./visitor.js";
import "./stream.js";
import "./place.js";
import "./omitted.js";
import "./attachments.js";
import "./supplying.js";
import "./composer.js";
import "./actions.js";
import "./approvals.js";
import "./transcript.js";
import "./reaching.js";
import "./announce.js";
import "./sidebar.js";
import "./menus.js";
import "./toasts.js";
import "./panel.js";
import "./turns.js";
import "./copying.js";
import "./whatif.js";
import "./everybody.js";
import "./memory.js";
import "./model.js";
import "./completion.js";
import "./marks.js";
import "./verdict.js";
import "./notices.js";
import "./shortcuts.js";

function shown() {
  showTimes(document);
  emit("chat:shown");
}

/** Focus the composer after a move, unless something in the new page has the focus already. */
function focusAfterMove() {
  if (document.querySelector("#main :focus")) return;
  view.writing()?.focus({ preventScroll: true });
}

document.addEventListener("htmx:after:swap", (event) => {
  const { target } = event.detail.ctx;
  if (target?.id === "main") {
    shown();
    focusAfterMove();
  } else {
    showTimes(document);
  }
});

shown();
focusAfterMove();
start();
