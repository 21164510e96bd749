// Starts everything. A chat is "shown" after each load of the page and each swap of #main.

import { comeOrGoBack } from "./coming.js";
import { emit } from "./events.js";
import { start } from "./socket.js";
import { showTimes } from "./times.js";
import * as view from "./view.js";
import "./posting.js";
import "./outbox.js";
import "./visitor.js";
import "./stream.js";
import "./place.js";
import "./omitted.js";
import "./attachments.js";
import "./supplying.js";
import "./composer.js";
import "./actions.js";
import "./transcript.js";
import "./branches.js";
import "./size.js";
import "./announce.js";
import "./sidebar.js";
import "./menus.js";
import "./toasts.js";
import "./model.js";
import "./notices.js";
import "./shortcuts.js";
import "./late.js";
import "./wanted.js";

function shown() {
  showTimes(document);
  emit("chat:shown");
}

const hasFocus = () => document.querySelector("#main :focus");

/** Who opens one message after the other from the list of what was found stays there. */
const isAtHits = () => document.activeElement.matches("#chats .found-text") && !isDrawer.matches;
const isDrawer = matchMedia("(max-width: 63.99rem)");

/** Focus the composer after a move, unless something in the new page has the focus already, such as the
 *  inspector that was just opened. */
function focusAfterMove() {
  comeOrGoBack();
  if (!hasFocus() && !isAtHits()) view.writing()?.focus({ preventScroll: true });
}

document.addEventListener("htmx:after:swap", (event) => {
  const { target, isSamePlace } = event.detail.ctx;
  if (target?.id === "main") {
    shown();
    if (!isSamePlace) focusAfterMove(); // Else staying.js gives back the place and the focus.
  } else {
    showTimes(document);
  }
});

shown();
focusAfterMove();
start();
