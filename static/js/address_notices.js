// Notices above the composer on what in the address doesn't apply. Screen readers read them, too,
// and they stay until they are dismissed.

import { emit, onClick } from "./events.js";
import * as view from "./view.js";

const notices = () => document.querySelector(".address-notices");

onClick("[data-dismiss-address]", () => {
  notices().remove();
  view.writing()?.focus();
});

/** Each page that shows some is announced once it is there. */
export function begin() {
  const sentences = [...notices().querySelectorAll(".notice")].map(({ innerText }) => innerText.trim());
  emit("chat:say", sentences.join(" "));
}
